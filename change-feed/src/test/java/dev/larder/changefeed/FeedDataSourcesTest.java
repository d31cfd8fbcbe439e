package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.LarderDataSource;
import dev.larder.jdbc.LarderXADataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.ds.common.BaseDataSource;
import org.postgresql.xa.PGXADataSource;

/** The application opens its connections by data sources, some of which have no URL to give. */
@Tag("proof")
final class FeedDataSourcesTest {
  private static final Map<String, String> OPTIONS =
      Map.of("larder.writers", "any", "larder.feed", "wal", "larder.admission", "all");

  @AutoClose private static FeedServer server;
  private String database;

  @BeforeAll
  static void startServer() {
    server = FeedServer.start();
  }

  @BeforeEach
  void create() throws SQLException {
    database = server.createItems();
  }

  private static QueryCacheConfig config(Map<String, String> more) {
    Map<String, String> options = new HashMap<>(OPTIONS);
    options.putAll(more);
    return QueryCacheConfig.of(options);
  }

  /** By its setters, as HikariCP does by dataSourceClassName. */
  private <S extends BaseDataSource> S configured(S source) {
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {server.port()});
    source.setDatabaseName(database);
    source.setUser("postgres");
    return source;
  }

  /** Hides what a data source is, as one of an application that gives no URL. */
  private static <S> S hidden(Class<S> type, S source) {
    Object hidden =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(source, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(hidden);
  }

  private void follows(Connection connection) throws SQLException {
    try (Application application = new Application(connection)) {
      application.awaitLive();
      application.assertFollows(server, database);
    }
  }

  private void saysWhatToSet(Connection connection, long before) throws SQLException {
    try (Application application = new Application(connection)) {
      application.awaitLost("LRD-031", before);
      assertThat(application.feed("because"))
          .isEqualTo(
              "the data source of the application cannot open a connection that reads the log");
      assertThat(application.feed("cure")).isEqualTo("set larder.feed.url, with user and password");
      application.assertWorksWithout(server, database);
    }
  }

  @Test
  void aDataSourceOfTheDriverIsFollowed() throws SQLException {
    DataSource source = configured(new PGSimpleDataSource());
    follows(new LarderDataSource(source, config(Map.of())).getConnection());
  }

  @Test
  void aDataSourceThatSettersConfigureIsFollowed() throws SQLException {
    LarderDataSource source = new LarderDataSource();
    URI url = URI.create(server.url(database).substring(5));
    source.setUrl("jdbc:larder:" + url.getScheme() + "://" + url.getAuthority() + url.getPath());
    Properties properties = new Properties();
    properties.putAll(OPTIONS);
    source.setProperties(properties);
    follows(source.getConnection("postgres", "not asked for"));
  }

  @Test
  void aDataSourceWithoutUrlSaysWhatToSet() throws SQLException {
    long before = Application.count("LRD-031");
    DataSource source = hidden(DataSource.class, configured(new PGSimpleDataSource()));
    saysWhatToSet(new LarderDataSource(source, config(Map.of())).getConnection(), before);
  }

  @Test
  void aDataSourceWithoutUrlIsFollowedByThatOfTheFeed() throws SQLException {
    DataSource source = hidden(DataSource.class, configured(new PGSimpleDataSource()));
    Map<String, String> url = Map.of("larder.feed.url", server.url(database));
    follows(new LarderDataSource(source, config(url)).getConnection());
  }

  @Test
  void anXaDataSourceOfTheDriverIsFollowed() throws SQLException {
    XADataSource source = configured(new PGXADataSource());
    XAConnection xa = new LarderXADataSource(source, config(Map.of())).getXAConnection();
    follows(xa.getConnection());
    xa.close();
  }

  @Test
  void anXaDataSourceByUrlIsFollowed() throws SQLException {
    LarderXADataSource source = new LarderXADataSource();
    source.setUrl(server.url(database).replace("jdbc:", "jdbc:larder:") + Application.OPTIONS);
    XAConnection xa = source.getXAConnection();
    follows(xa.getConnection());
    xa.close();
  }

  @Test
  void anXaDataSourceWithoutUrlSaysWhatToSet() throws SQLException {
    long before = Application.count("LRD-031");
    XADataSource source = hidden(XADataSource.class, configured(new PGXADataSource()));
    XAConnection xa = new LarderXADataSource(source, config(Map.of())).getXAConnection();
    saysWhatToSet(xa.getConnection(), before);
    xa.close();
  }

  @Test
  void anXaDataSourceWithoutUrlIsFollowedByThatOfTheFeed() throws SQLException {
    XADataSource source = hidden(XADataSource.class, configured(new PGXADataSource()));
    Map<String, String> url = Map.of("larder.feed.url", server.url(database));
    XAConnection xa = new LarderXADataSource(source, config(url)).getXAConnection();
    follows(xa.getConnection());
    xa.close();
  }
}
