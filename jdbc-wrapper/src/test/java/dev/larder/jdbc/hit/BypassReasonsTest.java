package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.jdbc.DriverVersionQuery;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.OtherDrivers;
import dev.larder.jdbc.PidRewritingProxy;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.jdbc.statement.Plans;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.jdbc.PgConnection;

/** How to provoke each {@link BypassReason}, and that {@code SHOW larder.queries} tells of it. */
@Tag("each-server")
final class BypassReasonsTest {
  private static final String ITEMS = "SELECT id, name FROM item ORDER BY id";

  private final Map<BypassReason, Provocation> provocations = new EnumMap<>(BypassReason.class);
  private TestDatabase database;
  private Connection larder;
  private Connection bare;
  private int newest;

  /** Runs something that is not cached; returns what tells why. */
  private interface Provocation {
    String run() throws Exception;
  }

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 50) i",
        "CREATE TABLE other (id int)",
        "CREATE TABLE handle (doc oid, cur refcursor)",
        "CREATE SEQUENCE numbers",
        "CREATE FUNCTION stable(int) RETURNS int STABLE LANGUAGE sql AS"
            + " 'SELECT $1 FROM pg_class LIMIT 1'",
        "CREATE FUNCTION pure(int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1 /* from item */'",
        "CREATE DOMAIN past AS timestamptz CHECK (value < now())",
        "CREATE FUNCTION eq(int, int) RETURNS bool STABLE LANGUAGE sql AS 'SELECT $1 = $2'",
        "CREATE OPERATOR ~== (LEFTARG = int, RIGHTARG = int, FUNCTION = eq)",
        "CREATE FUNCTION warn(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE WARNING 'mind'; RETURN $1; END $$",
        "CREATE PROCEDURE work() LANGUAGE plpgsql AS"
            + " $$ BEGIN EXECUTE 'INSERT INTO other ' || lower('VALUES (2)'); END $$",
        "CREATE TABLE secret (id int)",
        "CREATE VIEW same AS SELECT id FROM secret",
        "ALTER TABLE secret ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON secret USING (id IN (SELECT id FROM secret))");
    bare = database.connect();
    larder = LarderProbe.connect(database);
    byText();
    byStatement();
    byTransaction();
    byConnection();
  }

  @AfterEach
  void close() throws SQLException {
    larder.close();
    bare.close();
    database.close();
  }

  /**
   * Those are provoked where there is what they are about: in the modules of memcached, the feed.
   */
  private static final String ELSEWHERE = "SHARED_.*|FOLLOWED_.*";

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ELSEWHERE)
  void canBeProvoked(BypassReason reason) throws Exception {
    assertThat(provocations).containsKey(reason);
    assertThat(provocations.get(reason).run()).contains(reason.description());
  }

  @Test
  void everyReasonHasItsProvocation() {
    EnumSet<BypassReason> own = EnumSet.allOf(BypassReason.class);
    own.removeIf(reason -> reason.name().matches(ELSEWHERE));
    assertThat(provocations.keySet()).isEqualTo(own);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "version()",
        "now()",
        "random()",
        "nextval('numbers')",
        "current_setting('work_mem')",
        "pg_advisory_unlock_all()",
        "pg_is_in_recovery(), now()",
        "to_regclass('item')"
      })
  void whatAsksTheServerAndNoTableNeedsNoCure(String call) throws SQLException {
    assertThat(decision(larder, "SELECT " + call)).isEqualTo(BypassReason.NO_TABLE.description());
    assertThat(decision(larder, "SELECT " + call + ", id FROM item"))
        .isNotEqualTo(BypassReason.NO_TABLE.description())
        .isNotEqualTo(BypassReason.FUNCTION.description());
  }

  @ParameterizedTest
  @ValueSource(strings = {"stable(1)", "stable(1), version()", "stable(1), now() FROM item"})
  void whatAUserCanDeclareIsNamedFirst(String call) throws SQLException {
    assertThat(decision(larder, "SELECT " + call)).isEqualTo(BypassReason.FUNCTION.description());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FUNCTION|SELECT stable(id) FROM item",
        "FUNCTION|SELECT pure(id) FROM item",
        "OPERATOR|SELECT id FROM item WHERE id ~== 1"
      })
  void theCureOfOnesOwnFunctionCanBeFollowed(BypassReason reason, String sql) throws SQLException {
    assertThat(decision(larder, sql)).isEqualTo(reason.description());
    assertThat(reason.cure()).contains("larder.functions.readOnly");
    try (Connection cured =
        LarderProbe.connect(database, "larder.functions.readOnly=stable,pure,eq")) {
      LarderProbe.fill(cured, sql);
      assertThat(LarderProbe.isHit(cured, sql)).isTrue();
    }
  }

  @Test
  void theTypeBelowADomainIsTheCureOfAFunctionOfTheServersOwn() throws SQLException {
    String sql = "SELECT id FROM item WHERE to_timestamp(id)::%s IS NOT NULL";
    assertThat(decision(larder, String.format(sql, "past")))
        .isEqualTo(BypassReason.OPERATOR.description());
    LarderProbe.fill(larder, String.format(sql, "timestamptz"));
    assertThat(LarderProbe.isHit(larder, String.format(sql, "timestamptz"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"query_to_xml('TABLE item', true, false, '')", "lo_get(1)"})
  void whatReadsMoreThanItSaysReadsATable(String call) throws SQLException {
    assertThat(decision(larder, "SELECT " + call))
        .isNotEqualTo(BypassReason.NO_TABLE.description())
        .isNotEqualTo(BypassReason.FUNCTION.description());
  }

  // ---- by the text

  private void text(BypassReason reason, String sql) {
    provocations.put(reason, () -> decision(larder, sql));
  }

  /** Asks the engine itself: only queries are counted. */
  private static String decision(Connection connection, String sql) throws SQLException {
    CachingConnection caching = connection.unwrap(CachingConnection.class);
    Plan plan = Plans.of(caching, sql);
    PhysicalConnection physical = caching.physical();
    assertThat(physical.settings()).isNotNull();
    Lookup lookup = physical.cache().lookup(plan, new Object[0], 0, physical.view());
    return lookup instanceof Lookup.Bypass bypass ? bypass.reason().description() : "" + lookup;
  }

  private void byText() {
    text(BypassReason.HINT, "/* larder:off */ SELECT id FROM item");
    text(BypassReason.NOT_A_QUERY, "SHOW TimeZone");
    text(BypassReason.MULTIPLE_STATEMENTS, "SELECT id FROM item; SELECT id FROM other");
    text(BypassReason.WRITES, "WITH w AS (DELETE FROM other RETURNING id) SELECT id FROM w");
    text(BypassReason.UNPARSED, "SELECT id FROM item WHERE id = 1 \\ 1");
    text(BypassReason.UNKNOWN_SYNTAX, "SELECT U&\"n\\0061me\" FROM item");
    text(BypassReason.NO_TABLE, "SELECT 1");
    text(BypassReason.UNKNOWN_RELATION, "SELECT count(*) FROM item, public.nowhere");
    text(BypassReason.UNSUPPORTED_RELATION, "SELECT last_value FROM numbers");
    text(BypassReason.ROW_SECURITY, "SELECT id FROM secret");
    text(BypassReason.FUNCTION, "SELECT stable(id) FROM item");
    text(BypassReason.BUILTIN_FUNCTION, "SELECT version(), id FROM item");
    text(BypassReason.VOLATILE_FUNCTION, "SELECT random(), id FROM item");
    text(BypassReason.TIME, "SELECT now(), id FROM item");
    text(BypassReason.OPERATOR, "SELECT id FROM item WHERE id ~== 1");
    text(BypassReason.ROW_LOCK, "SELECT id FROM item FOR UPDATE");
    text(BypassReason.TABLE_SAMPLE, "SELECT id FROM item TABLESAMPLE BERNOULLI (50)");
    provocations.put(BypassReason.SEEN_ONCE, this::amongTooManyTexts);
    provocations.put(BypassReason.NO_PROFIT, this::byKeysThatAreAllNew);
  }

  private String byKeysThatAreAllNew() throws SQLException {
    String sql = "SELECT name FROM item WHERE id = ?";
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    String reasons = "";
    try (PreparedStatement statement = larder.prepareStatement(sql)) {
      while (System.nanoTime() < deadline
          && !reasons.contains(BypassReason.NO_PROFIT.description())) {
        for (int i = 0; i < 500; i++) {
          statement.setInt(1, ++newest);
          statement.executeQuery().close();
        }
        reasons = reasons();
      }
    }
    return reasons;
  }

  private String amongTooManyTexts() throws SQLException {
    LarderProbe.firstParses(0);
    try (Connection crowded = LarderProbe.connect(database, "larder.name=crowded")) {
      String sql = "SELECT id AS latest FROM item";
      LarderProbe.rows(crowded, sql);
      String reasons = LarderProbe.bypasses(crowded);
      LarderProbe.fill(crowded, sql);
      return reasons;
    } finally {
      LarderProbe.firstParses(-1);
    }
  }

  // ---- by the statement's options, values and result

  private String reasons(String sql) throws SQLException {
    LarderProbe.rows(larder, sql);
    return reasons();
  }

  private String reasons() throws SQLException {
    return LarderProbe.reason(larder, "");
  }

  private void byStatement() {
    provocations.put(BypassReason.LARGE_OBJECT, () -> reasons("SELECT doc FROM handle"));
    provocations.put(BypassReason.CURSOR, () -> reasons("SELECT cur FROM handle"));
    provocations.put(BypassReason.WARNINGS, () -> reasons("SELECT warn(id) FROM item"));
    provocations.put(
        BypassReason.UPDATABLE,
        () -> {
          try (Statement statement =
              larder.createStatement(
                  ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)) {
            LarderProbe.rows(statement.executeQuery(ITEMS));
          }
          return reasons();
        });
    provocations.put(
        BypassReason.STREAMING,
        () -> {
          larder.setAutoCommit(false);
          try (Statement statement = larder.createStatement()) {
            statement.setFetchSize(10);
            LarderProbe.rows(statement.executeQuery(ITEMS));
          }
          return reasons();
        });
    provocations.put(
        BypassReason.BIND_TYPE,
        () -> {
          try (PreparedStatement statement =
              larder.prepareStatement("SELECT id FROM item WHERE name = ?")) {
            statement.setCharacterStream(1, new java.io.StringReader("item 1"));
            LarderProbe.rows(statement.executeQuery());
          }
          return reasons();
        });
    provocations.put(
        BypassReason.STATEMENT_OPTION,
        () -> {
          try (Statement statement = larder.createStatement()) {
            statement.setMaxFieldSize(3);
            LarderProbe.rows(statement.executeQuery(ITEMS));
          }
          return reasons();
        });
    provocations.put(
        BypassReason.CLOSED,
        () -> {
          PreparedStatement statement = larder.prepareStatement(ITEMS);
          statement.close();
          try {
            statement.executeQuery();
          } catch (SQLException expected) {
            assertThat(expected.getSQLState()).isEqualTo("55000");
          }
          return reasons();
        });
    provocations.put(
        BypassReason.TOO_LARGE,
        () -> {
          try (Connection small = LarderProbe.connect(database, "larder.maxResultBytes=1024")) {
            LarderProbe.rows(small, ITEMS);
            return LarderProbe.reason(small, ITEMS);
          }
        });
  }

  // ---- by the transaction

  private Provocation inTransaction(String... statements) {
    return () -> {
      larder.setAutoCommit(false);
      LarderProbe.run(larder, statements);
      LarderProbe.awaitCatalog(larder);
      return reasons(ITEMS);
    };
  }

  private void byTransaction() {
    provocations.put(
        BypassReason.OWN_WRITES, inTransaction("UPDATE item SET name = 'mine' WHERE id = 1"));
    provocations.put(BypassReason.OWN_UNKNOWN_WRITES, inTransaction("CALL work()"));
    provocations.put(
        BypassReason.SERIALIZABLE, inTransaction("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE"));
    provocations.put(
        BypassReason.FAILED_TRANSACTION,
        () -> {
          larder.setAutoCommit(false);
          for (String sql : new String[] {"SELECT 1 / 0 FROM item", ITEMS}) {
            try {
              LarderProbe.rows(larder, sql);
            } catch (SQLException expected) {
              assertThat(expected.getSQLState()).isIn("22012", "25P02");
            }
          }
          return reasons();
        });
    provocations.put(
        BypassReason.SNAPSHOT,
        () -> {
          larder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          larder.setAutoCommit(false);
          LarderProbe.rows(larder, "SELECT id FROM other");
          try (Connection writer = LarderProbe.connect(database)) {
            LarderProbe.run(writer, "UPDATE item SET name = 'later' WHERE id = 1");
          }
          return reasons(ITEMS);
        });
    provocations.put(
        BypassReason.ISOLATION,
        () -> {
          bare.setAutoCommit(false);
          String snapshot = LarderProbe.rows(bare, "SELECT pg_export_snapshot()").get(0);
          larder.setAutoCommit(false);
          LarderProbe.run(
              larder,
              "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
              "SET TRANSACTION SNAPSHOT '" + snapshot + "'");
          return reasons(ITEMS);
        });
    provocations.put(BypassReason.QUARANTINED, this::afterAWrongRow);
    provocations.put(
        BypassReason.BEING_WRITTEN,
        () -> {
          try (Connection foreign = LarderProbe.connect(database)) {
            foreign.unwrap(PgConnection.class); // It may write until it closes.
            return reasons(ITEMS);
          }
        });
  }

  private String afterAWrongRow() throws SQLException {
    try (Connection verifying = LarderProbe.connect(database, "larder.verify=1")) {
      LarderProbe.rows(verifying, ITEMS);
      LarderProbe.run(bare, "INSERT INTO item VALUES (1001, 'unseen')");
      LarderProbe.rows(verifying, ITEMS);
    }
    return reasons(ITEMS);
  }

  // ---- by the connection, the server and the configuration

  private Provocation with(String parameters) {
    return () -> {
      try (Connection connection =
          DriverManager.getConnection(
              database.larderUrl("larder.writers=this-jvm&" + parameters))) {
        LarderProbe.rows(connection, ITEMS);
        return LarderProbe.reason(connection, ITEMS);
      }
    };
  }

  private Provocation after(String statement) {
    return () -> {
      LarderProbe.run(larder, statement);
      return reasons(ITEMS);
    };
  }

  private String afterSomebodyElseHasWritten() throws SQLException {
    try (Connection careful = LarderProbe.connect(database, "larder.radar=bypass")) {
      long start = System.nanoTime();
      String reason = "";
      while (!reason.contains(BypassReason.FOREIGN_WRITES.description())
          && System.nanoTime() - start < 60_000_000_000L) {
        database.execute("UPDATE item SET id = id");
        reason = decision(careful, ITEMS);
      }
      return reason;
    }
  }

  private void byConnection() {
    provocations.put(BypassReason.DISABLED, after("SET larder.enabled = off"));
    provocations.put(BypassReason.TEMPORARY_TABLE, after("CREATE TEMP TABLE mine (id int)"));
    provocations.put(
        BypassReason.NOT_ON_DEMAND,
        () -> {
          try (Connection demand = LarderProbe.connect(database, "larder.mode=demand")) {
            return decision(demand, ITEMS);
          }
        });
    provocations.put(
        BypassReason.EXCLUDED_TABLE,
        () -> {
          try (Connection excluding = LarderProbe.connect(database, "larder.tables.exclude=item")) {
            return decision(excluding, ITEMS);
          }
        });
    provocations.put(BypassReason.FOREIGN_WRITES, this::afterSomebodyElseHasWritten);
    provocations.put(BypassReason.AUDITED, with("options=-c%20pgaudit.log=read"));
    provocations.put(
        BypassReason.UNWRAPPED,
        () -> {
          larder.unwrap(PgConnection.class);
          return reasons(ITEMS);
        });
    provocations.put(
        BypassReason.UNKNOWN_SETTINGS,
        () -> {
          for (int i = 0; i < 300; i++) {
            LarderProbe.run(larder, "SET app.setting_" + i + " = 'x'");
          }
          return reasons(ITEMS);
        });
    provocations.put(BypassReason.CATALOG_LOADING, this::whileTheCatalogIsRead);
    provocations.put(BypassReason.KEEPALIVE, this::nearTheIdleTimeout);
    provocations.put(BypassReason.STANDBY, this::onAStandby);
    provocations.put(BypassReason.OTHER_SERVER, this::onAServerThatAnotherHasReplaced);
    provocations.put(BypassReason.UNIDENTIFIED, this::unidentified);
    provocations.put(BypassReason.TRANSACTION_POOLER, this::throughAPooler);
    provocations.put(
        BypassReason.DRIVER,
        () ->
            OtherDrivers.without(
                    "dev.larder.jdbc.driver.DriverInternals",
                    DriverVersionQuery.class,
                    database.url())
                .get(0));
  }

  private String whileTheCatalogIsRead() throws SQLException {
    bare.setAutoCommit(false);
    LarderProbe.run(bare, "LOCK TABLE pg_catalog.pg_policy IN ACCESS EXCLUSIVE MODE");
    LarderProbe.run(larder, "COMMENT ON TABLE other IS 'changed'");
    String reasons = decision(larder, ITEMS);
    bare.rollback();
    return reasons;
  }

  private String nearTheIdleTimeout() throws SQLException {
    String parameters = "options=-c%20idle_session_timeout=2h";
    try (Connection idle = LarderProbe.connect(database, parameters)) {
      CachingConnection caching = idle.unwrap(CachingConnection.class);
      caching.physical().settings(); // Reads the settings, which the server hears of.
      caching.physical().sentAt(System.nanoTime() - TimeUnit.MINUTES.toNanos(61));
      return decision(idle, ITEMS);
    }
  }

  private String onAStandby() throws Exception {
    database.execute(
        "CREATE OR REPLACE FUNCTION pg_catalog.pg_is_in_recovery() RETURNS bool"
            + " LANGUAGE sql STABLE AS 'SELECT true'");
    return with("larder.mode=all").run();
  }

  private String onAServerThatAnotherHasReplaced() throws Exception {
    database.execute(
        "CREATE OR REPLACE FUNCTION pg_catalog.pg_postmaster_start_time() RETURNS timestamptz"
            + " LANGUAGE sql STABLE AS $$SELECT CASE current_setting('application_name')"
            + " WHEN 'later' THEN '2020-01-02Z'::timestamptz ELSE '2020-01-01Z' END$$");
    try (Connection replaced = LarderProbe.connect(database);
        Connection later = LarderProbe.connect(database, "ApplicationName=later")) {
      LarderProbe.rows(later, ITEMS);
      LarderProbe.rows(replaced, ITEMS);
      return LarderProbe.reason(replaced, ITEMS);
    }
  }

  private String unidentified() throws Exception {
    String role = database.name() + "_u";
    database.execute(
        "REVOKE EXECUTE ON FUNCTION pg_control_system FROM public",
        "CREATE ROLE " + role + " LOGIN",
        "GRANT ALL ON item TO " + role);
    try (Connection unknown =
        DriverManager.getConnection(
            database.larderUrl().replace("user=postgres", "user=" + role))) {
      LarderProbe.rows(unknown, ITEMS);
      return LarderProbe.reason(unknown, ITEMS);
    } finally {
      database.execute(
          "GRANT EXECUTE ON FUNCTION pg_control_system TO public",
          "DROP OWNED BY " + role,
          "DROP ROLE " + role);
    }
  }

  private String throughAPooler() throws Exception {
    try (PidRewritingProxy proxy = new PidRewritingProxy(database.port());
        Connection pooled =
            DriverManager.getConnection(
                database
                    .larderUrl("larder.pooler=off")
                    .replace(":" + database.port(), ":" + proxy.port()))) {
      LarderProbe.rows(pooled, ITEMS);
      return LarderProbe.reason(pooled, ITEMS);
    }
  }
}
