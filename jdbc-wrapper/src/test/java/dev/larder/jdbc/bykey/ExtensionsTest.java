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
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an extension leaves of the cache of tables without its types, and what is found by its
 * operators. {@code .ci/extensions} runs this with all extensions that Debian has.
 */
final class ExtensionsTest {
  /** Of Debian's packages: parts of others, or made for another version or database. */
  private static final Set<String> REFUSED_BY_THE_SERVER =
      Set.of(
          "address_standardizer-3",
          "address_standardizer_data_us-3",
          "debversion",
          "decoderbufs",
          "pg_cron",
          "pg_sphere",
          "pglogical",
          "pglogical_ticker",
          "postgis-3",
          "postgis_raster-3",
          "postgis_sfcgal-3",
          "postgis_tiger_geocoder-3",
          "postgis_topology-3",
          "rdkit");

  private static final String ONE = "SELECT v FROM t WHERE id = 1 AND name = 'n1'";
  private static final String TWO = "SELECT v FROM t WHERE id = 2";
  private static final String OTHER = "SELECT name FROM u WHERE name = 'a'";

  /** Their operators depend on settings, or are not declared IMMUTABLE. */
  private static final Set<String> NOT_ALL_CACHED =
      Set.of("orafce", "pg_rational", "pg_similarity");

  /** An implicit cast of it is not declared IMMUTABLE, and a text with `=` may run it. */
  private static final String FALLS_SHORT = "pg_rational";

