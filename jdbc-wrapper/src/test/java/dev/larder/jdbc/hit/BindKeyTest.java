package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.geometric.PGpoint;
import org.postgresql.util.PGInterval;
import org.postgresql.util.PGTimestamp;
import org.postgresql.util.PGobject;

/**
 * Bind values as parts of the key. {@code kind(?)} answers with the type and the text of what the
 * server received, so that two values that are sent differently never have one answer.
 */
final class BindKeyTest {
  private static final String KIND = "SELECT kind(?), count(*) FROM item";
  private static final int ROUNDS = 3;

  private final TimeZone zone = TimeZone.getDefault();
  private TestDatabase database;
  private Connection larder;
  private Connection bare;

  /** Sets the values of a statement. */
  private interface Binding {
    void bind(PreparedStatement statement) throws SQLException;
  }

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE EXTENSION hstore",
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a'), (2, 'b')",
        "CREATE TABLE moment (local timestamp, zoned timestamptz, day date, hour time)",
        "INSERT INTO moment SELECT t, t AT TIME ZONE 'UTC', t::date, t::time FROM"
            + " generate_series(timestamp '2024-06-01', '2024-06-03', '30 min') t",
        "CREATE FUNCTION kind(anyelement) RETURNS text IMMUTABLE LANGUAGE sql AS"
            + " $$ SELECT pg_typeof($1)::text || ':' || coalesce($1::text, 'null') $$");
    bare = database.connect();
    larder = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    TimeZone.setDefault(zone);
    larder.close();
    bare.close();
    database.close();
  }

  private static String answer(Connection connection, String sql, Binding binding) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return answer(statement, binding);
    } catch (SQLException e) {
      return e.getSQLState() + ' ' + e.getMessage();
    }
  }

  private static String answer(PreparedStatement statement, Binding binding) throws SQLException {
    binding.bind(statement);
    try (ResultSet result = statement.executeQuery()) {
      return LarderProbe.rows(result).toString();
    }
  }

  /** Binds the values in turn, and sees the driver's answer each time; returns the hits. */
  private long hitsOf(String sql, Binding... bindings) throws SQLException {
    long before = LarderProbe.hits(larder);
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < bindings.length; i++) {
        assertThat(answer(larder, sql, bindings[i]))
            .as("round %s, value %s of %s", round, i, sql)
            .isEqualTo(answer(bare, sql, bindings[i]));
      }
    }
    return LarderProbe.hits(larder) - before;
  }

  /** Every value has an entry of its own. */
  private void assertDistinct(String sql, Binding... bindings) throws SQLException {
    assertThat(hitsOf(sql, bindings)).isEqualTo((long) (ROUNDS - 1) * bindings.length);
  }

  private void assertNeverCached(String sql, Binding... bindings) throws SQLException {
    assertThat(hitsOf(sql, bindings)).isZero();
  }

  @Test
  void numbersOfOneValueAreDifferentValuesByType() throws SQLException {
    assertDistinct(
        KIND,
        s -> s.setInt(1, 1),
        s -> s.setLong(1, 1),
        s -> s.setShort(1, (short) 1),
        s -> s.setFloat(1, 1),
        s -> s.setDouble(1, 1),
        s -> s.setBigDecimal(1, BigDecimal.ONE),
        s -> s.setBigDecimal(1, new BigDecimal("1.0")),
        s -> s.setBigDecimal(1, new BigDecimal("1.00")),
        s -> s.setObject(1, BigInteger.ONE),
        s -> s.setString(1, "1"),
        s -> s.setObject(1, '1'),
        s -> s.setBoolean(1, true),
        s -> s.setBoolean(1, false));
  }

  @Test
  void settersThatSendTheSameShareAnEntry() throws SQLException {
    long hits =
        hitsOf(
            KIND,
            s -> s.setInt(1, 7),
            s -> s.setObject(1, 7),
            s -> s.setObject(1, 7, Types.INTEGER));
    assertThat(hits).isEqualTo(3 * ROUNDS - 1);
    hits =
        hitsOf(
            KIND,
            s -> s.setByte(1, (byte) 3),
            s -> s.setShort(1, (short) 3),
            s -> s.setObject(1, (byte) 3));
    assertThat(hits).isEqualTo(3 * ROUNDS - 1);
    assertThat(
            hitsOf(
                "SELECT count(*) FROM moment WHERE day = ?",
                s -> s.setDate(1, new Date(NOON)),
                s -> s.setObject(1, new Date(NOON)),
                s -> s.setDate(1, new Date(NOON), null)))
        .isEqualTo(3 * ROUNDS - 1);
    assertThat(
            hitsOf(
                "SELECT count(*) FROM moment WHERE hour = ?",
                s -> s.setTime(1, new Time(NOON)),
                s -> s.setObject(1, new Time(NOON)),
                s -> s.setTime(1, new Time(NOON), null)))
        .isEqualTo(3 * ROUNDS - 1);
    assertThat(hitsOf(KIND, s -> s.setNull(1, Types.BIGINT), s -> s.setNull(1, Types.BIGINT, null)))
        .isEqualTo(2 * ROUNDS - 1);
  }

  @Test
  void zerosAndNotANumberAreDistinct() throws SQLException {
    assertDistinct(
        KIND,
        s -> s.setDouble(1, 0.0),
        s -> s.setDouble(1, -0.0),
        s -> s.setDouble(1, Double.NaN),
        s -> s.setDouble(1, Double.POSITIVE_INFINITY),
        s -> s.setFloat(1, 0.0f),
        s -> s.setFloat(1, -0.0f),
        s -> s.setFloat(1, Float.NaN),
        s -> s.setFloat(1, 0.1f),
        s -> s.setDouble(1, 0.1f),
        s -> s.setDouble(1, 0.1));
  }

  @Test
  void nullHasAType() throws SQLException {
    assertDistinct(
        KIND,
        s -> s.setNull(1, Types.INTEGER),
        s -> s.setNull(1, Types.BIGINT),
        s -> s.setNull(1, Types.VARCHAR),
        s -> s.setNull(1, Types.CHAR),
        s -> s.setNull(1, Types.DATE),
        s -> s.setNull(1, Types.BOOLEAN),
        s -> s.setNull(1, Types.VARBINARY),
        s -> s.setNull(1, Types.NUMERIC));
    assertNeverCached(
        KIND,
        s -> s.setNull(1, Types.OTHER),
        s -> s.setObject(1, null),
        s -> s.setNull(1, Types.TIMESTAMP),
        s -> s.setNull(1, Types.JAVA_OBJECT),
        s -> s.setNull(1, Types.OTHER, "no_such_type"));
  }

  @Test
  void nullHasTheTypeThatIsNamed() throws SQLException {
    assertDistinct(
        KIND,
        s -> s.setNull(1, Types.OTHER, "uuid"),
        s -> s.setNull(1, Types.OTHER, "json"),
        s -> s.setNull(1, Types.OTHER, "_int4"),
        s -> s.setNull(1, Types.OTHER, "text"));
    String name = "SELECT name FROM item WHERE ? IS NULL ORDER BY id";
    Binding uuid = s -> s.setNull(1, Types.OTHER, "uuid");
    assertSameInTurn(name, uuid, s -> s.setNull(1, Types.OTHER), uuid, s -> s.setInt(1, 1), uuid);
  }

  /** The server makes a value of it, which may run anything. */
  @Test
  void aNullOfAUsersTypeIsNoPartOfAKey() throws SQLException {
    database.execute("CREATE TYPE mood AS ENUM ('sad')");
    assertNeverCached(KIND, s -> s.setNull(1, Types.OTHER, "mood"));
  }

  @Test
  void aNullOfNoTypeIsSentWithTheTypeThatTheParameterHad() throws SQLException {
    String name = "SELECT name FROM item WHERE ? IS NULL ORDER BY id";
    Binding number = s -> s.setInt(1, 1);
    Binding other = s -> s.setNull(1, Types.OTHER);
    for (String sql :
        List.of(name, "SELECT name FROM item WHERE coalesce(?, '10') > '9' ORDER BY id")) {
      for (int round = 0; round < ROUNDS; round++) {
        assertSameInTurn(sql, number, other, s -> s.setObject(1, null), number);
        assertSameInTurn(sql, other, s -> s.setNull(1, Types.BIGINT), other, other);
        assertSameInTurn(sql, s -> s.setObject(1, LocalDateTime.MIN), s -> s.setTimestamp(1, null));
        assertSameInTurn(sql, number, s -> s.setString(1, null), s -> s.setArray(1, null));
        assertSameInTurn(sql, number, PreparedStatement::clearParameters, other);
      }
    }
  }

  @Test
  void aNullOfATypeIsCachedBehindAValue() throws SQLException {
    String sql = "SELECT id FROM item WHERE name IS DISTINCT FROM ?::text";
    Binding[] values = {
      s -> s.setString(1, "a"), s -> s.setString(1, null), s -> s.setNull(1, Types.VARCHAR)
    };
    assertSameInTurn(sql, values);
    long before = LarderProbe.hits(larder);
    assertSameInTurn(sql, values);
    assertThat(LarderProbe.hits(larder)).isEqualTo(before + values.length);
  }

  /** Binds the values in turn to one statement, and sees the driver's answer each time. */
  private void assertSameInTurn(String sql, Binding... bindings) throws SQLException {
    try (PreparedStatement mine = larder.prepareStatement(sql);
        PreparedStatement drivers = bare.prepareStatement(sql)) {
      for (int i = 0; i < bindings.length; i++) {
        assertThat(answerOrFailure(mine, bindings[i]))
            .as("value %s of %s", i, sql)
            .isEqualTo(answerOrFailure(drivers, bindings[i]));
      }
    }
  }

  private static String answerOrFailure(PreparedStatement statement, Binding binding) {
    try {
      return answer(statement, binding);
    } catch (SQLException e) {
      return e.getSQLState() + ' ' + e.getMessage();
    }
  }

  @Test
  void nullOfEverySetterIsTheDrivers() throws SQLException {
    String sql = "SELECT id FROM item WHERE name IS DISTINCT FROM ?::text";
    Binding[] nulls = {
      s -> s.setString(1, null),
      s -> s.setBigDecimal(1, null),
      s -> s.setDate(1, null),
      s -> s.setTime(1, null),
      s -> s.setTimestamp(1, null),
      s -> s.setArray(1, null),
      s -> s.setObject(1, null),
      s -> s.setObject(1, null, Types.BIGINT),
      s -> s.setObject(1, null, Types.NUMERIC, 2),
    };
    assertThat(hitsOf(sql, nulls)).isGreaterThanOrEqualTo((ROUNDS - 1L) * nulls.length);
    hitsOf(sql, s -> s.setBytes(1, null), s -> s.setBlob(1, (java.sql.Blob) null));
  }

  @Test
  void anExplicitTypeIsPartOfTheValue() throws SQLException {
    assertDistinct(
        KIND,
        s -> s.setObject(1, "1", Types.INTEGER),
        s -> s.setObject(1, "1", Types.BIGINT),
        s -> s.setObject(1, "1", Types.NUMERIC),
        s -> s.setObject(1, "1", Types.NUMERIC, 2),
        s -> s.setObject(1, "1", Types.BOOLEAN),
        s -> s.setObject(1, "1", Types.CHAR),
        s -> s.setObject(1, 1, Types.VARCHAR),
        s -> s.setObject(1, new BigDecimal("1.25"), Types.NUMERIC, 1),
        s -> s.setObject(1, new BigDecimal("1.25"), Types.NUMERIC),
        s -> s.setObject(1, true, Types.INTEGER));
    assertNeverCached(
        KIND,
        s -> s.setObject(1, "1", Types.OTHER),
        s -> s.setObject(1, "x", Types.INTEGER),
        s -> s.setObject(1, "x", Types.JAVA_OBJECT));
  }

  private static PGobject object(String type, String value) throws SQLException {
    PGobject object = new PGobject();
    object.setType(type);
    object.setValue(value);
    return object;
  }

  @Test
  void objectsOfTheDriverAreKeyedByTypeAndText() throws SQLException {
    assertDistinct(
        KIND,
        s -> s.setObject(1, object("json", "1")),
        s -> s.setObject(1, object("jsonb", "1")),
        s -> s.setObject(1, object("int4", "1")),
        s -> s.setObject(1, object("xml", "<a/>")),
        s -> s.setObject(1, object("json", "2")),
        s -> s.setObject(1, object("json", null)));
    assertNeverCached(KIND, s -> s.setObject(1, object("no_such_type", "1")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void typesOfOneNameAreToldApart(boolean array) throws SQLException {
    database.execute(
        "CREATE SCHEMA s1",
        "CREATE SCHEMA s2",
        "CREATE TYPE s1.mood AS ENUM ('a', 'b')",
        "CREATE TYPE s2.mood AS ENUM ('b', 'a')");
    String sql = "SELECT name FROM item WHERE ? < " + (array ? "'{b}'" : "'b'") + " ORDER BY id";
    Binding binding =
        array
            ? s -> s.setArray(1, s.getConnection().createArrayOf("mood", new Object[] {"a"}))
            : s -> s.setObject(1, object("mood", "a"));
    run("SET search_path = s1, public");
    answer(larder, sql, binding);
    run("SET search_path = s2, public");
    answer(larder, sql, binding); // The driver still sends the type of the first schema.
    try (Connection fresh = LarderProbe.connect(database)) {
      for (Connection connection : List.of(fresh, bare)) {
        LarderProbe.run(connection, "SET search_path = s2, public");
      }
      assertThat(answer(fresh, sql, binding)).isEqualTo(answer(bare, sql, binding));
    }
  }

  @Test
  void anExplicitTypeOfAnObjectOfTheDriverIsPartOfTheValue() throws SQLException {
    assertDistinct(
        KIND,
        s -> s.setObject(1, object("json", "[1]")),
        s -> s.setObject(1, object("json", "[1]"), Types.VARCHAR),
        s -> s.setObject(1, object("json", "[1]"), Types.CHAR));
    assertDistinct(
        KIND,
        s -> s.setObject(1, s.getConnection().createArrayOf("int4", new Object[] {1, 2})),
        s ->
            s.setObject(
                1, s.getConnection().createArrayOf("int4", new Object[] {1, 2}), Types.VARCHAR));
  }

  @Test
  void mutableValuesCountAsTheyWereWhenTheyWereSet() throws SQLException {
    byte[] bytes = {1, 2};
    Timestamp moment = Timestamp.valueOf("2024-06-01 10:00:00");
    Date day = Date.valueOf("2024-06-01");
    PGobject object = object("json", "1");
    Integer[] elements = {1, 2};
    String sql =
        "SELECT kind(?::bytea), kind(?::json), kind(?::int[]), hour FROM moment"
            + " WHERE local = ? AND day = ?";
    Array array = larder.createArrayOf("int4", elements);
    try (PreparedStatement statement = larder.prepareStatement(sql);
        PreparedStatement live = bare.prepareStatement(sql)) {
      for (int round = 0; round < ROUNDS; round++) {
        for (PreparedStatement target : List.of(live, statement)) {
          bytes[0] = 1;
          moment.setTime(Timestamp.valueOf("2024-06-01 10:00:00").getTime());
          day.setTime(Date.valueOf("2024-06-01").getTime());
          object.setValue("1");
          elements[0] = 1;
          target.setBytes(1, bytes);
          target.setObject(2, object);
          target.setArray(3, target == live ? bare.createArrayOf("int4", elements) : array);
          target.setTimestamp(4, moment);
          target.setDate(5, day);
          bytes[0] = 9;
          moment.setTime(0);
          day.setTime(0);
          object.setValue("2");
          elements[0] = 9;
          assertThat(LarderProbe.rows(target.executeQuery()))
              .containsExactly("bytea:\\x0102,json:1,integer[]:{1,2},10:00:00");
        }
      }
    }
    assertThat(LarderProbe.hits(larder)).isEqualTo(ROUNDS - 1);
  }

  private static final List<String> ZONES =
      List.of("UTC", "Europe/Moscow", "America/New_York", "Asia/Kathmandu", "UTC");

  private static void inZone(String name) {
    TimeZone.setDefault(TimeZone.getTimeZone(name));
  }

  private void assertZoneIsPartOfTheValue(String sql, Binding binding) throws SQLException {
    for (int round = 0; round < 2; round++) {
      for (String name : ZONES) {
        inZone(name);
        hitsOf(sql, binding);
      }
    }
    assertThat(LarderProbe.hits(larder)).as(sql).isGreaterThanOrEqualTo(ZONES.size() * 2L);
  }

  private static final long NOON = 1_717_243_200_000L; // 2024-06-01 12:00 UTC

  @Test
  void theDefaultZoneIsPartOfTheValuesOfJavaSql() throws SQLException {
    assertZoneIsPartOfTheValue(
        "SELECT count(*) FROM moment WHERE local = ?", s -> s.setTimestamp(1, new Timestamp(NOON)));
    assertZoneIsPartOfTheValue(
        "SELECT count(*) FROM moment WHERE zoned = ?", s -> s.setTimestamp(1, new Timestamp(NOON)));
    assertZoneIsPartOfTheValue(
        "SELECT count(*) FROM moment WHERE day = ?",
        s -> s.setDate(1, new Date(NOON + 7 * 3_600_000)));
    assertZoneIsPartOfTheValue(
        "SELECT count(*) FROM moment WHERE hour = ?", s -> s.setTime(1, new Time(NOON)));
    assertZoneIsPartOfTheValue(
        "SELECT count(*) FROM moment WHERE local = ?", s -> s.setObject(1, new Timestamp(NOON)));
  }

  @Test
  void theDefaultZoneIsPartOfATextThatTheDriverParses() throws SQLException {
    assertZoneIsPartOfTheValue(
        "SELECT count(*) FROM moment WHERE local = ?",
        s -> s.setObject(1, "2024-06-01 12:00:00+00", Types.TIMESTAMP));
    assertZoneIsPartOfTheValue(
        "SELECT count(*) FROM moment WHERE local = ?",
        s ->
            s.setObject(
                1, OffsetDateTime.of(2024, 6, 1, 12, 0, 1, 0, ZoneOffset.UTC), Types.TIMESTAMP));
    assertZoneIsPartOfTheValue(
        "SELECT count(*) FROM moment WHERE hour = ?",
        s -> s.setObject(1, "12:00:00+00", Types.TIME));
  }

  @Test
  void theZoneIsThatOfTheSetterAndNotOfTheExecution() throws SQLException {
    String sql = "SELECT count(*) FROM moment WHERE local = ?";
    for (int round = 0; round < 2; round++) {
      for (String name : ZONES) {
        try (PreparedStatement statement = larder.prepareStatement(sql);
            PreparedStatement live = bare.prepareStatement(sql)) {
          inZone(name);
          statement.setTimestamp(1, new Timestamp(NOON));
          live.setTimestamp(1, new Timestamp(NOON));
          inZone("Australia/Sydney");
          assertThat(LarderProbe.rows(statement.executeQuery()))
              .isEqualTo(LarderProbe.rows(live.executeQuery()));
        }
      }
    }
    assertThat(LarderProbe.hits(larder)).isEqualTo(ZONES.size() * 2L - ZONES.size() + 1);
  }

  private static Calendar in(String zone) {
    return Calendar.getInstance(TimeZone.getTimeZone(zone));
  }

  @Test
  void theZoneOfACalendarIsPartOfTheValue() throws SQLException {
    Calendar changed = in("UTC");
    assertDistinct(
        "SELECT count(*) FROM moment WHERE local = ?",
        s -> s.setTimestamp(1, new Timestamp(NOON), in("UTC")),
        s -> s.setTimestamp(1, new Timestamp(NOON), in("Europe/Moscow")),
        s -> {
          changed.setTimeZone(TimeZone.getTimeZone("America/New_York"));
          s.setTimestamp(1, new Timestamp(NOON), changed);
          changed.setTimeZone(TimeZone.getTimeZone("Asia/Tokyo"));
        });
    assertDistinct(
        "SELECT count(*) FROM moment WHERE day = ?",
        s -> s.setDate(1, new Date(NOON), in("UTC")),
        s -> s.setDate(1, new Date(NOON), in("Pacific/Kiritimati")));
    assertDistinct(
        "SELECT count(*) FROM moment WHERE hour = ?",
        s -> s.setTime(1, new Time(NOON), in("UTC")),
        s -> s.setTime(1, new Time(NOON), in("Asia/Kathmandu")));
  }

  @Test
  void valuesOfJavaTimeAreKeyedByClassAndValue() throws SQLException {
    LocalDateTime noon = LocalDateTime.of(2024, 6, 1, 12, 0);
    assertDistinct(
        "SELECT count(*) FROM moment WHERE zoned = ?",
        s -> s.setObject(1, noon),
        s -> s.setObject(1, noon, Types.TIMESTAMP),
        s -> s.setObject(1, noon.atOffset(ZoneOffset.UTC)),
        s -> s.setObject(1, noon.atOffset(ZoneOffset.ofHours(2))),
        s -> s.setObject(1, noon.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE),
        s -> s.setObject(1, noon.toLocalDate()));
    assertDistinct(
        KIND,
        s -> s.setObject(1, LocalDate.of(2024, 6, 1)),
        s -> s.setObject(1, LocalTime.NOON),
        s -> s.setObject(1, LocalTime.MAX),
        s -> s.setObject(1, OffsetTime.of(LocalTime.NOON, ZoneOffset.UTC)),
        s -> s.setObject(1, OffsetTime.of(LocalTime.NOON, ZoneOffset.ofHours(1))),
        s -> s.setObject(1, LocalDate.MAX),
        s -> s.setObject(1, LocalDateTime.MIN));
    assertNeverCached(KIND, s -> s.setObject(1, noon.atZone(ZoneOffset.UTC)));
  }

  /** They may say something else each time that they are asked. */
  @Test
  void subclassesAreNotKeyed() throws SQLException {
    assertNeverCached(
        KIND,
        s -> s.setBigDecimal(1, new BigDecimal("1.5") {}),
        s -> s.setObject(1, new BigDecimal("1.5") {}),
        s -> s.setObject(1, new BigDecimal("1.5") {}, Types.NUMERIC, 1));
    assertNeverCached(
        "SELECT count(*) FROM moment WHERE day = ?",
        s -> s.setDate(1, new Date(NOON) {}),
        s -> s.setObject(1, new Date(NOON) {}));
    assertNeverCached(
        "SELECT count(*) FROM moment WHERE hour = ?",
        s -> s.setTime(1, new Time(NOON) {}),
        s -> s.setObject(1, new Time(NOON) {}));
    assertNeverCached(
        "SELECT count(*) FROM moment WHERE local = ?",
        s -> s.setTimestamp(1, new PGTimestamp(NOON)),
        s -> s.setTimestamp(1, new PGTimestamp(NOON, in("Asia/Tokyo"))),
        s -> s.setObject(1, new java.util.Date(NOON), Types.TIMESTAMP));
  }

  @Test
  void arraysAreKeyedByTypeAndElements() throws SQLException {
    assertDistinct(
        KIND,
        s -> s.setArray(1, s.getConnection().createArrayOf("int4", new Object[] {1, 2})),
        s -> s.setArray(1, s.getConnection().createArrayOf("int8", new Object[] {1L, 2L})),
        s -> s.setArray(1, s.getConnection().createArrayOf("text", new Object[] {"1", "2"})),
        s -> s.setArray(1, s.getConnection().createArrayOf("text", new Object[] {"1,2"})),
        s -> s.setArray(1, s.getConnection().createArrayOf("text", new Object[] {null})),
        s -> s.setArray(1, s.getConnection().createArrayOf("text", new Object[] {"NULL"})),
        s -> s.setArray(1, s.getConnection().createArrayOf("text", new Object[] {})),
        s -> s.setObject(1, s.getConnection().createArrayOf("int4", new Object[] {2, 1})));
    assertNeverCached(KIND, s -> s.setObject(1, new int[] {1, 2}));
  }

  /** The server tells arrays apart that read the same: their subscripts may begin elsewhere. */
  @Test
  void arraysThatReadTheSameAreKeyedByWhatIsSent() throws SQLException {
    String[] arrays = {"'{1,2}'::int[]", "'[2:3]={1,2}'::int[]"};
    for (int round = 0; round < ROUNDS; round++) {
      for (String literal : arrays) {
        List<String> answers = new ArrayList<>();
        for (Connection connection : List.of(bare, larder)) {
          try (Statement statement = connection.createStatement();
              PreparedStatement echo = connection.prepareStatement(KIND)) {
            statement
                .unwrap(org.postgresql.PGStatement.class)
                .setPrepareThreshold(-1); // Binary from the first execution on.
            ResultSet row = statement.executeQuery("SELECT " + literal);
            row.next();
            answers.add(answer(echo, s -> s.setArray(1, row.getArray(1))));
          }
        }
        assertThat(answers.get(1)).isEqualTo(answers.get(0));
      }
    }
    assertThat(LarderProbe.hits(larder)).isEqualTo((ROUNDS - 1) * 2L);
  }

  @Test
  void identifiersAndBytesAreKeyedByValue() throws SQLException {
    UUID one = new UUID(1, 2);
    UUID two = new UUID(1, 3);
    assertDistinct(
        KIND,
        s -> s.setObject(1, one),
        s -> s.setObject(1, two),
        s -> s.setObject(1, one, Types.OTHER),
        s -> s.setString(1, one.toString()),
        s -> s.setBytes(1, new byte[] {1, 2}),
        s -> s.setBytes(1, new byte[] {1, 3}),
        s -> s.setBytes(1, new byte[0]),
        s -> s.setString(1, "\\x0102"));
    assertThat(
            hitsOf(KIND, s -> s.setBytes(1, new byte[] {5}), s -> s.setObject(1, new byte[] {5})))
        .isEqualTo(2 * ROUNDS - 1);
  }

  @Test
  void whatMayChangeUnseenIsNotKeyed() throws SQLException {
    assertNeverCached(
        KIND,
        s -> s.setObject(1, new PGInterval("1 day")),
        s -> s.setObject(1, new PGInterval("2 days")),
        s -> s.setObject(1, new PGpoint(1, 2)),
        s -> s.setObject(1, Map.of("a", "1")),
        s -> s.setObject(1, Map.of("a", "2")),
        s -> s.setObject(1, Map.of("a", "1"), Types.OTHER));
  }

  @Test
  void settersThatTheDriverRefusesAreRefused() throws SQLException {
    assertNeverCached(
        KIND,
        s -> s.setObject(1, new Object()),
        s -> s.setInt(0, 1),
        s -> s.setInt(2, 1),
        s -> s.setString(-1, "1"));
  }

  @Test
  void aMissingParameterIsTheDriversError() throws SQLException {
    String sql = "SELECT id FROM item WHERE id = ? OR id = ?";
    assertNeverCached(sql, s -> {}, s -> s.setInt(1, 1), s -> s.setInt(2, 1));
    Binding cleared =
        s -> {
          s.setInt(1, 1);
          s.setInt(2, 2);
          LarderProbe.rows(s.executeQuery());
          s.clearParameters();
          s.setInt(1, 1);
        };
    for (int round = 0; round < ROUNDS; round++) {
      assertThat(answer(larder, sql, cleared)).isEqualTo(answer(bare, sql, cleared));
    }
    assertThat(LarderProbe.hits(larder)).isEqualTo(ROUNDS - 1);
  }

  @Test
  void stringtypeIsPartOfTheKey() throws SQLException {
    String sql = "SELECT count(*) FROM item WHERE id = ?";
    try (Connection loose = LarderProbe.connect(database, "stringtype=unspecified");
        Connection live =
            java.sql.DriverManager.getConnection(database.url() + "&stringtype=unspecified")) {
      for (int round = 0; round < ROUNDS; round++) {
        assertThat(answer(loose, sql, s -> s.setString(1, "1")))
            .isEqualTo(answer(live, sql, s -> s.setString(1, "1")))
            .isEqualTo("[1]");
        assertThat(answer(larder, sql, s -> s.setString(1, "1")))
            .isEqualTo(answer(bare, sql, s -> s.setString(1, "1")))
            .startsWith("42883");
      }
      assertThat(LarderProbe.hits(loose)).isEqualTo(ROUNDS - 1);
    }
  }

  @Test
  void driverOptionsOfTheProtocolAreKeptApart() throws SQLException {
    String[] options = {
      "prepareThreshold=1",
      "prepareThreshold=0",
      "binaryTransfer=false",
      "binaryTransferDisable=numeric,float8",
      "preferQueryMode=simple",
      "preferQueryMode=extendedForPrepared"
    };
    String sql = "SELECT kind(?), 10000000000::float8, 1.50::numeric, count(*) FROM item";
    for (int round = 0; round < ROUNDS; round++) {
      for (String option : options) {
        try (Connection cached = LarderProbe.connect(database, option);
            Connection live = java.sql.DriverManager.getConnection(database.url() + '&' + option)) {
          long before = LarderProbe.hits(cached);
          Binding binding = s -> s.setLong(1, 5);
          assertThat(answer(cached, sql, binding)).as(option).isEqualTo(answer(live, sql, binding));
          answer(cached, sql, binding);
          answer(cached, sql, binding); // The second may have been the first in binary.
          assertThat(LarderProbe.hits(cached)).as(option).isGreaterThan(before);
        }
      }
    }
  }

  @Test
  void largeValuesCountForTheMemoryThatTheyTake() throws SQLException {
    String text = "x".repeat(100_000);
    Binding[] large = {
      s -> s.setString(1, text),
      s -> s.setBytes(1, new byte[100_000]),
      s -> s.setObject(1, object("json", '"' + text + '"')),
      s -> s.setObject(1, text, Types.CHAR),
      s -> s.setArray(1, s.getConnection().createArrayOf("varchar", new Object[] {text})),
    };
    String sql = "SELECT length(kind(?)), count(*) FROM item";
    for (Binding binding : large) {
      run("RESET larder.cache");
      long before = LarderProbe.count(larder, "size_bytes");
      assertThat(hitsOf(sql, binding)).isEqualTo(ROUNDS - 1);
      assertThat(LarderProbe.count(larder, "size_bytes") - before).isBetween(100_000L, 400_000L);
    }
  }

  private void run(String sql) throws SQLException {
    LarderProbe.run(larder, sql);
  }
}
