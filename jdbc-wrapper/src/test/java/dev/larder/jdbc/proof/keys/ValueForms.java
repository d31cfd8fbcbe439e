package dev.larder.jdbc.proof.keys;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGobject;

/** The ways in which a value can be written or bound, over values that are easily misread. */
final class ValueForms {
  /** The types of columns; of the last ones rows are never told apart. */
  static final List<String> COLUMNS =
      List.of(
          "smallint",
          "integer",
          "bigint",
          "uuid",
          "boolean",
          "text",
          "varchar",
          "varchar(3)",
          "text COLLATE \"C\"",
          "varchar(2) COLLATE \"C\"",
          "text COLLATE turkish",
          "text COLLATE nocase",
          "varchar COLLATE noaccent",
          "char(3)",
          "char(3) COLLATE nocase",
          "\"char\"",
          "name",
          "small",
          "word",
          "mood",
          "oid",
          "numeric",
          "numeric(5,1)",
          "real",
          "double precision",
          "money",
          "date",
          "time",
          "timetz",
          "timestamp",
          "timestamptz",
          "timestamptz(0)",
          "interval",
          "bytea",
          "bit(3)",
          "varbit",
          "inet",
          "jsonb",
          "integer[]",
          "text[]",
          "int4range",
          "tsvector");

  private static final List<String> UNDERSTOOD_CASTS =
      List.of("bigint", "text", "int", "uuid", "smallint", "boolean", "varchar");

  /** What the columns need. */
  static final List<String> TYPES =
      List.of(
          "CREATE TYPE mood AS ENUM ('low', 'high', 'a')",
          "CREATE DOMAIN small AS int",
          "CREATE DOMAIN word AS text",
          "CREATE COLLATION turkish (provider = icu, locale = 'tr')",
          "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2',"
              + " deterministic = false)",
          "CREATE COLLATION noaccent (provider = icu, locale = 'und-u-ks-level1',"
              + " deterministic = false)");

