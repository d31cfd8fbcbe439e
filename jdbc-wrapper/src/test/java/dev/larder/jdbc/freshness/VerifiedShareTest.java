package dev.larder.jdbc.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.store.LeftOut;
import dev.larder.store.ProtocolStep;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With one hit in a hundred verified, as in production: after how many reads a fault is found. */
final class VerifiedShareTest {
  /** That none of so many hits is verified happens once in 10^43 runs. */
  private static final int MOST_READS = 10_000;

  private TestDatabase database;
  private Connection past;

  /** What makes a hit wrong: which query's, after which write, made by whom. */
  private enum Fault {
    FOREIGN_WRITER("SELECT name FROM item", "UPDATE item SET name = 'z'", true),
    FUNCTION_DECLARED_WRONGLY("SELECT note(1) FROM item", "UPDATE other SET note = 'z'", false),
    TRIGGER_DECLARED_WRONGLY("SELECT note FROM other", "UPDATE item SET name = 'z'", false),
    STEP_OF_THE_PROTOCOL_LEFT_OUT("SELECT * FROM child", "DELETE FROM item", false);

    private final String query;
    private final String write;
    private final boolean pastLarder;

    Fault(String query, String write, boolean pastLarder) {
      this.query = query;
      this.write = write;
      this.pastLarder = pastLarder;
    }
  }

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    past = database.connect();
    LarderProbe.run(
        past,
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "CREATE TABLE child (item int REFERENCES item ON DELETE CASCADE)",
        "CREATE TABLE other (id int PRIMARY KEY, note text)",
        "INSERT INTO item VALUES (1, 'a')",
        "INSERT INTO child VALUES (1)",
        "INSERT INTO other VALUES (1, 'x')",
        "CREATE FUNCTION note(int) RETURNS text LANGUAGE plpgsql STABLE AS"
            + " 'BEGIN RETURN (SELECT note FROM other WHERE id = $1); END'",
        "CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN UPDATE other SET note = NEW.name; RETURN NEW; END'",
        "CREATE TRIGGER log AFTER UPDATE ON item FOR EACH ROW EXECUTE FUNCTION log()");
  }

  @AfterEach
  void close() throws SQLException {
    past.close();
    database.close();
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsFoundWithinAFewHundredReads(Fault fault) throws SQLException {
    try (Connection connection =
        LarderProbe.connect(
            database,
            "larder.verify=0.01",
            "larder.radar=off",
            "larder.triggers.writes=log=",
            "larder.functions.readOnly=note")) {
      if (fault == Fault.STEP_OF_THE_PROTOCOL_LEFT_OUT) {
        LeftOut.leaveOut(ProtocolStep.FOLLOW_FOREIGN_KEYS);
      }
      LarderProbe.fill(connection, fault.query);
      List<String> before = LarderProbe.rows(connection, fault.query);
      LarderProbe.run(fault.pastLarder ? past : connection, fault.write);

      long start = System.nanoTime();
      List<String> answer = before;
      int reads = 0;
      while (answer.equals(before)) {
        assertThat(reads++).isLessThan(MOST_READS);
        answer = LarderProbe.rows(connection, fault.query);
      }
      System.out.printf(
          "verify: %s found by read %d at 1 %%, after %.1f ms%n",
          fault, reads, (System.nanoTime() - start) / (double) TimeUnit.MILLISECONDS.toNanos(1));
      assertThat(LarderProbe.count(connection, "wrong_hits")).isEqualTo(1);
      assertThat(LarderProbe.count(connection, "quarantined_tables")).isPositive();
      assertThat(LarderProbe.rows(connection, fault.query)).isEqualTo(answer);
    } finally {
      LeftOut.leaveOut(null);
    }
  }
}
