package dev.larder.jdbc.script;

import dev.larder.jdbc.LazyDataSource;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A way to use Larder with which scenarios are played. */
enum Way {
  /** By the driver's URL, with Larder's own defaults. */
  DEFAULT(false),
  /** Every result is kept at once. */
  ALL(false, "larder.admission=all"),
  /** Writes invalidate whole tables. */
  TABLES(false, "larder.admission=all", "larder.invalidation=table"),
  /** Sessions go on, as those of a small pool do, with whatever was set in them. */
  POOLED(false, "larder.admission=all"),
  /** By a data source whose hits need no connection. */
  LAZY(true, "larder.admission=all", "larder.lazyConnections=on");

  /** More parameters of Larder's URL: {@code .ci/proof} names a memcached by them. */
  private static final String MORE = System.getProperty("larder.script.url", "");

  private final boolean lazy;
  private final List<String> parameters;

  Way(boolean lazy, String... parameters) {
    this.lazy = lazy;
    this.parameters = List.of(parameters);
  }

  /** Returns whether a connection of the server is taken only when it is needed. */
  boolean isLazy() {
    return lazy;
  }

  /** Returns whether a session is used again by later scenarios. */
  boolean keepsSessions() {
    return this == POOLED;
  }

  /** Returns a URL of Larder's with {@code options} of the driver. */
  String url(TestDatabase database, String user, List<String> options) {
    List<String> all = new ArrayList<>(parameters);
    all.addAll(options);
    all.add(MORE.isEmpty() ? "larder.writers=this-jvm" : MORE);
    return database.larderUrl(all.toArray(String[]::new)).replace("user=postgres", "user=" + user);
  }

  /** Returns where the connections of a URL come from: each is a new one. */
  DataSource source(String url) {
    DataSource connections =
        new PGSimpleDataSource() {
          private static final long serialVersionUID = 1;

          @Override
          public Connection getConnection() throws SQLException {
            return DriverManager.getConnection(url);
          }
        };
    return lazy ? new LazyDataSource(connections) : connections;
  }
}
