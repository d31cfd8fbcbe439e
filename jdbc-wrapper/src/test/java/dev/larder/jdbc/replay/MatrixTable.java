package dev.larder.jdbc.replay;

import dev.larder.jdbc.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The table {@code matrix}: a column for every family of built-in types, with a row of ordinary
 * values, a row of extreme ones and a row of nulls.
 */
public final class MatrixTable {
  /** Selects every column, and expressions that belong to no table. */
  public static final String QUERY =
      "SELECT tableoid, *, c_int4 + 1 AS plus, 'literal' AS literal, NULL AS nothing, count(*) OVER ()"
          + " AS \"Mixed Case\", c_tstz AT TIME ZONE 'Asia/Tokyo' AS tokyo, row(1, c_text) AS pair"
          + " FROM matrix ORDER BY id";

  /** Column, type, ordinary value, extreme value. */
  private static final String[][] COLUMNS = {
    {"c_bool", "boolean", "true", "false"},
    {"c_int2", "smallint", "7", "-32768"},
    {"c_int4", "integer", "1", "-2147483648 + 1"},
    {"c_int8", "bigint", "9000000000", "-9223372036854775808"},
    {"c_float4", "real", "1.5", "'NaN'"},
    {"c_float8", "double precision", "1e10", "'-Infinity'"},
    {"c_numeric", "numeric", "1234567890123456789.0001", "'NaN'"},
    {"c_infinite", "numeric", "0", "'Infinity'"},
    {"c_numeric_10_2", "numeric(10, 2)", "42.50", "-0.01"},
    {"c_money", "money", "1234.56", "-0.99"},
    {"c_text", "text", "'Größe \u20ac \ud83d\ude00'", "''"},
    {"c_digits", "text", "' 12 '", "'1e400'"},
    {"c_yes", "text", "'yes'", "'off'"},
    {"c_varchar", "varchar(20)", "'larder'", "'2024-02-29'"},
    {"c_char", "char(10)", "'abc'", "''"},
    {"c_name", "name", "'a_name'", "'Q'"},
    {"c_internal", "\"char\"", "'x'", "''"},
    {"c_bytea", "bytea", "'\\x00ff10'", "''"},
    {"c_date", "date", "'2024-02-29'", "'0044-03-15 BC'"},
    {"c_date2", "date", "'infinity'", "'-infinity'"},
    {"c_time", "time", "'12:34:56.789'", "'24:00'"},
    {"c_time3", "time(3)", "'12:34:56.789'", "'00:00'"},
    {"c_timetz", "timetz", "'12:34:56+05:30'", "'00:00-12'"},
    {"c_ts", "timestamp", "'2024-03-31 02:30:00.123456'", "'0044-03-15 12:00 BC'"},
    {"c_ts3", "timestamp(3)", "'1969-12-31 23:59:59.999'", "'infinity'"},
    {"c_tstz", "timestamptz", "'2024-03-31 02:30:00.5+00'", "'0044-03-15 12:00+00 BC'"},
    {"c_tstz2", "timestamptz", "'1883-11-18 12:03:58+00'", "'-infinity'"},
    {"c_interval", "interval", "'1 year 2 mons 3 days 04:05:06.7'", "'-178000000 years'"},
    {
      "c_uuid",
      "uuid",
      "'123e4567-e89b-12d3-a456-426614174000'",
      "'00000000-0000-0000-0000-000000000000'"
    },
    {"c_json", "json", "'{\"a\":  1}'", "'null'"},
    {"c_jsonb", "jsonb", "'{\"a\":  [1, 2]}'", "'\"\"'"},
    {"c_xml", "xml", "'<a>1</a>'", "'<b/>'"},
    {"c_hstore", "hstore", "'a=>1, b=>NULL'", "''"},
    {"c_citext", "citext", "'Mixed Case'", "''"},
    {"c_inet", "inet", "'192.168.0.1/24'", "'::1'"},
    {"c_cidr", "cidr", "'10.0.0.0/8'", "'2001:db8::/32'"},
    {"c_macaddr", "macaddr", "'08:00:2b:01:02:03'", "'ff:ff:ff:ff:ff:ff'"},
    {"c_macaddr8", "macaddr8", "'08:00:2b:01:02:03:04:05'", "'00:00:00:00:00:00:00:00'"},
    {"c_bit", "bit(8)", "B'10101010'", "B'00000000'"},
    {"c_bit1", "bit(1)", "B'1'", "B'0'"},
    {"c_varbit", "bit varying(12)", "B'101'", "B''"},
    {"c_point", "point", "'(1,2.5)'", "'(Infinity,NaN)'"},
    {"c_line", "line", "'{1,2,3}'", "'{0,1,0}'"},
    {"c_lseg", "lseg", "'[(0,0),(1,1)]'", "'[(0,0),(0,0)]'"},
    {"c_box", "box", "'(1,1),(0,0)'", "'(0,0),(0,0)'"},
    {"c_path", "path", "'[(0,0),(1,1),(2,0)]'", "'((0,0))'"},
    {"c_polygon", "polygon", "'((0,0),(1,1),(2,0))'", "'((0,0))'"},
    {"c_circle", "circle", "'<(1,1),2>'", "'<(0,0),0>'"},
    {"c_tsvector", "tsvector", "'a:1 fat:2 cat:3'", "''"},
    {"c_tsquery", "tsquery", "'fat & cat'", "''"},
    {"c_int4range", "int4range", "'[1,10)'", "'empty'"},
    {"c_int8range", "int8range", "'[1,10)'", "'(,)'"},
    {"c_numrange", "numrange", "'[1.5,2.5]'", "'(,5)'"},
    {"c_tsrange", "tsrange", "'[2024-01-01,2024-02-01)'", "'empty'"},
    {"c_tstzrange", "tstzrange", "'[2024-01-01 00:00+00,2024-02-01 00:00+00)'", "'(,)'"},
    {"c_daterange", "daterange", "'[2024-01-01,2024-02-01)'", "'(,infinity)'"},
    {"c_int4multirange", "int4multirange", "'{[1,3),[5,7)}'", "'{}'"},
    {"c_tstzmultirange", "tstzmultirange", "'{[2024-01-01 00:00+00,2024-02-01 00:00+00)}'", "'{}'"},
    {"c_mood", "mood", "'happy'", "'so so'"},
    {"c_domain", "positive", "5", "1"},
    {"c_text_domain", "label", "'domain'", "''"},
    {"c_composite", "pair", "row(1, 'x y')", "row(NULL, NULL)"},
    {"c_lsn", "pg_lsn", "'16/B374D848'", "'0/0'"},
    {"c_regclass", "regclass", "'matrix'", "'pg_class'"},
    {"c_jsonpath", "jsonpath", "'$.a'", "'$'"},
    {"c_snapshot", "pg_snapshot", "'10:20:10,14'", "'1:1:'"},
    {"a_bool", "boolean[]", "'{t,f,NULL}'", "'{}'"},
    {"a_int2", "smallint[]", "'{1,2}'", "'{}'"},
    {"a_int4", "integer[]", "'{1,NULL,3}'", "'[0:1]={7,8}'"},
    {"a_int4_2d", "integer[][]", "'{{1,2},{3,4}}'", "'{{NULL}}'"},
    {"a_int8", "bigint[]", "'{9000000000}'", "'{}'"},
    {"a_float4", "real[]", "'{1.5,NaN}'", "'{}'"},
    {"a_float8", "double precision[]", "'{1e10,-Infinity}'", "'{NULL}'"},
    {"a_numeric", "numeric[]", "'{1.10,2}'", "'{NaN}'"},
    {"a_text", "text[]", "'{a,\"b,c\",\"\",NULL,\"NULL\"}'", "'{{x},{y}}'"},
    {"a_varchar", "varchar(5)[]", "'{ab,cd}'", "'{}'"},
    {"a_char", "char(3)[]", "'{a,b}'", "'{}'"},
    {"a_bytea", "bytea[]", "'{\"\\\\x01ff\",NULL}'", "'{\"\"}'"},
    {"a_date", "date[]", "'{2024-02-29,infinity}'", "'{}'"},
    {"a_time", "time[]", "'{12:34:56}'", "'{}'"},
    {"a_ts", "timestamp[]", "'{\"2024-01-01 00:00\"}'", "'{-infinity}'"},
    {"a_tstz", "timestamptz[]", "'{\"2024-01-01 00:00+00\"}'", "'{}'"},
    {"a_uuid", "uuid[]", "'{123e4567-e89b-12d3-a456-426614174000}'", "'{NULL}'"},
    {"a_json", "json[]", "'{\"{\\\"a\\\": 1}\"}'", "'{}'"},
    {"a_point", "point[]", "'{\"(1,2)\"}'", "'{}'"},
    {"a_box", "box[]", "'{(1,1),(0,0);(2,2),(1,1)}'", "'{}'"},
    {"a_inet", "inet[]", "'{10.0.0.1}'", "'{}'"},
    {"a_mood", "mood[]", "'{happy}'", "'{}'"},
    {"a_domain", "positive[]", "'{1,2}'", "'{}'"},
    {"a_composite", "pair[]", "ARRAY[row(1, 'x')::pair]", "'{}'"},
    {"a_range", "int4range[]", "'{\"[1,2)\"}'", "'{}'"},
    {"v_int2", "int2vector", "'1 2 3'", "''"},
  };

