package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables that few have: their results are cached, and each write of them is noticed. */
@Tag("each-server")
final class OddTablesTest {
  private static final int MOST_COLUMNS = 1_600;
  private static final int INDEXES = 30;

  private static TestDatabase database;
  private static Connection connection;
  private static Connection bare;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    bare = database.connect();
    run(
        bare,
        "CREATE TYPE mood AS ENUM ('low', 'high')",
        "CREATE DOMAIN code AS int CHECK (VALUE > 0)",
        "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "CREATE TABLE keyless (a int, b text)",
        "CREATE TABLE tree (id int, region int, name text, PRIMARY KEY (region, id))"
            + " PARTITION BY LIST (region)",
        "CREATE TABLE tree_1 PARTITION OF tree FOR VALUES IN (1)",
        "CREATE TABLE tree_2 PARTITION OF tree FOR VALUES IN (2) PARTITION BY RANGE (id)",
        "CREATE TABLE tree_2_low PARTITION OF tree_2 FOR VALUES FROM (0) TO (100)",
        "CREATE TABLE \"Order\" (\"Id\" int PRIMARY KEY, \"user\"\"s\" text, id int)",
        "CREATE TABLE \"order\" (\"Id\" int PRIMARY KEY, \"user\"\"s\" text, id int)",
        "CREATE TABLE wide (id int PRIMARY KEY, "
            + all(MOST_COLUMNS - 1, i -> "c" + i + " int")
            + ")",
        "CREATE TABLE indexed (id int PRIMARY KEY, " + all(INDEXES, i -> "c" + i + " int") + ")");
    for (int i = 0; i < INDEXES; i++) {
      run(bare, "CREATE INDEX ON indexed (c" + i + ")");
    }
    connection = LarderProbe.connect(database);
  }

  private static String all(int count, java.util.function.IntFunction<String> each) {
    return IntStream.range(0, count).mapToObj(each).collect(Collectors.joining(", "));
  }

  @AfterAll
  static void drop() throws SQLException {
    connection.close();
    bare.close();
    database.close();
  }

  private static void assertNoticed(String read, String write) throws SQLException {
    fill(connection, read);
    String before = rows(bare, read).toString();
    run(connection, write);
    String after = rows(bare, read).toString();
    assertThat(after).as(write).isNotEqualTo(before);
    assertThat(rows(connection, read).toString()).as(read + ", after " + write).isEqualTo(after);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "keyless; a, b; 1, 'x'; b = 'y'; a = 1",
        "tree; id, region, name; 1, 1, 'x'; name = 'y'; id = 1",
        "tree; region, id, name; 2, 5, 'x'; name = 'y'; region = 2 AND id = 5",
        "tree_2_low; region, id, name; 2, 6, 'x'; name = 'y'; region = 2 AND id = 6",
        "\"Order\"; \"Id\", \"user\"\"s\"; 1, 'x'; \"user\"\"s\" = 'y'; \"Id\" = 1",
        "\"order\"; \"Id\", \"user\"\"s\", id; 7, 'x', 1; \"user\"\"s\" = 'y'; id = 1 AND \"Id\" = 7",
        "wide; id, c0, c1598; 1, 2, 3; c1598 = 4; id = 1",
        "indexed; id, c0, c29; 1, 2, 3; c29 = 4; c29 = 3",
        "indexed; id, c0, c3; 2, 2, 3; c0 = 4; c3 = 3",
      })
  void eachWriteOfARowIsNoticed(
      String table, String columns, String values, String set, String where) throws SQLException {
    String read = "SELECT " + columns + " FROM " + table + " WHERE " + where;
    assertNoticed(read, "INSERT INTO " + table + " (" + columns + ") VALUES (" + values + ")");
    assertNoticed(read, "UPDATE " + table + " SET " + set + " WHERE " + where);
    fill(connection, "SELECT count(*) FROM " + table);
    assertNoticed("SELECT count(*) FROM " + table, "DELETE FROM " + table);
  }

  /** Types whose values Larder does not tell apart, beside those that it does. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "numeric; 1; 1.0",
        "numeric(4, 1); 1.0; 1",
        "real; 1; 1.0",
        "float8; '-0'; 0",
        "date; '2024-01-02'; '20240102'",
        "timestamp; '2024-01-02'; '2024-01-02 00:00'",
        "timestamptz; '2024-01-02 00:00+00'; '2024-01-02 02:00+02'",
        "time; '01:00'; '1:00'",
        "interval; '1 day'; '24 hours'",
        "char(3); 'a'; 'a  '",
        "varchar(3); 'a'; 'a'",
        "name; 'a'; 'a'",
        "bytea; '\\x61'; 'a'",
        "mood; 'low'; 'low'",
        "code; 1; '1'",
        "inet; '10.0.0.1'; '10.0.0.1/32'",
        "bit(2); B'10'; '10'",
        "int[]; '{1}'; ARRAY[1]",
        "jsonb; '{\"a\": 1}'; '{\"a\":1}'",
        "int4range; '[1,2]'; '[1,3)'",
        "oid; 1; '1'",
        "\"char\"; 'a'; 'a'",
        "text COLLATE nocase; 'a'; 'A'",
      })
  void eachTypeMayBeAKey(String type, String value, String equal) throws SQLException {
    run(connection, "CREATE TABLE typed (id " + type + " PRIMARY KEY, v int)");
    try {
      LarderProbe.awaitCatalog(connection);
      String read = "SELECT v FROM typed WHERE id = " + equal;
      assertNoticed(read, "INSERT INTO typed VALUES (" + value + ", 1)");
      assertNoticed(read, "UPDATE typed SET v = 2 WHERE id = " + value);
      assertNoticed(read, "DELETE FROM typed WHERE id = " + value);
    } finally {
      run(connection, "DROP TABLE typed");
    }
  }

  @Test
  void ofManyIndexesAFewTellRowsApart() throws SQLException {
    fill(connection, "SELECT id FROM indexed WHERE id = 1");
    try (Statement statement = connection.createStatement();
        ResultSet tables = statement.executeQuery("SHOW larder.tables")) {
      while (tables.next()) {
        if (tables.getString("table_name").equals("public.indexed")) {
          assertThat(tables.getString("schemes")).isEqualTo("id, c0, c1, c2, c3, c4, c5, c6");
          return;
        }
      }
    }
    throw new AssertionError("public.indexed is missing");
  }
}
