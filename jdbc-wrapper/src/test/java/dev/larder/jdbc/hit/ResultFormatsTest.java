package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.replay.ResultSetComparison;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGStatement;
import org.postgresql.util.PGobject;

/**
 * A connection through Larder and one of the driver alone run the same statements, in lockstep:
 * each execution must answer alike, in whichever format others have read the rows, and whether it
 * was a hit or not.
 */
@Tag("each-server")
@Tag("regression")
class ResultFormatsTest {
  private static final int EXECUTIONS = 9;
  private static final String ALL = "SELECT * FROM v WHERE id < ?";
  private static final String WRITE = "UPDATE v SET f8 = f8";

  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE v (id int PRIMARY KEY, f4 real, f8 float8, b bytea, n numeric, d date,"
            + " t time, tz timetz, ts timestamp, tstz timestamptz, p point, x box, i2 smallint[],"
            + " i4 int[], i8 bigint[], g4 real[], g8 float8[], s text[], w varchar[], y bytea[])",
        "INSERT INTO v VALUES (1, 1, 1, '\\x0001ff', 0.00000001, '2024-02-29', '24:00',"
            + " '12:34:56+05:30', '1969-12-31 23:59:59.999', '1883-11-18 12:03:58+00', '(1,2)',"
            + " '(1,1),(0,0)', '{1}', '{1,2}', '{3}', '{1}', '{1e10}', '{a,\"b c\"}', '{a}',"
            + " '{\"\\\\x01\"}')",
        "INSERT INTO v (id) VALUES (2)",
        "CREATE TABLE alike (id int PRIMARY KEY, i2 smallint, i8 bigint, u uuid, n numeric(12,2),"
            + " o boolean, s text, w varchar(9), j jsonb, e name)",
        "INSERT INTO alike VALUES (1, -7, 9000000000, '123e4567-e89b-12d3-a456-426614174000',"
            + " -42.50, true, 'a', 'b', '{\"a\": 1}', 'n'), (2, 0, 0,"
            + " '00000000-0000-0000-0000-000000000000', 7, false, '', '', 'null', '')",
        "INSERT INTO alike (id) VALUES (3)");
  }

  @Test
  void textIsNotMadeOfWhatAnotherConnectionHasReadInBinary() throws SQLException {
    String sql = "SELECT f8, b, i4 FROM v WHERE id = 1";
    try (Connection one = LarderProbe.connect(database);
        Connection two = LarderProbe.connect(database, "prepareThreshold=0");
        Connection bare = DriverManager.getConnection(database.url() + "&prepareThreshold=0");
        PreparedStatement old = one.prepareStatement(sql);
        PreparedStatement select = two.prepareStatement(sql);
        PreparedStatement driver = bare.prepareStatement(sql)) {
      for (int i = 0; i < 12; i++) {
        LarderProbe.run(one, WRITE);
        LarderProbe.rows(old.executeQuery());
      }
      for (int i = 0; i < 3; i++) {
        assertThat(LarderProbe.rows(select.executeQuery()))
            .containsExactly("1,\\x0001ff,{1,2}")
            .isEqualTo(LarderProbe.rows(driver.executeQuery()));
      }
      long hits = LarderProbe.hits(two);
      LarderProbe.rows(select.executeQuery());
      assertThat(LarderProbe.hits(two)).isEqualTo(hits + 1);
    }
  }

  /** How an application uses statements. */
  enum Use {
    ONE_STATEMENT,
    PREPARED_ANEW,
    PLAIN
  }

  /** Who writes is drawn, so that hits and misses take turns in many ways. */
  @ParameterizedTest
  @CsvSource({
    "prepareThreshold=5, 1",
    "prepareThreshold=5, 2",
    "prepareThreshold=0, 3",
    "prepareThreshold=1, 4",
    "prepareThreshold=2, 5",
    "prepareThreshold=-1, 6",
    "preferQueryMode=simple, 7",
    "preferQueryMode=extended, 8",
    "preferQueryMode=extendedForPrepared, 9",
    "preferQueryMode=extendedCacheEverything, 10",
    "binaryTransfer=false, 11",
    "binaryTransferDisable=701, 12",
    "binaryTransferEnable=3802, 13",
    "autosave=always, 14",
    "preparedStatementCacheQueries=0, 15",
    "preparedStatementCacheSizeMiB=0, 16",
    "preferQueryMode=extendedCacheEverything&preparedStatementCacheQueries=0, 17",
  })
  void everyExecutionAnswersAsTheDriversDoes(String mode, int seed) throws SQLException {
    Random random = new Random(seed);
    for (Use use : Use.values()) {
      try (Connection writer = LarderProbe.connect(database);
          Connection cached = LarderProbe.connect(database, mode);
          Connection bare = DriverManager.getConnection(database.url() + "&" + mode)) {
        age(writer, ALL);
        long hits = LarderProbe.hits(cached);
        lockstep(use, cached, bare, random, writer);
        assertThat(LarderProbe.hits(cached)).as(use.name()).isGreaterThan(hits);
      }
    }
  }

  private static void lockstep(
      Use use, Connection cached, Connection bare, Random random, Connection writer)
      throws SQLException {
    try (PreparedStatement left = bare.prepareStatement(ALL);
        PreparedStatement right = cached.prepareStatement(ALL)) {
      for (int i = 1; i <= EXECUTIONS; i++) {
        String what = use + ", execution " + i;
        if (random.nextInt(3) == 0) {
          LarderProbe.run(writer, WRITE);
          what += " after a write";
        }
        assertThat(execute(use, cached, right))
            .as(what)
            .containsExactlyElementsOf(execute(use, bare, left));
      }
    }
  }

  private static List<String> execute(Use use, Connection connection, PreparedStatement open)
      throws SQLException {
    switch (use) {
      case ONE_STATEMENT:
        return bound(open);
      case PREPARED_ANEW:
        try (PreparedStatement made = connection.prepareStatement(ALL)) {
          return bound(made);
        }
      default:
        try (Statement made = connection.createStatement()) {
          return answers(made.executeQuery(ALL.replace("?", "9")));
        }
    }
  }

  private static List<String> bound(PreparedStatement statement) throws SQLException {
    statement.setInt(1, 9);
    return answers(statement.executeQuery());
  }

  /**
   * The driver receives binary values once it has asked for the columns, and text once it has asked
   * for parameters of which the types are others. {@code x} is an execution, {@code c} and {@code
   * C} ask for the columns before and after the value is set, {@code p} and {@code P} for the
   * parameters.
   */
  @ParameterizedTest
  @CsvSource({
    "Cx, 0",
    "cx, 0",
    "xCx, 5",
    "xcx, 5",
    "CxxW, 5",
    "xxCxWxx, 5",
    "CWxx, 5",
    "xpx, 1",
    "xxxxxxpxx, 5",
    "Pxx, 1",
    "xPxx, 1",
    "cpxx, 5",
    "CPxx, 5",
    "xxCx, 1",
    "xCx, 0",
    "Cxx, -1",
    "xCWxpxWxx, 5",
  })
  void whatAsksForColumnsOrParametersCounts(String steps, int threshold) throws SQLException {
    String sql = "SELECT f8, i4, p FROM v WHERE id < ?";
    String mode = "prepareThreshold=" + threshold;
    try (Connection writer = LarderProbe.connect(database);
        Connection old = LarderProbe.connect(database, "prepareThreshold=-1");
        Connection young = LarderProbe.connect(database);
        Connection cached = LarderProbe.connect(database, mode);
        Connection bare = DriverManager.getConnection(database.url() + "&" + mode)) {
      for (Connection filling : List.of(old, old, young, young)) {
        step(filling, sql, 'x');
      }
      long hits = LarderProbe.hits(cached);
      for (int i = 0; i < steps.length(); i++) {
        if (steps.charAt(i) == 'W') {
          LarderProbe.run(writer, WRITE);
        } else {
          assertThat(step(cached, sql, steps.charAt(i)))
              .as(steps + ", step " + i)
              .isEqualTo(step(bare, sql, steps.charAt(i)));
        }
      }
      assertThat(LarderProbe.hits(cached)).isGreaterThan(hits);
    }
  }

  private static List<String> step(Connection connection, String sql, char step)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (step != 'c' && step != 'p') {
        statement.setInt(1, 9);
      }
      return switch (step) {
        case 'c', 'C' -> List.of(statement.getMetaData().getColumnName(1));
        case 'p', 'P' -> List.of(statement.getParameterMetaData().getParameterTypeName(1));
        default -> LarderProbe.rows(statement.executeQuery());
      };
    }
  }

  /** Ways to give a parameter a value. */
  private enum Given {
    INTEGER,
    NAMED_NULL,
    NULL_XML,
    TEXT,
    CHARACTER,
    OBJECT_OF_INTEGER,
    OBJECT_OF_BIGINT,
    ARRAY_OF_INTEGER,
    ARRAY_OF_BIGINT;

    void set(PreparedStatement statement) throws SQLException {
      Connection connection = statement.getConnection();
      switch (this) {
        case INTEGER -> statement.setInt(1, 1);
        case NAMED_NULL -> statement.setNull(1, Types.OTHER, "int4");
        case NULL_XML -> statement.setNull(1, Types.SQLXML);
        case TEXT -> statement.setString(1, "1");
        case CHARACTER -> statement.setObject(1, '1');
        case OBJECT_OF_INTEGER -> statement.setObject(1, object("int4"));
        case OBJECT_OF_BIGINT -> statement.setObject(1, object("int8"));
        case ARRAY_OF_INTEGER -> statement.setArray(1, array(connection, "int4"));
        case ARRAY_OF_BIGINT -> statement.setArray(1, array(connection, "int8"));
      }
    }

    private static PGobject object(String type) throws SQLException {
      PGobject object = new PGobject();
      object.setType(type);
      object.setValue("1");
      return object;
    }

    private static Array array(Connection connection, String type) throws SQLException {
      return connection.createArrayOf(type, new Object[] {1});
    }
  }

  /** The driver begins again with text where the declared type of a parameter changes. */
  @ParameterizedTest
  @EnumSource(Given.class)
  void anotherTypeOfAParameterCountsAsAtTheDriver(Given first) throws SQLException {
    String sql = "SELECT f8 FROM v WHERE (? IS NULL) OR id = 1 ORDER BY id";
    String mode = "prepareThreshold=2";
    try (Connection text = LarderProbe.connect(database, "prepareThreshold=0");
        Connection binary = LarderProbe.connect(database, "prepareThreshold=-1");
        Connection cached = LarderProbe.connect(database, mode);
        Connection bare = DriverManager.getConnection(database.url() + "&" + mode)) {
      for (Given next : Given.values()) {
        for (Connection filling : List.of(text, text, binary, binary)) {
          given(filling, sql, next);
        }
      }
      long hits = LarderProbe.hits(cached);
      for (Given next : Given.values()) {
        String own = sql + " /* " + next + " */";
        for (Given each : List.of(first, first, first, next, next, next, first)) {
          assertThat(given(cached, own, each))
              .as(first + ", then " + next)
              .isEqualTo(given(bare, own, each));
        }
      }
      assertThat(LarderProbe.hits(cached)).isGreaterThan(hits);
    }
  }

  private static List<String> given(Connection connection, String sql, Given given)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      given.set(statement);
      return LarderProbe.rows(statement.executeQuery());
    }
  }

  /** Every question that can be asked, of a result of a hit before and after the change. */
  @ParameterizedTest
  @ValueSource(ints = {2, 7})
  void everyAnswerOfAHitIsTheDrivers(int age) throws SQLException {
    String sql = "SELECT v.* FROM v";
    try (Connection old = LarderProbe.connect(database);
        Connection cached = LarderProbe.connect(database);
        Connection bare = database.connect();
        PreparedStatement left = bare.prepareStatement(sql);
        PreparedStatement right = cached.prepareStatement(sql)) {
      age(old, sql);
      for (int i = 1; i < age; i++) {
        left.executeQuery().close();
        right.executeQuery().close();
      }
      long hits = LarderProbe.hits(cached);
      ResultSetComparison.Report report =
          ResultSetComparison.compare(left.executeQuery(), right.executeQuery());
      assertThat(report.differences()).isEmpty();
      assertThat(LarderProbe.hits(cached)).isEqualTo(hits + 1);
    }
  }

  /** The young connections of a pool find what the old ones have read. */
  @ParameterizedTest
  @EnumSource(Use.class)
  void whatAnswersAlikeInBothFormatsIsOneEntry(Use use) throws SQLException {
    String sql = "SELECT * FROM alike /* " + use + " */";
    try (Connection old = LarderProbe.connect(database, "prepareThreshold=1");
        Connection young = LarderProbe.connect(database);
        Connection bare = database.connect()) {
      age(old, sql);
      long misses = LarderProbe.count(young, "misses");
      for (int i = 0; i < EXECUTIONS; i++) {
        assertThat(values(young, sql)).isEqualTo(values(bare, sql));
      }
      assertThat(LarderProbe.count(young, "misses")).isEqualTo(misses);
    }
  }

  private static List<String> values(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return answers(statement.executeQuery(), VALUES);
    }
  }

  /** In a pool whose connections have grown old there is one fill for each write. */
  @Test
  void oldConnectionsShareOneEntry() throws SQLException {
    String sql = "SELECT f8 FROM v";
    List<Connection> pool = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        pool.add(LarderProbe.connect(database));
        for (int execution = 0; execution < EXECUTIONS; execution++) {
          prepareAndRun(pool.get(i), sql);
        }
      }
      LarderProbe.run(pool.get(0), WRITE);
      long misses = LarderProbe.count(pool.get(0), "misses");
      for (Connection each : pool) {
        assertThat(prepareAndRun(each, sql)).containsExactly("1.0", "null");
      }
      assertThat(LarderProbe.count(pool.get(0), "misses")).isEqualTo(misses + 1);
    } finally {
      for (Connection each : pool) {
        each.close();
      }
    }
  }

  @Test
  void aStatementsOwnThresholdCounts() throws SQLException {
    String sql = "SELECT f8 AS own FROM v WHERE id = 1";
    try (Connection cached = LarderProbe.connect(database);
        Connection bare = database.connect();
        PreparedStatement left = bare.prepareStatement(sql);
        PreparedStatement right = cached.prepareStatement(sql)) {
      for (int threshold : new int[] {0, 3, 0, -1, 5}) {
        left.unwrap(PGStatement.class).setPrepareThreshold(threshold);
        right.unwrap(PGStatement.class).setPrepareThreshold(threshold);
        for (int i = 0; i < 3; i++) {
          assertThat(LarderProbe.rows(right.executeQuery()))
              .as("threshold %d, execution %d", threshold, i)
              .isEqualTo(LarderProbe.rows(left.executeQuery()));
        }
      }
    }
  }

  /** The driver has a text parsed again when the type of a parameter changes. */
  @Test
  void theTypesOfTheParametersCount() throws SQLException {
    String sql = "SELECT f8 AS typed FROM v WHERE id = coalesce(?, 1)";
    try (Connection cached = LarderProbe.connect(database, "prepareThreshold=2");
        Connection bare = DriverManager.getConnection(database.url() + "&prepareThreshold=2");
        PreparedStatement left = bare.prepareStatement(sql);
        PreparedStatement right = cached.prepareStatement(sql)) {
      Setter[] setters = {
        s -> s.setInt(1, 1), s -> s.setLong(1, 1), s -> s.setNull(1, Types.INTEGER)
      };
      for (int setter : new int[] {0, 0, 0, 2, 0, 1, 1, 0, 1, 0, 2, 2, 1, 1}) {
        setters[setter].set(left);
        setters[setter].set(right);
        assertThat(LarderProbe.rows(right.executeQuery()))
            .isEqualTo(LarderProbe.rows(left.executeQuery()));
      }
    }
  }

  /** So it does when the search path changes, or the server has forgotten its texts. */
  @ParameterizedTest
  @ValueSource(strings = {"SET search_path = public, pg_catalog", "DEALLOCATE ALL", "DISCARD ALL"})
  void textsThatTheServerHasForgottenCount(String statement) throws SQLException {
    String sql = "SELECT f8 AS forgotten FROM public.v WHERE id = 1";
    try (Connection cached = LarderProbe.connect(database);
        Connection bare = database.connect()) {
      for (int i = 0; i < 2 * EXECUTIONS; i++) {
        if (i == EXECUTIONS) {
          LarderProbe.run(cached, statement);
          LarderProbe.run(bare, statement);
        }
        assertThat(prepareAndRun(cached, sql)).as("%d", i).isEqualTo(prepareAndRun(bare, sql));
      }
    }
  }

  private static List<String> prepareAndRun(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return LarderProbe.rows(statement.executeQuery());
    }
  }

  /** Executes until the driver reads in binary, so that the cache has that, too. */
  private static void age(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < EXECUTIONS; i++) {
        LarderProbe.run(connection, WRITE);
        if (sql.indexOf('?') >= 0) {
          statement.setInt(1, 9);
        }
        statement.executeQuery().close();
      }
    }
  }

  // ---- answers

  /** Getters that answer with a value, and not with the bytes that came. */
  private static final List<Getter> VALUES =
      List.of(
          ResultSet::getString,
          ResultSet::getNString,
          ResultSet::getObject,
          ResultSet::getInt,
          ResultSet::getLong,
          ResultSet::getFloat,
          ResultSet::getDouble,
          ResultSet::getBigDecimal,
          ResultSet::getBoolean,
          (result, column) -> result.getObject(column, String.class),
          (result, column) -> result.getObject(column, Long.class),
          (result, column) -> result.getObject(column, UUID.class),
          (result, column) -> result.getCharacterStream(column).read());

  private static final List<Getter> ALL_GETTERS = new ArrayList<>(VALUES);

  static {
    ALL_GETTERS.addAll(
        List.of(
            ResultSet::getBytes,
            ResultSet::getArray,
            ResultSet::getDate,
            ResultSet::getTime,
            ResultSet::getTimestamp,
            (result, column) -> result.getObject(column, LocalDate.class),
            (result, column) -> result.getObject(column, LocalTime.class),
            (result, column) -> result.getObject(column, LocalDateTime.class),
            (result, column) -> result.getObject(column, OffsetDateTime.class),
            (result, column) -> result.getBinaryStream(column).readAllBytes()));
  }

  private static List<String> answers(ResultSet result) throws SQLException {
    return answers(result, ALL_GETTERS);
  }

  private static List<String> answers(ResultSet result, List<Getter> getters) throws SQLException {
    List<String> answers = new ArrayList<>();
    try (result) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        for (int column = 1; column <= columns; column++) {
          String label = result.getMetaData().getColumnLabel(column);
          for (int getter = 0; getter < getters.size(); getter++) {
            answers.add(
                label + " by " + getter + ": " + answer(result, column, getters.get(getter)));
          }
        }
      }
    }
    return answers;
  }

  private static String answer(ResultSet result, int column, Getter getter) {
    try {
      Object value = getter.get(result, column);
      if (value instanceof byte[] bytes) {
        return Arrays.toString(bytes);
      }
      if (value instanceof Array array) {
        return array + " " + Arrays.deepToString((Object[]) array.getArray());
      }
      return String.valueOf(value).replaceAll("\\[B@[0-9a-f]+", "[B@");
    } catch (Exception e) {
      return e.getClass().getSimpleName();
    }
  }

  /** Asks for a value. */
  @FunctionalInterface
  private interface Getter {
    Object get(ResultSet result, int column) throws Exception;
  }

  /** Binds the first parameter. */
  @FunctionalInterface
  private interface Setter {
    void set(PreparedStatement statement) throws SQLException;
  }
}
