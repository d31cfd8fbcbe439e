package dev.larder.jdbc.bykey;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogVersion;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an extension of PostgreSQL's contrib leaves of the cache of tables without its types. */
final class ContribExtensionsTest {
  private static final String ONE = "SELECT v FROM t WHERE id = 1 AND name = 'n1'";
  private static final String TWO = "SELECT v FROM t WHERE id = 2";
  private static final String OTHER = "SELECT name FROM u WHERE name = 'a'";

  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE t (id int PRIMARY KEY, name text, v int)",
        "INSERT INTO t SELECT n, 'n' || n, n FROM generate_series(1, 9) n",
        "CREATE TABLE u (name varchar(9) PRIMARY KEY)",
        "INSERT INTO u VALUES ('a')");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private void assertWritesByKeyLeaveOtherKeys() throws SQLException {
    try (Connection one = LarderProbe.connect(database)) {
      for (String sql : List.of(ONE, TWO, OTHER)) {
        fill(one, sql);
      }
      run(one, "UPDATE t SET v = v + 1 WHERE id = 2");
      assertThat(isHit(one, ONE)).isTrue();
      assertThat(isHit(one, OTHER)).isTrue();
      assertThat(isHit(one, TWO)).isFalse();
      assertThat(rows(one, TWO)).containsExactly("3");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloom",
        "btree_gin",
        "btree_gist",
        "citext",
        "cube",
        "hstore",
        "intarray",
        "isn",
        "ltree",
        "pg_trgm",
        "seg"
      })
  void anExtensionWithTypesOrOperatorsCostsNoKey(String extension) throws SQLException {
    database.execute("CREATE EXTENSION " + extension);
    assertWritesByKeyLeaveOtherKeys();
    assertReadsNoSettingUnseen();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dblink", "file_fdw", "pg_stat_statements", "postgres_fdw", "xml2"})
  void anExtensionWithFunctionsCostsNoKey(String extension) throws SQLException {
    anExtensionWithTypesOrOperatorsCostsNoKey(extension);
  }

  /** Else each custom setting of the application is part of every key. */
  private void assertReadsNoSettingUnseen() throws SQLException {
    try (Connection one = LarderProbe.connect(database)) {
      CatalogVersion catalog =
          one.unwrap(CachingConnection.class).physical().cache().database().catalog().current();
      assertThat(catalog.hidden().keySettings().readsAny()).isFalse();
    }
  }

  @Test
  void allThatTheServerBringsTogetherCostNoKey() throws SQLException {
    List<String> created = new ArrayList<>();
    try (Connection direct = DriverManager.getConnection(database.url())) {
      for (String name : rows(direct, "SELECT name FROM pg_available_extensions")) {
        if (!name.contains("plperl") && !name.contains("plpython") && !name.contains("pltcl")) {
          run(direct, "CREATE EXTENSION IF NOT EXISTS \"" + name + "\" CASCADE");
          created.add(name);
        }
      }
    }
    assertThat(created).contains("citext", "hstore", "btree_gist", "uuid-ossp", "xml2");
    assertWritesByKeyLeaveOtherKeys();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "USING btree AS OPERATOR 3 =, FUNCTION 1 timetz_cmp(timetz, timetz)",
        "USING hash AS OPERATOR 1 =, FUNCTION 1 timetz_hash(timetz)"
      })
  void anOperatorClassForTimesWithTimeZoneCostsNoKey(String definition) throws SQLException {
    database.execute("CREATE OPERATOR CLASS mine FOR TYPE timetz " + definition);
    assertWritesByKeyLeaveOtherKeys();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "citext; citext; 'Ann'; 'BOB'; x = 'aNN'; x = 'bob'",
        "citext; citext; 'Ann'; 'BOB'; x LIKE 'aN%'; x IN ('bob', 'c')",
        "hstore; hstore; 'a=>1'; 'a=>2, b=>3'; x -> 'a' = '1'; x ? 'b'",
        "hstore; hstore; 'a=>1'; 'a=>2, b=>3'; x = 'a=>1'; x @> 'b=>3'",
        "intarray; int[]; '{1,2}'; '{3}'; x @@ '1&2'; x && '{3}'",
        "intarray; int[]; '{1,2}'; '{3}'; '1&2' ~~ x; (x + 4) = '{3,4}'",
        "ltree; ltree; 'a.b'; 'a.c.d'; x <@ 'a.b'; x ~ '*.d'",
        "ltree; ltree; 'a.b'; 'a.c.d'; x = 'a.b'; x @ 'd'",
        "cube; cube; '(1,2)'; '(3,4)'; x = '(1,2)'; x <@ '(0,0),(4,4)'",
        "seg; seg; '1 .. 2'; '3 .. 4'; x @> '1.5'; x > '2'",
        "isn; isbn; '0-393-04002-X'; '1-55860-832-X'; x = '039304002X'; x > '0-393-04002-X'",
        "pg_trgm; text; 'garden'; 'larder'; x % 'gardens'; 'lard' <% x",
        "btree_gist; int; '1'; '30'; x <-> 1 = 0; x <-> 31 = 1",
        "unaccent; text; '\u00e9t\u00e9'; 'b'; unaccent(x) = 'ete'; unaccent(x) = 'b'",
      })
  void whatIsFoundByItsOperatorsIsWhatTheServerFinds(
      String extension, String type, String first, String second, String one, String two)
      throws SQLException {
    database.execute(
        "CREATE EXTENSION " + extension,
        "CREATE TABLE own (id int PRIMARY KEY, x " + type + ')',
        "INSERT INTO own VALUES (1, " + first + "), (2, " + second + ")");
    try (Connection larder = LarderProbe.connect(database);
        Connection direct = DriverManager.getConnection(database.url())) {
      List<String> queries =
          List.of(
              "SELECT id FROM own WHERE " + one + " ORDER BY id",
              "SELECT id FROM own WHERE " + two + " ORDER BY id",
              "SELECT id, x FROM own WHERE id = 1 AND " + one,
              "SELECT x FROM own WHERE id = 2");
      assertFound(larder, direct, queries);
      for (String write :
          List.of(
              "UPDATE own SET x = " + first + " WHERE id = 2",
              "UPDATE own SET x = " + second + " WHERE " + one,
              "DELETE FROM own WHERE id = 1",
              "INSERT INTO own VALUES (3, " + first + "), (1, " + first + ")",
              "DELETE FROM own WHERE " + two)) {
        run(larder, write);
        assertFound(larder, direct, queries);
      }
    }
  }

  private static void assertFound(Connection larder, Connection direct, List<String> queries)
      throws SQLException {
    for (String sql : queries) {
      List<String> live = rows(direct, sql);
      assertThat(rows(larder, sql)).as(sql).isEqualTo(live);
      fill(larder, sql);
      assertThat(rows(larder, sql)).as(sql).isEqualTo(live);
    }
  }
}
