package dev.larder.examples;

import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.datasource.pooled.PooledDataSource;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.jdbc.JdbcTransactionFactory;

/** MyBatis with its own pool, whose URL is Larder's. */
public final class MyBatisExample {
  private MyBatisExample() {}

  /** The statements. */
  public interface Mapper {
    /** Returns the price of the product. */
    @Select("SELECT price FROM product WHERE id = 1")
    BigDecimal price();

    /** Sets it. */
    @Update("UPDATE product SET price = #{price} WHERE id = 1")
    void reprice(BigDecimal price);
  }

  /** Runs the example. */
  public static void main(String[] arguments) throws IOException, SQLException {
    try (Postgres postgres = Postgres.start()) {
      Products.create(postgres);
      PooledDataSource pool =
          new PooledDataSource("dev.larder.jdbc.LarderDriver", postgres.larderUrl(), null, null);
      Configuration configuration =
          new Configuration(new Environment("example", new JdbcTransactionFactory(), pool));
      configuration.addMapper(Mapper.class);
      SqlSessionFactory sessions = new SqlSessionFactoryBuilder().build(configuration);
      Products.show(
          () -> {
            try (SqlSession session = sessions.openSession()) {
              return session.getMapper(Mapper.class).price();
            }
          },
          price -> {
            try (SqlSession session = sessions.openSession(true)) {
              session.getMapper(Mapper.class).reprice(price);
            }
          });
      pool.forceCloseAll();
    }
  }
}
