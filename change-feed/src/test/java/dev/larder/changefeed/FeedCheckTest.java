package dev.larder.changefeed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@link FeedCheck} prints is true, and its statements cure. */
@Tag("each-server")
final class FeedCheckTest {
  @AutoClose private static FeedServer server;

  private String printed = "";

  private int check(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int end = FeedCheck.run(new PrintStream(bytes, true, UTF_8), arguments);
    printed = bytes.toString(UTF_8);
    return end;
  }

  private void cureAll(String database, String start) throws SQLException {
    server.execute(database, cure(start).split("; "));
  }

  private String cure(String start) {
    Matcher cure = Pattern.compile("cure(?: before)?: (" + start + "[^\\n]*)").matcher(printed);
    assertThat(cure.find()).as(printed).isTrue();
    return cure.group(1);
  }

  @BeforeAll
  static void startServer() {
    server = FeedServer.start();
  }

  @Test
  void whatItPrintsCuresADatabaseWithoutPublication() throws SQLException {
    String database = server.createDatabase();
    server.execute(
        database,
        "CREATE TABLE keyed (id int PRIMARY KEY)",
        "CREATE TABLE \"Odd\" (id int PRIMARY KEY)",
        "CREATE TABLE part (id int PRIMARY KEY) PARTITION BY RANGE (id)",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE keyless (id int)",
        "INSERT INTO keyless VALUES (1)",
        "CREATE UNLOGGED TABLE gone (id int PRIMARY KEY)");
    assertThat(check(server.url(database))).isEqualTo(1);
    assertThat(printed)
        .contains("ok       wal_level is logical")
        .contains("ok       the role may read the log")
        .contains("MISSING  there is no publication larder")
        .contains("UPDATE and DELETE would begin to fail (55000) in a publication: public.keyless");
    server.execute(database, cure("CREATE PUBLICATION"));
    assertThat(check(server.url(database))).as(() -> printed).isZero();
    assertThat(printed).contains("covered tables: 4").contains("public.gone: unlogged");
    server.execute(database, "UPDATE keyless SET id = 2");

    server.execute(database, "ALTER PUBLICATION larder ADD TABLE keyless");
    assertThatThrownBy(() -> server.execute(database, "UPDATE keyless SET id = 3"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55000"));
    assertThat(check("jdbc:larder:" + server.url(database).substring(5))).isEqualTo(1);
    assertThat(printed).contains("UPDATE and DELETE fail (55000)").contains("public.keyless");
    server.execute(database, cure("ALTER TABLE public.keyless REPLICA IDENTITY FULL"));
    server.execute(database, "UPDATE keyless SET id = 3");
    assertThat(check(server.url(database))).isZero();
    assertThat(printed).contains("covered tables: 5").endsWith("for larder.feed=wal.\n");
  }

  @Test
  void noStatementThatItPrintsMakesAWriteFail() throws SQLException {
    String database = server.createDatabase();
    server.execute(
        database,
        "CREATE TABLE keyed (id int PRIMARY KEY)",
        "CREATE TABLE part (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE above (id int PRIMARY KEY)",
        "CREATE TABLE below () INHERITS (above)",
        "CREATE TABLE keyless (id int)",
        "INSERT INTO part VALUES (1)",
        "INSERT INTO below VALUES (1)",
        "INSERT INTO keyless VALUES (1)");
    String[] writes = {
      "UPDATE part SET id = 2", "UPDATE above SET id = 2", "UPDATE keyless SET id = 2"
    };
    assertThat(check(server.url(database))).isEqualTo(1);
    assertThat(cure("CREATE PUBLICATION"))
        .isEqualTo("CREATE PUBLICATION larder FOR TABLE public.keyed;");
    server.execute(database, cure("CREATE PUBLICATION"));
    server.execute(database, writes);

    assertThat(check(server.url(database))).isZero();
    assertThat(printed).contains("covered tables: 1\n");
    cureAll(database, "ALTER TABLE public.below REPLICA IDENTITY FULL; ALTER PUB");
    cureAll(database, "ALTER TABLE public.part_1 REPLICA IDENTITY FULL; ALTER PUB");
    cureAll(database, "ALTER TABLE public.keyless REPLICA IDENTITY FULL; ALTER PUB");
    server.execute(database, writes);
    assertThat(check(server.url(database))).isZero();
    assertThat(printed).contains("covered tables: 6\n");
    server.execute(database, "CREATE TABLE part_2 PARTITION OF part FOR VALUES FROM (10) TO (20)");
    assertThat(check(server.url(database))).isEqualTo(1);
    assertThat(printed).contains("UPDATE and DELETE fail (55000)").contains("covered tables: 7\n");
  }

  @Test
  void thePublicationMayBeNamedInLardersUrl() throws SQLException {
    String database = server.createDatabase();
    server.execute(
        database, "CREATE TABLE keyed (id int PRIMARY KEY)", "CREATE PUBLICATION larder");
    String url = "jdbc:larder:" + server.url(database).substring(5);
    String named = url + (url.contains("?") ? "&" : "?") + "larder.feed.publication=other%2E1";
    assertThat(check(named)).isEqualTo(1);
    assertThat(printed).contains("MISSING  there is no publication other.1");
    server.execute(database, cure("CREATE PUBLICATION"));
    assertThat(check(named)).isZero();
  }

  @Test
  void whatTheServerLacksIsNamed() throws Exception {
    server.execute("postgres", "CREATE ROLE modest LOGIN");
    assertThat(check(server.url("postgres", "modest"), "other")).isEqualTo(1);
    assertThat(printed)
        .contains("MISSING  the role may not read the log: FATAL: ")
        .contains("cure: ALTER ROLE modest REPLICATION")
        .contains("MISSING  there is no publication other");
    try (FeedServer plain = FeedServer.start("wal_level=replica", "max_replication_slots=0")) {
      assertThat(check(plain.url("postgres"))).isEqualTo(1);
      assertThat(printed)
          .contains("MISSING  wal_level is replica")
          .contains("cure: ALTER SYSTEM SET wal_level = logical, and restart the server")
          .contains("MISSING  max_replication_slots is 0");
    }
  }

  @Test
  void whoCannotBeAskedIsTold() {
    assertThat(check("jdbc:postgresql://127.0.0.1:1/none?user=none")).isEqualTo(2);
    assertThat(printed).startsWith("The server cannot be asked: ");
    assertThat(check()).isEqualTo(2);
    assertThat(printed).startsWith("Usage: ");
  }
}
