package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.QueryCacheConfig;
import dev.larder.jdbc.LarderDataSource;
import dev.larder.testing.Waiting;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.plugin.AuthenticationPlugin;
import org.postgresql.plugin.AuthenticationRequestType;

/** How the feed gets in: by encrypted connections, and with passwords that change. */
@Tag("proof")
final class FeedLoginTest {
  @AutoClose private static FeedServer server;
  private static ServerCertificate certificate;
  private static ServerCertificate other;
  private String database;
  private String role;

  @BeforeAll
  static void start(@TempDir Path folder, @TempDir Path otherFolder) throws Exception {
    certificate = ServerCertificate.in(folder);
    other = ServerCertificate.in(otherFolder);
    server =
        FeedServer.start(
            "password_encryption=scram-sha-256", // Before 14 another one is the default.
            "ssl=on",
            "ssl_cert_file=" + certificate.certificate(),
            "ssl_key_file=" + certificate.key());
    server.letsIn(
        "hostssl all postgres 127.0.0.1/32 trust",
        "hostssl all all 127.0.0.1/32 scram-sha-256",
        "hostnossl all +plain 127.0.0.1/32 scram-sha-256");
    server.execute("postgres", "CREATE ROLE plain");
  }

  @BeforeEach
  void create() throws SQLException {
    database = server.createItems();
    role = "role_" + database;
    server.execute(
        database,
        "CREATE ROLE " + role + " LOGIN REPLICATION PASSWORD 'old'",
        "GRANT plain TO " + role,
        "GRANT ALL ON item TO " + role);
  }

  private String verified(ServerCertificate by) {
    return "&sslmode=verify-full&sslrootcert="
        + URLEncoder.encode(by.certificate().toString(), StandardCharsets.UTF_8);
  }

  private void assertEncrypted() throws SQLException {
    String query =
        "SELECT string_agg(DISTINCT s.ssl::text, ',') FROM pg_stat_ssl s JOIN pg_stat_activity a"
            + " USING (pid) WHERE datname = current_database() AND pid <> pg_backend_pid()";
    assertThat(server.ask(database, query)).isEqualTo("true");
    assertThat(server.ask(database, query + " AND backend_type = 'walsender'")).isEqualTo("true");
  }

  // ---- encrypted connections

  @ParameterizedTest
  @ValueSource(strings = {"require", "verify-ca", "verify-full"})
  void anEncryptedConnectionIsFollowedByAnEncryptedOne(String mode) throws SQLException {
    String url = server.url(database) + verified(certificate).replace("verify-full", mode);
    try (Application application = Application.open(url, "")) {
      application.awaitLive();
      assertEncrypted();
      application.assertFollows(server, database);
    }
  }

  @Test
  void whatADataSourceSetsForEncryptionHoldsForTheFeed() throws SQLException {
    PGSimpleDataSource source = source();
    source.setSslMode("verify-full");
    source.setSslRootCert(certificate.certificate().toString());
    try (Application application = application(source)) {
      application.awaitLive();
      assertEncrypted();
      application.assertFollows(server, database);
    }
  }

  @Test
  void aFeedThatDoesNotTrustTheServerSaysSo() throws SQLException {
    long before = Application.count("LRD-031");
    String feed = server.url(database) + verified(other);
    try (Application application =
        Application.open(
            server.url(database) + verified(certificate),
            "&larder.feed.url=" + URLEncoder.encode(feed, StandardCharsets.UTF_8))) {
      application.awaitLost("LRD-031", before);
      assertThat(application.feed("because")).containsIgnoringCase("SSL");
      assertThat(application.feed("cure")).contains("larder.feed.url");
      application.assertWorksWithout(server, database);
    }
  }

  // ---- passwords

  private PGSimpleDataSource source() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {server.port()});
    source.setDatabaseName(database);
    source.setUser(role);
    source.setPassword("old");
    return source;
  }

  private static Application application(PGSimpleDataSource source) throws SQLException {
    return application(source, null, null);
  }

  private static Application application(
      PGSimpleDataSource source, @Nullable String user, @Nullable String password)
      throws SQLException {
    QueryCacheConfig config =
        QueryCacheConfig.of(
            Map.of("larder.writers", "any", "larder.feed", "wal", "larder.admission", "all"));
    return new Application(new LarderDataSource(source, config).getConnection(user, password));
  }

  private void changePassword(String password) throws SQLException {
    server.execute(database, "ALTER ROLE " + role + " PASSWORD '" + password + "'");
  }

  private void endWalsender() throws SQLException {
    server.execute(
        database,
        "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots"
            + " WHERE database = current_database()");
  }

  @Test
  void aDataSourceThatKnowsTheNewPasswordBringsTheFeedBack() throws SQLException {
    PGSimpleDataSource source = source();
    try (Application application = application(source)) {
      application.awaitLive();
      changePassword("new");
      source.setPassword("new");
      endWalsender();
      Waiting.until("a loss", () -> "1".equals(application.feed("losses")));
      application.awaitLive();
      application.assertFollows(server, database);
    }
  }

  @Test
  void aPoolThatNamesTheRoleItselfIsFollowed() throws SQLException {
    PGSimpleDataSource source = source();
    source.setUser(null);
    source.setPassword(null);
    try (Application application = application(source, role, "old")) {
      application.awaitLive();
      application.assertFollows(server, database);
    }
  }

  /** Knows the password of the moment. */
  public static final class Passwords implements AuthenticationPlugin {
    private static volatile String present = "old";

    @Override
    public char[] getPassword(AuthenticationRequestType type) {
      return present.toCharArray();
    }
  }

  @Test
  void aPluginThatKnowsTheNewPasswordBringsTheFeedBack() throws SQLException {
    Passwords.present = "old";
    String plugin = "&authenticationPluginClassName=" + Passwords.class.getName();
    try (Application application = Application.open(server.url(database, role) + plugin, "")) {
      application.awaitLive();
      changePassword("new");
      Passwords.present = "new";
      endWalsender();
      Waiting.until("a loss", () -> "1".equals(application.feed("losses")));
      application.awaitLive();
      application.assertFollows(server, database);
    }
  }

  @Test
  void anOldPasswordIsNamedAndTriedSeldomUntilThePoolHasTheNewOne() throws Exception {
    try (ServerProxy proxy = new ServerProxy(server)) {
      String url = proxy.through(server.url(database, role));
      try (Application application = Application.open(url + "&password=old", "")) {
        application.awaitLive();
        long before = Application.count("LRD-028");
        changePassword("new");
        int logins = proxy.starts();
        long begun = System.nanoTime();
        server.execute(
            database,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
                + " current_database() AND pid NOT IN (pg_backend_pid(), "
                + application.row("SELECT pg_backend_pid() AS pid").get("pid")
                + ")");
        application.awaitLost("LRD-028", before);
        assertThat(application.feed("because")).contains("password authentication failed");
        assertThat(application.feed("cure")).contains("password");
        Waiting.pass(Duration.ofSeconds(4).minusNanos(System.nanoTime() - begun));
        int failed = proxy.starts() - logins;
        System.out.println("logins that failed in 4 s, of all of Larder: " + failed);
        assertThat(failed).isBetween(2, 12);
        application.assertWorksWithout(server, database);
        try (Application newer = Application.open(url + "&password=new", "")) {
          newer.awaitLive();
          newer.assertFollows(server, database);
        }
      }
    }
  }
}
