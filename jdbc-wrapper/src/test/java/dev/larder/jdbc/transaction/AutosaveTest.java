package dev.larder.jdbc.transaction;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.hits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.core.BaseConnection;

/** With the driver's own savepoints a transaction goes as it goes without Larder. */
@Tag("regression")
final class AutosaveTest {
  private static final String READ = "SELECT v FROM item WHERE id = 1";

  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute("CREATE TABLE item (id int PRIMARY KEY, v int)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "always | hit; update; isolation; bad; commit",
        "always | hit; update; text; bad; commit",
        "always | update; other; text; bad; commit",
        "always | update; other; isolation; commit",
        "always | update; other; readonly; bad; commit",
        "always | other; update; text; bad; commit",
        "always | other; update; deferrable; bad; commit",
        "always | hit; update; hit; text; hit; bad; commit",
        // Before a COPY and a call of a function the driver sets no savepoint of its own.
        "always | update; other; copy; bad; other; commit",
        "always | update; other; copy; prepared; prepared; commit",
        "always | update; other; large; bad; update; commit",
        "always | hit; copy; bad; update; commit",
        "always | hit; large; bad; update; commit",
        "always | large; rollback; update; other; large; bad; update; commit",
        "always | large; rollback; update; other; large; bad; bad; commit",
        "always | update; other; sql; bad; update; commit",
        "always&cleanupSavepoints=true | update; other; copy; bad; update; commit",
        "conservative | update; other; copy; bad; update; commit",
        "always | update; other; update; other; copy; bad; bad; commit",
        "conservative | hit; update; text; commit",
        "conservative | readonly; hit; update; commit",
        "always | readonly; hit; update; commit",
        "never | readonly; hit; update; commit",
        "conservative | readonly; hit; prepared; commit",
        "conservative | readonly; hit; prepared; rollback; hit; prepared; commit",
        "conservative | readonly; read; hit; update; commit",
        "conservative | update; commit; hit; commit; readonly; hit; update; commit",
        "conservative | prepared; commit; hit; commit; readonly; hit; prepared; commit",
        "conservative | readonly; hit; bad; rollback; update; commit",
        "conservative | readonly; hit; returning; commit",
        "conservative | returning; commit; hit; commit; readonly; hit; returning; commit",
        "conservative&readOnlyMode=always | readonly; hit; update; commit",
        "conservative&readOnlyMode=always | hit; commit; readonly; hit; prepared; commit",
        "conservative&readOnlyMode=ignore | readonly; hit; update; commit",
        "conservative | on; readonly; off; hit; update; commit",
        "conservative | on; readonly; hit; off; update; commit",
        "conservative&preferQueryMode=simple | readonly; hit; update; commit",
        "conservative&prepareThreshold=1 | readonly; hit; returning; commit",
        "conservative&prepareThreshold=1 | readonly; hit; savepoint; update; commit",
        "conservative | readonly; hit; text; update; commit",
        "conservative | readonly; hit; batch; commit",
        "conservative | readonly; hit; several; commit",
      })
  void transactionGoesAsWithoutLarder(String autosave, String steps) throws SQLException {
    List<List<String>> both = new ArrayList<>();
    long hits = 0;
    for (boolean cached : new boolean[] {true, false}) {
      database.execute("DELETE FROM item", "INSERT INTO item VALUES (1, 10)");
      String url = cached ? database.larderUrl("larder.writers=this-jvm") : database.url();
      try (Connection a = DriverManager.getConnection(url + "&autosave=" + autosave)) {
        if (cached) {
          LarderProbe.awaitCatalog(a);
          fill(a, READ);
          fill(a, "SELECT 2 FROM item");
        }
        a.setAutoCommit(false);
        long before = cached ? hits(a) : 0;
        List<String> outcomes = new ArrayList<>();
        for (String step : steps.split("; ", -1)) {
          outcomes.add(step + ": " + outcome(a, step));
        }
        hits += cached ? hits(a) - before : 0;
        outcomes.add(database.queryString(READ));
        both.add(outcomes);
      }
    }
    assertThat(hits).isPositive();
    assertThat(both.get(0)).isEqualTo(both.get(1));
  }

  private static String outcome(Connection a, String step) {
    try {
      switch (step) {
        case "hit" -> {
          return LarderProbe.rows(a, READ).toString();
        }
        case "other" -> {
          return LarderProbe.rows(a, "SELECT 2 FROM item").toString();
        }
        case "read" -> LarderProbe.rows(a, "SELECT random() FROM item");
        case "update" -> LarderProbe.run(a, "UPDATE item SET v = v + 1");
        case "copy" -> {
          CopyIn copy = a.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY item FROM STDIN");
          copy.writeToCopy(new byte[] {'x', '\n'}, 0, 2);
          copy.endCopy();
        }
        case "large" -> a.unwrap(PGConnection.class).getLargeObjectAPI().open(1L);
        case "sql" -> a.unwrap(BaseConnection.class).execSQLUpdate("SELECT 1 / 0");
        case "returning" -> LarderProbe.rows(a, "UPDATE item SET v = v + 1 RETURNING 1");
        case "prepared" -> {
          try (var statement = a.prepareStatement("UPDATE item SET v = v + ?")) {
            statement.setInt(1, 1);
            statement.executeUpdate();
          }
        }
        case "on" -> a.setAutoCommit(true);
        case "off" -> a.setAutoCommit(false);
        case "savepoint" -> a.setSavepoint();
        case "several" -> LarderProbe.run(a, "UPDATE item SET v = 12; UPDATE item SET v = 13");
        case "batch" -> {
          try (var statement = a.createStatement()) {
            statement.addBatch("UPDATE item SET v = 12");
            statement.addBatch("UPDATE item SET v = 13");
            statement.executeBatch();
          }
        }
        case "isolation" -> a.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        case "readonly" -> a.setReadOnly(true);
        case "text" -> LarderProbe.run(a, "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");
        case "deferrable" -> LarderProbe.run(a, "SET TRANSACTION DEFERRABLE");
        case "bad" -> LarderProbe.run(a, "SELECT 1 / 0 FROM item");
        case "rollback" -> a.rollback();
        default -> a.commit();
      }
      return "done";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  /** As the driver, so that what is added to one is known to the next. */
  @Test
  @SuppressWarnings("deprecation")
  void functionOfTheFastPathIsKnownToTheNext() throws SQLException {
    try (Connection a = LarderProbe.connect(database)) {
      PGConnection connection = a.unwrap(PGConnection.class);
      connection.getFastpathAPI().addFunction("lower_of_mine", 870);
      assertThat(connection.getFastpathAPI().getID("lower_of_mine")).isEqualTo(870);
      assertThat(((PGConnection) a).getFastpathAPI().getID("lower_of_mine")).isEqualTo(870);
    }
  }
}
