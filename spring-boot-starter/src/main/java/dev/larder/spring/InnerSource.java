package dev.larder.spring;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.PropertyElf;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.ClassUtils;

/**
 * Reads and changes the data source that another one takes its connections from. Each kind has a
 * class of its own, which is loaded only where the library is there.
 */
interface InnerSource {
  /** Returns the data source below, or null if there is none. */
  @Nullable DataSource get();

  /** Sets the data source below. */
  void set(DataSource inner);

  /** Returns access to the data source below, if the one above is of a kind that is known. */
  static Optional<InnerSource> of(DataSource source) {
    if (UrlAccess.isA(source, "com.zaxxer.hikari.HikariDataSource")) {
      return Optional.of(new Hikari((HikariDataSource) source));
    }
    if (UrlAccess.isA(source, "org.apache.tomcat.jdbc.pool.DataSource")) {
      return Optional.of(new Tomcat((org.apache.tomcat.jdbc.pool.DataSource) source));
    }
    if (UrlAccess.isA(source, "org.springframework.jdbc.datasource.DelegatingDataSource")) {
      return Optional.of(new Delegating((DelegatingDataSource) source));
    }
    return Optional.empty();
  }

  /** HikariCP with a data source, or with the class of one. */
  record Hikari(HikariDataSource pool) implements InnerSource {
    @Override
    public @Nullable DataSource get() {
      DataSource given = pool.getDataSource();
      String className = pool.getDataSourceClassName();
      return given != null || className == null ? given : make(className);
    }

    /** As HikariCP does when it starts. */
    private DataSource make(String className) {
      Class<?> type = ClassUtils.resolveClassName(className, pool.getClass().getClassLoader());
      DataSource made = (DataSource) BeanUtils.instantiateClass(type);
      PropertyElf.setTargetFromProperties(made, pool.getDataSourceProperties());
      return made;
    }

    @Override
    public void set(DataSource inner) {
      pool.setDataSource(inner);
      pool.setDataSourceClassName(null);
    }
  }

  /** Tomcat's pool with a data source. */
  record Tomcat(org.apache.tomcat.jdbc.pool.DataSource pool) implements InnerSource {
    @Override
    public @Nullable DataSource get() {
      return pool.getDataSource() instanceof DataSource inner ? inner : null;
    }

    @Override
    public void set(DataSource inner) {
      pool.setDataSource(inner);
    }
  }

  /** Spring's lazy, transaction-aware and other data sources in front of one. */
  record Delegating(DelegatingDataSource source) implements InnerSource {
    @Override
    public @Nullable DataSource get() {
      return source.getTargetDataSource();
    }

    @Override
    public void set(DataSource inner) {
      source.setTargetDataSource(inner);
    }
  }
}
