package dev.larder.examples.adoption;

import com.zaxxer.hikari.HikariDataSource;
import java.math.BigDecimal;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;
import org.junit.jupiter.api.Tag;

@Tag("gate")
final class MyBatisTest extends AdoptionTest {
  /** The statements. */
  public interface Books {
    /** Reads a price. */
    @Select("SELECT price FROM book WHERE id = #{id}")
    BigDecimal price(@Param("id") int id);

    /** Sets a price. */
    @Update("UPDATE book SET price = #{price} WHERE id = #{id}")
    int reprice(@Param("id") int id, @Param("price") BigDecimal price);
  }

  private HikariDataSource pool;
  private SqlSessionFactory sessions;

  @Override
  void open() {
    pool = Pools.create(database.larderUrl());
    Configuration configuration =
        new Configuration(new Environment("test", new JdbcTransactionFactory(), pool));
    configuration.addMapper(Books.class);
    sessions = new SqlSessionFactoryBuilder().build(configuration);
  }

  @Override
  void close() {
    pool.close();
  }

  @Override
  BigDecimal price(int id) {
    try (SqlSession session = sessions.openSession()) {
      return session.getMapper(Books.class).price(id);
    }
  }

  @Override
  void reprice(int id, BigDecimal price) {
    try (SqlSession session = sessions.openSession()) {
      session.getMapper(Books.class).reprice(id, price);
      session.commit();
    }
  }

  @Override
  BigDecimal repriceInVain(int id, BigDecimal price) {
    try (SqlSession session = sessions.openSession()) {
      session.getMapper(Books.class).reprice(id, price);
      BigDecimal read = session.getMapper(Books.class).price(id);
      session.rollback();
      return read;
    }
  }
}