  /** An extension, its type, two values and two conditions for a column x. */
  private static final List<String> PACKAGED =
      List.of(
          "postgis; geometry; 'POINT(1 2)'; 'POINT(3 4)'; x && 'POINT(1 2)'; x = 'POINT(3 4)'",
          "postgis; geography; 'POINT(1 2)'; 'POINT(3 4)'; x && 'POINT(1 2)'; x = 'POINT(3 4)'",
          "postgis; box2d; 'BOX(0 0,1 1)'; 'BOX(2 2,3 3)'; x ~= x; x && 'POINT(2 2)'::geometry",
          "postgis_raster; raster; ST_MakeEmptyRaster(1, 1, 0, 0, 1);"
              + " ST_MakeEmptyRaster(1, 1, 5, 5, 1); x && 'POINT(0 0)'::geometry; x ~= x",
          "pgrouting; geometry; 'POINT(1 2)'; 'POINT(3 4)'; x && 'POINT(1 2)'; x = 'POINT(3 4)'",
          "ip4r; ip4; '1.2.3.4'; '5.6.7.8'; x <<= '1.2.3.0/24'::ip4r; x = '5.6.7.8'",
          "ip4r; iprange; '1.2.3.0/24'; '5.6.0.0/16'; x >>= '1.2.3.4'; x >> '5.6.7.8'",
          "prefix; prefix_range; '123'; '45'; x @> '1234'; x = '45'",
          "pg_rational; rational; '1/2'; '3/4'; x = '2/4'; x > '2/3'",
          "pg_similarity; text; 'garden'; 'larder'; x ~== 'gardens'; x = 'larder'",
          "q3c; float8; 10; 200; q3c_radial_query(x, 0, 10, 0, 1); q3c_dist(x, 0, 200, 0) = 0",
          "hll; hll; hll_empty(); hll_add(hll_empty(), hll_hash_integer(1)); # x = 0;"
              + " x = hll_add(hll_empty(), hll_hash_integer(1))",
          "jsquery; jsonb; '{\"a\": 1}'; '{\"a\": 2}'; x @@ 'a = 1'::jsquery; x @@ 'a > 1'::jsquery",
          "numeral; roman; 'XII'; 'IV'; x = 'XII'; x < 'V'",
          "numeral; zahl; 'zwei'; 'drei'; x = 'zwei'; x > 'zwei'",
          "pgmp; mpz; '12'; '7'; x = 12; x < '10'",
          "pgmp; mpq; '1/2'; '7/3'; x = '2/4'; x > 1",
          "semver; semver; '1.2.3'; '2.0.0'; x = '1.2.3'; x > '1.9.0'",
          "unit; unit; '1 m'; '2 km'; x = '100 cm'; x > '1500 m'",
          "asn1oid; asn1oid; '1.2.3'; '1.2.4'; x = '1.2.3'; x > '1.2.3'",
          "orafce; oracle.varchar2(9); 'a'; 'b'; x = 'a'; x || 'c' = 'bc'",
          "tdigest; tdigest; (SELECT tdigest(v, 100) FROM t); (SELECT tdigest(id, 100) FROM t);"
              + " tdigest_count(x) = 9; x IS NULL",
          "pgpcre; text; 'abc'; 'bcd'; x =~ '^a'; x !~ '^a'");

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
    assertWritesByKeyLeaveOtherKeys(true);
  }

  private void assertWritesByKeyLeaveOtherKeys(boolean leave) throws SQLException {
    try (Connection one = LarderProbe.connect(database)) {
      for (String sql : List.of(ONE, TWO, OTHER)) {
        fill(one, sql);
      }
      run(one, "UPDATE t SET v = v + 1 WHERE id = 2");
      assertThat(isHit(one, ONE)).isEqualTo(leave);
      assertThat(isHit(one, OTHER)).isEqualTo(leave);
      assertThat(isHit(one, TWO)).isFalse();
      assertThat(rows(one, TWO)).containsExactly("3");
    }
  }

  /** With the server's own contrib, or what else is installed where a test is told a server. */
  static List<String> everyExtension() throws SQLException {
    try (TestDatabase any = TestDatabase.create();
        Connection direct = any.connect()) {
      List<String> names = rows(direct, "SELECT name FROM pg_available_extensions ORDER BY 1");
      names.removeIf(
          name -> REFUSED_BY_THE_SERVER.contains(name) || name.matches(".*pl(perl|python|tcl).*"));
      return names;
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("everyExtension")
  void anExtensionCostsNoKey(String extension) throws SQLException {
    database.execute("CREATE EXTENSION IF NOT EXISTS \"" + extension + "\" CASCADE");
    assertWritesByKeyLeaveOtherKeys(!extension.equals(FALLS_SHORT));
  }

  /** It brings functions of these names for its own type. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "replace(name, 'n', 'm')",
        "regexp_match(name, 'n')",
        "regexp_replace(name, 'n', 'm')",
        "regexp_split_to_array(name, 'n')",
        "split_part(name, 'n', 2)",
        "strpos(name, 'n')",
        "translate(name, 'n', 'm')"
      })
  void functionsThatCitextHasTooAreCached(String call) throws SQLException {
    database.execute("CREATE EXTENSION citext");
    String sql = "SELECT " + call + " FROM t WHERE id = 1";
    try (Connection one = LarderProbe.connect(database)) {
      fill(one, sql);
      assertThat(isHit(one, sql)).isTrue();
    }
  }

  /** Else each custom setting of the application is part of every key. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloom",
        "btree_gin",
        "btree_gist",
        "citext",
        "cube",
        "dblink",
        "file_fdw",
        "hstore",
        "intarray",
        "isn",
        "ltree",
        "pg_stat_statements",
        "pg_trgm",
        "postgres_fdw",
        "seg",
        "xml2"
      })
  void anExtensionThatIsKnownReadsNoSettingUnseen(String extension) throws SQLException {
    database.execute("CREATE EXTENSION " + extension);
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
        "earthdistance; point; '(1,2)'; '(3,4)'; (x <@> '(1,2)') < 1; (x <@> '(3,4)') < 1",
        "fuzzystrmatch; text; 'abc'; 'bcd'; levenshtein(x, 'ab') = 1; soundex(x) = 'B230'",
      })
  void whatIsFoundByItsOperatorsIsWhatTheServerFinds(
      String extension, String type, String first, String second, String one, String two)
      throws SQLException {
    assertItsOperatorsFindWhatTheServerFinds(extension, type, first, second, one, two);
  }

  /** Those of {@link #PACKAGED} that the server has: none where it has its own contrib alone. */
  static List<String> packaged() throws SQLException {
    List<String> installed = everyExtension();
    return PACKAGED.stream().filter(row -> installed.contains(row.split("; ")[0])).toList();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("packaged")
  void whatIsFoundByItsOperatorsIsWhatTheServerFinds(String row) throws SQLException {
    String[] parts = row.split("; ");
    assertItsOperatorsFindWhatTheServerFinds(
        parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
  }

  private void assertItsOperatorsFindWhatTheServerFinds(
      String extension, String type, String first, String second, String one, String two)
      throws SQLException {
    database.execute(
        "CREATE EXTENSION " + extension + " CASCADE",
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
      boolean cached = !NOT_ALL_CACHED.contains(extension);
      assertFound(larder, direct, queries, cached);
      for (String write :
          List.of(
              "UPDATE own SET x = " + first + " WHERE id = 2",
              "UPDATE own SET x = " + second + " WHERE " + one,
              "DELETE FROM own WHERE id = 1",
              "INSERT INTO own VALUES (3, " + first + "), (1, " + first + ")",
              "DELETE FROM own WHERE " + two)) {
        run(larder, write);
        assertFound(larder, direct, queries, cached);
      }
    }
  }

  private static void assertFound(
      Connection larder, Connection direct, List<String> queries, boolean cached)
      throws SQLException {
    for (String sql : queries) {
      List<String> live = rows(direct, sql);
      assertThat(rows(larder, sql)).as(sql).isEqualTo(live);
      if (cached) {
        fill(larder, sql);
      }
      assertThat(rows(larder, sql)).as(sql).isEqualTo(live);
    }
  }
}
