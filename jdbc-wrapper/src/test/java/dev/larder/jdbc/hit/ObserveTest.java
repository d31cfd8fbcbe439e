package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.larder.jdbc.FaultPoints;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.store.FaultPoint;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code larder.mode=observe}: what it predicts, and that it changes nothing. */
@Tag("proof")
final class ObserveTest {
  private static final String OBSERVE = "larder.mode=observe";
  private static final String ADMITTED = "larder.admission=all";

  /** The server tells late of the rows that were written before. */
  private static final String ALONE = "larder.radar=off";

  private static final int KEYS = 10_000;

  private TestDatabase database;
  private Connection past;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    past = database.connect();
    LarderProbe.run(
        past,
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "CREATE TABLE sale (id int PRIMARY KEY, item int, note text)",
        "INSERT INTO item SELECT i, repeat('x', 100) || i FROM generate_series(0, 19999) i",
        "INSERT INTO sale SELECT i, i % 100, 'y' || i FROM generate_series(0, 19999) i");
  }

  @AfterEach
  void close() throws SQLException {
    past.close();
    database.close();
  }

  private static Map<String, String> advice(Connection connection, String column)
      throws SQLException {
    Map<String, String> rows = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.advice")) {
      while (row.next()) {
        rows.merge(row.getString("setting"), row.getString(column), (one, two) -> one + "," + two);
      }
    }
    return rows;
  }

  private static String read(Connection connection, String sql, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, key);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getString(1) : "none";
      }
    }
  }

  /** What is asked, and how often it is written. */
  private enum Workload {
    ZIPF {
      @Override
      void run(Connection connection, Random random) throws SQLException {
        for (int i = 0; i < 30_000; i++) {
          read(connection, "SELECT name FROM item WHERE id = ?", zipf(random));
        }
      }
    },
    SHOP {
      @Override
      void run(Connection connection, Random random) throws SQLException {
        for (int i = 0; i < 25_000; i++) {
          int kind = random.nextInt(100);
          if (kind < 60) {
            read(connection, "SELECT name FROM item WHERE id = ?", zipf(random));
          } else if (kind < 99) {
            read(connection, "SELECT count(*) FROM sale WHERE item = ?", zipf(random) % 200);
          } else {
            LarderProbe.run(
                connection, "UPDATE sale SET note = 'z' WHERE id = " + random.nextInt(20_000));
          }
        }
      }
    },
    SCAN {
      @Override
      void run(Connection connection, Random random) throws SQLException {
        for (int round = 0; round < 4; round++) {
          for (int i = 0; i < 10_000; i++) {
            read(connection, "SELECT name FROM item WHERE id = ?", i);
            if (i % 4 == 0) {
              read(connection, "SELECT note FROM sale WHERE id = ?", zipf(random));
            }
          }
        }
      }
    };

    abstract void run(Connection connection, Random random) throws SQLException;

    /** Returns a key of few that are asked for often and many that are not. */
    static int zipf(Random random) {
      return (int) (Math.pow(KEYS, random.nextDouble()) - 1);
    }
  }

  private static double ratio(Connection connection) throws SQLException {
    double hits = LarderProbe.count(connection, "hits");
    return hits / (hits + LarderProbe.count(connection, "misses"));
  }

  @ParameterizedTest
  @EnumSource
  void theHitRatioThatIsPredictedIsTheOneThatComes(Workload workload) throws SQLException {
    double present;
    double advised;
    String size;
    try (Connection observing =
        LarderProbe.connect(database, OBSERVE, ALONE, "larder.maxBytes=1MB")) {
      workload.run(observing, new Random(1));
      present = ratio(observing);
      size = advice(observing, "value").get("larder.maxBytes");
      advised =
          Double.parseDouble(advice(observing, "reason").get("larder.maxBytes").split(" ")[2]);
    }
    try (Connection small = LarderProbe.connect(database, ALONE, ADMITTED, "larder.maxBytes=1MB")) {
      workload.run(small, new Random(2));
      assertThat(ratio(small)).as("at the size observed").isCloseTo(present, within(0.03));
    }
    try (Connection large =
        LarderProbe.connect(database, ALONE, ADMITTED, "larder.maxBytes=" + size)) {
      workload.run(large, new Random(3));
      assertThat(ratio(large)).as("at %s", size).isCloseTo(advised, within(0.03));
      System.out.printf(
          "observe: %s predicted %.4f at 1MB and %.4f at %s, came %.4f%n",
          workload, present, advised, size, ratio(large));
    }
  }

  private static final String AGAIN = "SELECT name FROM item WHERE id = ?";
  private static final String NEVER_AGAIN = "SELECT note FROM sale WHERE id = ?";

  /** How many executions of each query are observed. */
  private static final int OBSERVED = 10_000;

  private static final long NOTICED_NANOS = 60_000_000_000L;

  /** Returns a column of SHOW larder.queries. */
  private static String shown(Connection connection, String sql, String column)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        if (row.getString("query").equals(sql)) {
          return String.valueOf(row.getString(column));
        }
      }
      return "";
    }
  }

  private static double ratio(Connection connection, String sql) throws SQLException {
    double hits = Double.parseDouble(shown(connection, sql, "hits"));
    return hits / (hits + Double.parseDouble(shown(connection, sql, "misses")));
  }

  /** Reads one of few keys, and one that is not read again. */
  private static void readBoth(Connection connection, Random random, int number)
      throws SQLException {
    read(connection, AGAIN, random.nextInt(300));
    read(connection, NEVER_AGAIN, number);
  }

  @Test
  void whatPaysHasTheRatioThatIsPredictedAndTheRestIsLeftAlone() throws SQLException {
    double predicted;
    try (Connection observing =
        LarderProbe.connect(database, OBSERVE, ALONE, "larder.admission=profit")) {
      Random random = new Random(4);
      for (int i = 0; i < OBSERVED; i++) {
        readBoth(observing, random, i);
      }
      predicted = ratio(observing, AGAIN);
      assertThat(predicted).isGreaterThan(0.9);
      assertThat(ratio(observing, NEVER_AGAIN)).isZero();
      assertThat(shown(observing, NEVER_AGAIN, "misses"))
          .as("each is looked at, though it does not pay")
          .isEqualTo(Integer.toString(OBSERVED));
      assertThat(shown(observing, NEVER_AGAIN, "admission")).isEqualTo("null");
    }
    try (Connection caching = LarderProbe.connect(database, ALONE, "larder.admission=profit")) {
      Random random = new Random(5);
      long end = System.nanoTime() + NOTICED_NANOS;
      for (int i = 0;
          i < OBSERVED || !shown(caching, NEVER_AGAIN, "admission").equals("probed");
          i++) {
        readBoth(caching, random, i);
        assertThat(System.nanoTime()).isLessThan(end);
        if (i == OBSERVED - 1) {
          assertThat(ratio(caching, AGAIN)).isCloseTo(predicted, within(0.03));
        }
      }
      assertThat(shown(caching, AGAIN, "admission")).isEqualTo("admitted");
      assertThat(shown(caching, AGAIN, "bypasses")).isEqualTo("0");
    }
  }

  @Test
  void theDatabaseAnswersEverything() throws SQLException {
    try (Connection observing = LarderProbe.connect(database, OBSERVE, ALONE)) {
      String sql = "SELECT name FROM item WHERE id = ?";
      for (int i = 0; i < 20; i++) {
        LarderProbe.run(past, "UPDATE item SET name = 'n" + i + "' WHERE id = 1");
        assertThat(read(observing, sql, 1)).isEqualTo("n" + i);
      }
      assertThat(LarderProbe.hits(observing)).isEqualTo(19);
    }
  }

  @Test
  void whatWouldHaveBeenWrongIsCountedByTableAndNothingIsQuarantined() throws SQLException {
    try (Connection observing = LarderProbe.connect(database, OBSERVE, ALONE)) {
      read(observing, "SELECT name FROM item WHERE id = ?", 1);
      LarderProbe.run(past, "UPDATE item SET name = 'foreign' WHERE id = 1");
      assertThat(read(observing, "SELECT name FROM item WHERE id = ?", 1)).isEqualTo("foreign");
      assertThat(read(observing, "SELECT name FROM item WHERE id = ?", 1)).isEqualTo("foreign");

      assertThat(LarderProbe.count(observing, "wrong_hits")).isEqualTo(1);
      assertThat(LarderProbe.count(observing, "quarantined_tables")).isZero();
      assertThat(advice(observing, "value")).containsEntry("larder.tables.exclude", "public.item");
      assertThat(advice(observing, "reason").get("larder.tables.exclude"))
          .contains("1 or more results that read it would have been wrong");
      assertThat(advice(observing, "value"))
          .containsEntry("larder.tables.timeToLive", "public.item=5s");
    }
  }

  /** On which rows a result rests is known by the rows alone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, part, note FROM line WHERE part IN (1, ?)",
        "SELECT id, part, note FROM line WHERE part = ?",
        "SELECT l.id, l.note, i.id, i.name FROM line l JOIN item i ON i.id = l.part"
            + " WHERE l.part = ?"
      })
  void whatIsWrittenWhileTheDatabaseAnswersIsNotCalledWrong(String sql) throws SQLException {
    LarderProbe.run(
        past,
        "CREATE TABLE line (id int PRIMARY KEY, part int, note text)",
        "CREATE INDEX ON line (part)",
        "INSERT INTO line SELECT i, i % 1000, 'y' FROM generate_series(0, 19999) i");
    try (Connection observing = LarderProbe.connect(database, OBSERVE, ALONE);
        Connection other = LarderProbe.connect(database, OBSERVE, ALONE)) {
      read(observing, sql, 1);
      for (int i = 0; i < 3; i++) {
        String write = "UPDATE line SET note = 'z" + i + "' WHERE id = 1";
        FaultPoints.once(FaultPoint.SENDING, () -> LarderProbe.run(other, write));
        read(observing, sql, 1);
        read(observing, sql, 1); // Kept.
        read(observing, sql, 1); // Compared.
      }
      assertThat(LarderProbe.count(observing, "verified_hits")).isEqualTo(3);
      assertThat(LarderProbe.count(observing, "wrong_hits")).isZero();
    } finally {
      FaultPoints.inject(null);
    }
  }

  @Test
  void theAdviceNamesModeSizeFunctionsTriggersAndBypasses() throws SQLException {
    LarderProbe.run(
        past,
        "CREATE FUNCTION tax(int) RETURNS int LANGUAGE plpgsql STABLE AS"
            + " 'DECLARE r int; BEGIN EXECUTE ''SELECT '' || $1 INTO r; RETURN r; END'",
        "CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN EXECUTE ''INSERT INTO sale '' || lower(''VALUES (-1, 0)''); RETURN NEW; END'",
        "CREATE TRIGGER logged AFTER DELETE ON item FOR EACH ROW EXECUTE FUNCTION log()");
    try (Connection observing = LarderProbe.connect(database, OBSERVE, ALONE)) {
      assertThat(advice(observing, "value")).containsEntry("larder.mode", "observe");
      for (int i = 0; i < 2_000; i++) {
        read(observing, "SELECT name FROM item WHERE id = ?", i % 10);
      }
      read(observing, "SELECT random() FROM item WHERE id = ?", 1);
      read(observing, "SELECT tax(id) FROM item WHERE id = ?", 1); // May have changed the catalog.
      LarderProbe.run(observing, "DELETE FROM item WHERE id = 5");

      assertThat(advice(observing, "value"))
          .containsEntry("larder.mode", "all")
          .containsEntry("larder.writers", "this-jvm")
          .containsEntry("larder.maxBytes", "1MB")
          .containsEntry("larder.functions.readOnly", "public.tax")
          .containsEntry("larder.triggers.writes", "item.logged=");
      assertThat(advice(observing, "value").get("bypass"))
          .contains("FUNCTION", "VOLATILE_FUNCTION");
      assertThat(advice(observing, "reason").get("larder.mode")).startsWith("1990 of 2002 queries");
    }
  }

  @Test
  void aTableThatIsWrittenMoreThanReadIsToBeLeftOut() throws SQLException {
    try (Connection observing = LarderProbe.connect(database, OBSERVE, ALONE)) {
      for (int i = 0; i < 1_010; i++) {
        read(observing, "SELECT note FROM sale WHERE id = ?", 1);
        LarderProbe.run(observing, "UPDATE sale SET note = 'n' WHERE id = 1");
      }
      assertThat(advice(observing, "value"))
          .containsEntry("larder.tables.exclude", "public.sale")
          .containsEntry("larder.mode", "demand")
          .doesNotContainKey("larder.tables.include");
    }
  }

  @Test
  void whereLittleIsSavedTheTablesThatAreWorthItAreIncluded() throws SQLException {
    try (Connection observing = LarderProbe.connect(database, OBSERVE, ALONE)) {
      for (int i = 0; i < 1_010; i++) {
        read(observing, "SELECT name FROM item WHERE id = ?", i % 940);
      }
      for (int i = 0; i < 40; i++) {
        read(observing, "SELECT clock_timestamp() FROM pg_sleep(0.1) WHERE 1 = ?", 1);
      }
      assertThat(advice(observing, "value"))
          .containsEntry("larder.mode", "demand")
          .containsEntry("larder.tables.include", "public.item")
          .doesNotContainKey("larder.tables.exclude");
    }
  }
}