  private static final String UID = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "00",
          "1",
          "01",
          "007",
          "7",
          "+7",
          "-7",
          "- 7",
          "-0",
          "-(7)",
          "(7)",
          "((7))",
          "+(7)",
          "- -7",
          "7.0",
          "7.",
          "7e0",
          "70e-1",
          "0.7e1",
          "0x7",
          "0b111",
          "0o7",
          "1000",
          "1_000",
          "6.5",
          "7.5",
          "0.5",
          "1.5",
          "32767",
          "32768",
          "-32768",
          "-32769",
          "2147483647",
          "2147483648",
          "-2147483648",
          "-2147483649",
          "4294967303",
          "9223372036854775807",
          "-9223372036854775808",
          "9223372036854775808",
          "18446744073709551623",
          "99999999999999999999",
          "1e400",
          "true",
          "false",
          "TRUE",
          "(false)",
          "NULL");

  private static final List<String> TEXTS =
      List.of(
          "7",
          " 7",
          "7 ",
          "\t7",
          "+7",
          "-7",
          "007",
          "-0",
          "0",
          "1",
          "-1",
          "0x7",
          "7.0",
          "7e0",
          "1_0",
          "10",
          "32768",
          "65543",
          "4294967303",
          "9223372036854775807",
          "9223372036854775808",
          "NaN",
          "Infinity",
          "$7.00",
          "t",
          "true",
          "TRUE",
          " tr",
          "yes",
          "on",
          "y",
          "f",
          "off",
          "no",
          "n",
          "false",
          UID,
          "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
          "{" + UID + "}",
          "a0eebc999c0b4ef8bb6d6bb9bd380a11",
          "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11",
          " " + UID,
          "",
          " ",
          "  ",
          "a",
          "A",
          "a ",
          "a  ",
          " a",
          "ab",
          "aB",
          "abc",
          "abc ",
          "abcd",
          "i",
          "I",
          "\u0131",
          "\u0130",
          "ss",
          "\u00df",
          "SS",
          "\u00e9",
          "e\u0301",
          "e",
          "\u00c9",
          "\ud83d\ude00",
          "\udbff\udfff",
          "\ufeffa",
          "a\u0000".substring(0, 1) + "\u200b",
          "\u212b",
          "\u00c5",
          "a\n",
          "\\",
          "\\\\",
          "a\\",
          "\\x61",
          "\\141",
          "a''b",
          "''",
          "NULL",
          "null",
          "low",
          "high",
          "Low",
          "2024-01-01",
          "20240101",
          "Jan 1 2024",
          "2024-01-01 00:00",
          "2024-01-01 00:00:00+00",
          "2024-01-01 02:00+02",
          "2023-12-31 19:00 America/New_York",
          "2024-01-01T00:00:00Z",
          "2024-01-01 00:00:00.4",
          "infinity",
          "epoch",
          "12:00",
          "12:00:00+00",
          "14:00+02",
          "24:00",
          "1 day",
          "24 hours",
          "1 mon",
          "30 days",
          "P1D",
          "101",
          "110",
          "127.0.0.1",
          "127.0.0.1/32",
          "{\"a\":1}",
          "{\"a\": 1.0}",
          "[7]",
          "{7}",
          "{ 7 }",
          "[0:0]={7}",
          "{a}",
          "{\"a\"}",
          "[1,2)",
          "[1,1]",
          "b a",
          "a b");

  private static final List<String> FEW_TEXTS =
      List.of(
          "7",
          " 7",
          "007",
          "1",
          "t",
          UID,
          "{" + UID + "}",
          "a",
          "A",
          "a ",
          "abcd",
          "low",
          "2024-01-01",
          "2024-01-01 02:00+02",
          "101",
          "12:00",
          "1 day");

  private static final List<String> CASTS =
      List.of(
          "smallint",
          "integer",
          "bigint",
          "numeric",
          "real",
          "double precision",
          "text",
          "varchar",
          "varchar(2)",
          "char(3)",
          "name",
          "uuid",
          "boolean",
          "date",
          "timestamp",
          "timestamptz",
          "time",
          "timetz",
          "interval",
          "bytea",
          "oid",
          "mood",
          "small",
          "word",
          "money",
          "bit(3)");

  /** Sets the only parameter. */
  @FunctionalInterface
  interface Binding {
    void set(PreparedStatement statement) throws SQLException;
  }

  /**
   * A form of a value.
   *
   * @param kind its type, as it is written or bound
   * @param constant what stands for it in a statement
   * @param condition that compares it with the column {@code v}
   * @param assigns whether it can be assigned
   * @param binding of its parameter, or null where it has none
   */
  record Form(
      String kind, String constant, String condition, boolean assigns, @Nullable Binding binding) {
    @Override
    public String toString() {
      return kind + " in " + condition;
    }
  }

  private final List<Form> forms = new ArrayList<>();

  private ValueForms() {}

  /** Returns all of them. */
  static List<Form> all() {
    ValueForms all = new ValueForms();
    all.literals();
    all.casts();
    all.conditions();
    all.numbers();
    all.texts();
    all.others();
    all.nulls();
    all.arrays();
    all.boundCasts();
    return all.forms;
  }

  /** Each way to bind a value, cast to some of the types that a cast is understood to. */
  private void boundCasts() {
    int way = 0;
    for (Form form : List.copyOf(forms)) {
      if (form.binding() != null && form.condition().equals("v = ?")) {
        for (int i = 0; i < 2; i++) {
          String type = UNDERSTOOD_CASTS.get(way++ % UNDERSTOOD_CASTS.size());
          String cast = way % 3 == 0 ? "(CAST(? AS " + type + "))" : "?::" + type;
          forms.add(new Form("cast " + form.kind(), cast, "v = " + cast, true, form.binding()));
        }
      } else if (form.binding() != null && form.condition().equals("v = ANY (?)")) {
        for (String type : UNDERSTOOD_CASTS) {
          String condition = "v = ANY (?::" + type + "[])";
          forms.add(new Form("cast " + form.kind(), "", condition, false, form.binding()));
        }
      }
    }
  }

  private void literal(String kind, String constant) {
    forms.add(new Form(kind, constant, "v = " + constant, true, null));
  }

  private void condition(String kind, String condition) {
    forms.add(new Form(kind, "", condition, false, null));
  }

  private void bound(String kind, Binding binding) {
    forms.add(new Form(kind, "?", "v = ?", true, binding));
  }

  private void literals() {
    NUMBERS.forEach(number -> literal("number", number));
    for (String text : TEXTS) {
      String quoted = "'" + text + "'";
      literal("text", quoted);
      literal("E''", "E" + quoted);
      literal("U&''", "U&" + quoted);
      literal("N''", "N" + quoted);
      literal("$$", "$$" + text + "$$");
      literal("text of two lines", quoted + "\n''");
    }
    for (String escaped : List.of("\\x61", "\\u0061", "\\141", "\\u00e9", "\\'", "a\\\\", "\\t7")) {
      literal("E''", "E'" + escaped + "'");
    }
    literal("U&''", "U&'\\0061'");
    literal("U&''", "U&'!0061' UESCAPE '!'");
    literal("B''", "B'101'");
    literal("X''", "X'7'");
    literal("text of two lines", "'a'\n  'b'");
  }

  private void casts() {
    int way = 0;
    for (String type : CASTS) {
      for (String text : FEW_TEXTS) {
        String quoted = "'" + text + "'";
        literal(
            type,
            switch (way++ % 4) {
              case 0 -> quoted + "::" + type;
              case 1 -> "CAST(" + quoted + " AS " + type + ")";
              case 2 -> type + " " + quoted;
              default -> quoted + "::text::" + type;
            });
      }
      literal(type, "7::" + type);
      literal(type, "CAST(7.5 AS " + type + ")");
    }
  }

  /** Conditions that are, or look like, an equality. */
  private void conditions() {
    for (String value :
        List.of("7", "-7", "'7'", "'a'", "'A'", "'a '", "'t'", "true", "'" + UID + "'")) {
      condition("turned", value + " = v");
      condition("brackets", "(v) = (" + value + ")");
      condition("list", "v IN (" + value + ", '007')");
      condition("list", "v IN (" + value + ", 1, 0)");
      condition("list", "v IN ('a', " + value + ", NULL)");
      condition("or", "v = " + value + " OR v = '1'");
      condition("row", "ROW(v) = ROW(" + value + ")");
      condition("not distinct", "v IS NOT DISTINCT FROM " + value);
      condition("between", "v BETWEEN " + value + " AND " + value);
      condition("like", "v LIKE " + value);
      condition("operator", "v OPERATOR(pg_catalog.=) " + value);
      condition("collated", "v = (" + value + " COLLATE nocase)");
      condition("collated", "v = " + value + " COLLATE \"C\"");
      condition("collated", "v COLLATE nocase = " + value);
      condition("column cast", "v::text = " + value);
      condition("column cast", "v::bigint = " + value);
      condition("column cast", "lower(v) = " + value);
      condition("array", "v = ANY (ARRAY[" + value + "])");
      condition("array", "v = ANY ('{7,a,t}')");
      condition("concatenated", "v = " + value + " || ''");
      condition("sum", "v = " + value + " + 0");
      condition("not", "NOT v <> " + value);
      condition("not", "NOT v = " + value);
      condition("not", "v NOT IN (" + value + ")");
    }
    condition("truth", "v");
    condition("truth", "v IS TRUE");
    condition("truth", "NOT v");
    condition("NULL", "v IS NULL");
  }

  private void numbers() {
    for (long value :
        new long[] {0, 1, -1, 7, 65543, 32768, 4294967303L, Long.MAX_VALUE, Long.MIN_VALUE}) {
      bound("setLong", s -> s.setLong(1, value));
      bound("setInt", s -> s.setInt(1, (int) value));
      bound("setShort", s -> s.setShort(1, (short) value));
      bound("setByte", s -> s.setByte(1, (byte) value));
      bound("setDouble", s -> s.setDouble(1, value));
      bound("setFloat", s -> s.setFloat(1, value));
      bound("setBigDecimal", s -> s.setBigDecimal(1, BigDecimal.valueOf(value)));
      bound("setBigDecimal", s -> s.setBigDecimal(1, BigDecimal.valueOf(value).setScale(2)));
      bound("BigInteger", s -> s.setObject(1, BigInteger.valueOf(value)));
      for (int type : NUMERIC_TYPES) {
        bound("Long as " + name(type), s -> s.setObject(1, value, type));
        bound("Integer as " + name(type), s -> s.setObject(1, (int) value, type));
        bound("String as " + name(type), s -> s.setObject(1, String.valueOf(value), type));
        bound(
            "BigDecimal as " + name(type), s -> s.setObject(1, new BigDecimal(value + ".5"), type));
      }
      bound("Integer as INTEGER, scale", s -> s.setObject(1, (int) value, Types.INTEGER, 0));
    }
    bound("setDouble", s -> s.setDouble(1, 7.5));
    bound("setDouble", s -> s.setDouble(1, Double.NaN));
    bound("setBigDecimal", s -> s.setBigDecimal(1, new BigDecimal("7.5")));
    bound("Double as INTEGER", s -> s.setObject(1, 7.9, Types.INTEGER));
    for (boolean value : new boolean[] {true, false}) {
      bound("setBoolean", s -> s.setBoolean(1, value));
      for (int type : NUMERIC_TYPES) {
        bound("Boolean as " + name(type), s -> s.setObject(1, value, type));
      }
    }
  }

  private static final int[] NUMERIC_TYPES = {
    Types.SMALLINT, Types.TINYINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.DOUBLE,
    Types.REAL, Types.BIT, Types.BOOLEAN, Types.VARCHAR, Types.CHAR, Types.OTHER,
  };

  private static String name(int type) {
    return java.sql.JDBCType.valueOf(type).getName();
  }

  private void texts() {
    for (String text : TEXTS) {
      String value = text.replace("''", "'");
      bound("setString", s -> s.setString(1, value));
      for (int type : new int[] {Types.OTHER, Types.CHAR, Types.LONGVARCHAR}) {
        bound("String as " + name(type), s -> s.setObject(1, value, type));
      }
    }
    for (String text : FEW_TEXTS) {
      for (String type :
          List.of(
              "text",
              "varchar",
              "bpchar",
              "name",
              "int2",
              "int4",
              "int8",
              "uuid",
              "bool",
              "date",
              "timestamptz",
              "mood",
              "word",
              "small")) {
        bound("PGobject of " + type, s -> s.setObject(1, object(type, text)));
        bound(
            "PGobject of " + type + " as OTHER",
            s -> s.setObject(1, object(type, text), Types.OTHER));
      }
      for (int type :
          new int[] {Types.BIT, Types.BOOLEAN, Types.DATE, Types.TIMESTAMP, Types.NVARCHAR}) {
        bound("String as " + name(type), s -> s.setObject(1, text, type));
      }
    }
    bound("Character", s -> s.setObject(1, 'a'));
    bound("setString", s -> s.setString(1, "\ud83d"));
    bound("setString", s -> s.setString(1, "a\udc00"));
  }

  private static PGobject object(String type, String value) throws SQLException {
    PGobject object = new PGobject();
    object.setType(type);
    object.setValue(value);
    return object;
  }

  private void others() {
    UUID uuid = UUID.fromString(UID);
    bound("UUID", s -> s.setObject(1, uuid));
    for (int type : new int[] {Types.OTHER, Types.VARCHAR, Types.CHAR}) {
      bound("UUID as " + name(type), s -> s.setObject(1, uuid, type));
    }
    bound("setBytes", s -> s.setBytes(1, new byte[] {'a'}));
    LocalDate day = LocalDate.of(2024, 1, 1);
    bound("LocalDate", s -> s.setObject(1, day));
    bound("LocalTime", s -> s.setObject(1, LocalTime.NOON));
    bound("LocalDateTime", s -> s.setObject(1, day.atStartOfDay()));
    for (int hours : new int[] {0, 2, -5}) {
      OffsetDateTime moment =
          LocalDateTime.of(2024, 1, 1, 0, 0).atOffset(ZoneOffset.ofHours(hours));
      bound("OffsetDateTime", s -> s.setObject(1, moment));
      Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone(ZoneOffset.ofHours(hours)));
      long millis = moment.toInstant().toEpochMilli();
      bound("setTimestamp", s -> s.setTimestamp(1, new Timestamp(millis), calendar));
      bound("setDate", s -> s.setDate(1, new Date(millis), calendar));
      bound("setTime", s -> s.setTime(1, new Time(millis), calendar));
    }
  }

  private void nulls() {
    for (int type :
        new int[] {
          Types.NULL,
          Types.OTHER,
          Types.INTEGER,
          Types.BIGINT,
          Types.VARCHAR,
          Types.CHAR,
          Types.BOOLEAN,
          Types.DATE,
          Types.NUMERIC,
        }) {
      bound("NULL as " + name(type), s -> s.setNull(1, type));
    }
    bound("NULL", s -> s.setObject(1, null));
    bound("NULL", s -> s.setString(1, null));
  }

  private void arrays() {
    for (String type : List.of("int2", "int4", "int8", "numeric", "float8")) {
      array(type, 7, 1, null, 0);
      array(type, -7);
      array(type, 32767, -1);
      array(type);
    }
    for (String type : List.of("text", "varchar", "bpchar", "name")) {
      array(type, "7", "a", "A ", "NULL", null, "", "a\\", "\"", "{a}", ",", "\u0130");
      array(type, "007", "t", UID);
    }
    array("uuid", UUID.fromString(UID), null);
    array("uuid", "{" + UID + "}", UID.replace("-", ""));
    array("bool", true, null);
    array("date", "2024-01-01");
    array("mood", "low", "a");
    array("small", 7);
    array("word", "a", "7");
    forms.add(
        new Form("array as text", "", "v = ANY (?)", false, s -> s.setString(1, "{7,a,t,NULL}")));
    forms.add(
        new Form(
            "array as text", "", "v = ANY (?)", false, s -> s.setObject(1, "{7}", Types.OTHER)));
    forms.add(
        new Form(
            "all of an array",
            "",
            "v = ALL (?)",
            false,
            s -> s.setArray(1, s.getConnection().createArrayOf("int4", new Object[] {7}))));
  }

  private void array(String type, @Nullable Object... elements) {
    forms.add(
        new Form(
            "array of " + type,
            "",
            "v = ANY (?)",
            false,
            s -> s.setArray(1, s.getConnection().createArrayOf(type, elements))));
  }
}
