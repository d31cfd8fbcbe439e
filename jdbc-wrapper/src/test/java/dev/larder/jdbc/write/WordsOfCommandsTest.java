package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Commands whose words are written as names: quoted, with escapes, or with a dot behind them. */
@Tag("regression")
final class WordsOfCommandsTest {
  private static final String SUM = "SELECT sum(v) FROM item";
  private static final String NAMED = "SELECT name FROM named";
  private static final String TENANTS = "SELECT name FROM tenants ORDER BY name";

  private static final Pattern OPTION = Pattern.compile("([a-z_]+)(?::([0-9]+))?(?:=(.+))?");

  /** Larder is asked nothing: no such database or index to cluster by, or options not together. */
  private static final List<String> REFUSED = List.of("3D000", "42704", "0A000");

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, v int)",
        "INSERT INTO item VALUES (1, 10)",
        "CREATE TABLE named (name text)",
        "INSERT INTO named VALUES ('public')",
        "CREATE SCHEMA s1",
        "CREATE TABLE s1.named (name text)",
        "INSERT INTO s1.named VALUES ('s1')",
        "CREATE TABLE tenants (name text)",
        "INSERT INTO tenants VALUES ('one'), ('two')",
        "ALTER TABLE tenants ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE tenants FORCE ROW LEVEL SECURITY",
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO public");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EXPLAIN (\"analyze\") UPDATE item SET v = v + 1",
        "EXPLAIN (costs off, \"analyze\" true) UPDATE item SET v = v + 1",
        "EXPLAIN (\"analyze\" 'on') UPDATE item SET v = v + 1",
        "EXPLAIN (U&\"\\0061nalyze\") UPDATE item SET v = v + 1",
        "EXPLAIN (U&\"!0061nalyze\" UESCAPE '!') UPDATE item SET v = v + 1",
        "EXPLAIN (\"analyze\" 1, verbose) DELETE FROM item",
        "EXPLAIN (\"analyze\") INSERT INTO item VALUES (2, 2)",
        "EXPLAIN (analyze \"off\", \"analyze\") INSERT INTO item VALUES (2, 2)",
        "EXPLAIN (\"analyze\") MERGE INTO item USING named ON true"
            + " WHEN MATCHED THEN UPDATE SET v = 3",
        "EXPLAIN (\"analyze\") WITH w AS (UPDATE item SET v = 4 RETURNING v) SELECT v FROM w",
        "EXPLAIN (\"analyze\") CREATE TABLE other AS SELECT change()",
        "EXPLAIN (\"analyze\") SELECT change()",
      })
  void whatIsExplainedAndRunsIsSeen(String sql) throws SQLException {
    database.execute(
        "CREATE FUNCTION change() RETURNS int LANGUAGE sql VOLATILE AS"
            + " 'UPDATE item SET v = v + 1 RETURNING v'");
    try (Connection a = LarderProbe.connect(database);
        Connection b = LarderProbe.connect(database)) {
      fill(b, SUM);
      List<String> before = rows(b, SUM);
      a.setAutoCommit(false);
      run(a, sql);
      List<String> own = rows(a, SUM);
      a.commit();
      assertThat(own).containsExactly(String.valueOf(database.queryString(SUM)));
      assertThat(rows(b, SUM)).isEqualTo(own).isNotEqualTo(before);
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "SET schema.g = 's1'",
        "SET SESSION schema.g TO 's1'",
        "SET names.g = 's1'",
        "SET session.g = 's1'",
        "SET local.g = 's1'",
        "SET transaction.g = 's1'",
        "SET constraints.g = 's1'",
        "SET time.g = 's1'",
        "SET role.g = 's1'"
      })
  void settingWhosePrefixIsAKeywordIsNoCommand(String sql) throws SQLException {
    try (Connection a = LarderProbe.connect(database)) {
      fill(a, NAMED);
      run(a, sql);
      fill(a, NAMED);
      assertThat(rows(a, NAMED)).containsExactly("public");
    }
    String set = "SET search_path = s1";
    try (Connection a = LarderProbe.connect(database);
        Connection b = LarderProbe.connect(database)) {
      run(a, set);
      fill(a, NAMED);
      assertThat(rows(a, NAMED)).containsExactly("s1");
      run(b, sql);
      assertThat(rows(b, NAMED)).containsExactly("public");
      run(b, "SET SCHEMA 's1'");
      assertThat(rows(b, NAMED)).containsExactly("s1");
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "constraints.g | SET constraints.g = '%s'",
        "schema.g | SET schema.g = '%s'",
        "names.g | SET SESSION names.g TO '%s'",
        "transaction.g | SET transaction.g = '%s'",
        "session.g | SET session.g = '%s'",
        "local.g | SET local.g = '%s'",
        "local.g | SET SESSION local.g = '%s'",
        "characteristics.g | SET SESSION characteristics.g = '%s'",
        "role.g | SET \"role\".g = '%s'",
        "app.tenant | SET \"APP\".Tenant = '%s'",
        "app.tenant | SET U&\"a\\0070p\".tenant = '%s'",
        "app.tenant | SET app.U&\"t!0065nant\" UESCAPE '!' = '%s'",
        "app.mandant_Ä | SET app.MANDANT_Ä = '%s'",
        "app.x.y | SET \"app.X.Y\" = '%s'",
        "app.Ä | SET \"APP\".\"Ä\" = '%s'",
      })
  void settingIsFollowedHoweverItsNameIsWritten(String name, String set) throws SQLException {
    database.execute(
        "CREATE POLICY own ON tenants USING (name = current_setting('" + name + "', true))",
        "CREATE ROLE reader_" + database.name(),
        "GRANT SELECT ON tenants TO reader_" + database.name());
    try (Connection a = LarderProbe.connect(database);
        Connection past = database.connect()) {
      for (Connection each : List.of(a, past)) {
        run(each, "SET ROLE reader_" + database.name());
      }
      boolean hit = false;
      for (String tenant : List.of("one", "two", "one", "two", "none")) {
        run(a, set.formatted(tenant));
        run(past, set.formatted(tenant));
        for (int i = 0; i < 5; i++) {
          if (i == 3) {
            run(a, "RESET lc_monetary"); // The settings are asked for again.
          }
          hit |= isHit(a, TENANTS);
          assertThat(rows(a, TENANTS)).isEqualTo(rows(past, TENANTS));
        }
      }
      assertThat(hit || set.contains("U&")).isTrue();
    }
    database.execute(
        "DROP OWNED BY reader_" + database.name(), "DROP ROLE reader_" + database.name());
  }

  @Test
  void aStatementMayBePreparedUnderTheNameTransaction() throws SQLException {
    try (Connection a = LarderProbe.connect(database);
        Connection b = LarderProbe.connect(database)) {
      run(a, "PREPARE transaction AS UPDATE item SET v = v + 1");
      fill(b, SUM);
      run(a, "EXECUTE transaction");
      assertThat(rows(b, SUM)).containsExactly("11");
    }
  }

  /** What the test data of {@code OptionListsTest} says of the server is so. */
  @Test
  void serverTakesTheOptionsInEachSpelling() throws Exception {
    Path lists = Path.of("../core/src/test/resources/dev/larder/analysis/option-lists.txt");
    int taken = 0;
    List<String> refused = new ArrayList<>();
    try (Connection past = database.connect()) {
      run(past, "PREPARE p AS SELECT 1", "CREATE EXTENSION IF NOT EXISTS plpgsql");
      int version = past.getMetaData().getDatabaseMajorVersion();
      for (String line : Files.readAllLines(lists)) {
        if (line.startsWith("#") || line.startsWith("EXPLAIN (%s) REFRESH")) {
          continue;
        }
        String[] parts = line.split(" \\| ", 3);
        for (String option : parts[2].split(" ", -1)) {
          Matcher read = OPTION.matcher(option);
          assertThat(read.matches()).as(option).isTrue();
          if (read.group(2) == null || Integer.parseInt(read.group(2)) <= version) {
            String name = read.group(1);
            boolean assigned = parts[0].matches("(CREATE|ALTER).*");
            String value = read.group(3) == null ? "" : (assigned ? " = " : " ") + read.group(3);
            String last = "U&\"" + name.substring(0, name.length() - 1) + "\\00";
            last += Integer.toHexString(name.charAt(name.length() - 1)) + '"';
            for (String spelled : List.of(name, '"' + name + '"', last)) {
              send(past, parts[0].formatted(spelled + value), refused);
              taken++;
            }
          }
        }
      }
    }
    assertThat(refused).isEmpty();
    assertThat(taken).isGreaterThan(200);
  }

  private static void send(Connection past, String sql, List<String> refused) throws SQLException {
    try (Statement statement = past.createStatement()) {
      if (sql.contains("STDIN")) {
        past.unwrap(PGConnection.class).getCopyAPI().copyIn(sql, new StringReader(""));
      } else if (sql.startsWith("COPY")) {
        past.unwrap(PGConnection.class).getCopyAPI().copyOut(sql, new StringWriter());
      } else {
        statement.execute(sql);
        if (sql.contains(" other")) {
          String object = sql.substring("CREATE ".length(), sql.indexOf(" other"));
          statement.execute(
              "DROP " + (sql.startsWith("EXPLAIN") ? "TABLE IF EXISTS" : object) + " other");
        }
      }
    } catch (SQLException e) {
      // Not 42601, a syntax error, nor 22023, a parameter that is not known.
      if (!REFUSED.contains(e.getSQLState())) {
        refused.add(sql + ": " + e);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