  private MatrixTable() {}

  /** Creates the types and the table, and fills it. */
  public static void create(TestDatabase database) throws SQLException {
    database.execute(
        "CREATE EXTENSION IF NOT EXISTS hstore", "CREATE EXTENSION IF NOT EXISTS citext");
    database.execute(
        "SET client_encoding = 'UTF8'",
        "CREATE TYPE mood AS ENUM ('sad', 'so so', 'happy')",
        "CREATE TYPE pair AS (number integer, text text)",
        "CREATE DOMAIN positive AS integer CHECK (value > 0)",
        "CREATE DOMAIN label AS varchar(30)",
        "CREATE TABLE matrix (id serial PRIMARY KEY, big bigserial NOT NULL,"
            + " ident integer GENERATED ALWAYS AS IDENTITY)");
    List<String> names = new ArrayList<>();
    List<String> ordinary = new ArrayList<>();
    List<String> extreme = new ArrayList<>();
    for (String[] column : COLUMNS) {
      database.execute("ALTER TABLE matrix ADD " + column[0] + " " + column[1]);
      names.add(column[0]);
      ordinary.add(column[2]);
      extreme.add(column[3]);
    }
    String insert = "INSERT INTO matrix (" + String.join(", ", names) + ") VALUES ";
    database.execute(
        insert + "(" + String.join(", ", ordinary) + ")",
        insert + "(" + String.join(", ", extreme) + ")",
        "INSERT INTO matrix DEFAULT VALUES");
  }

  /** Returns how many columns {@link #QUERY} has. */
  public static int queryColumns() {
    return COLUMNS.length + 10;
  }
}
