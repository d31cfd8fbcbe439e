package dev.larder.jdbc.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Queries that call random functions, beside a bare connection in the same session state, with
 * random writes in between. {@code -Dlarder.functions.rounds} says how many sets of functions are
 * tried, {@code -Dlarder.functions.seed} which.
 */
final class ReadingFunctionsFuzzTest {
  private static final long ROUNDS = Long.getLong("larder.functions.rounds", 15);
  private static final int STEPS = 60;

  private static final List<String> QUERIES =
      List.of(
          "SELECT id, f0(id) FROM t0 ORDER BY id",
          "SELECT f1(2) FROM t0 WHERE id = 1",
          "SELECT f2(3), count(*) FROM t1",
          "SELECT id FROM t1 WHERE f1(id) > 1 ORDER BY id",
          "SELECT * FROM shown ORDER BY id",
          "SELECT * FROM f0(1) x",
          "SELECT id, n FROM secured ORDER BY id",
          "SELECT f2(id), f0(n) FROM t2 ORDER BY id",
          "SELECT max(n) FROM t0");

  private Random random;
  private long compared;
  private List<String> made = List.of();
  private final List<String> log = new ArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();

  /** Two connections in the same state. */
  private record Pair(Connection larder, Connection bare) {}

  @Test
  void theAnswersAreThoseOfTheServer() throws SQLException {
    long seed = Long.getLong("larder.functions.seed", System.nanoTime());
    random = new Random(seed);
    long hits = 0;
    try (TestDatabase database = TestDatabase.create()) {
      database.execute(RandomReaders.SCHEMA);
      String role = "reads_" + Long.toHexString(seed);
      database.execute(
          "CREATE ROLE " + role,
          "GRANT USAGE ON SCHEMA s2 TO " + role,
          "GRANT ALL ON ALL TABLES IN SCHEMA public, s2 TO " + role);
      try {
        for (int i = 0; i < 3; i++) {
          pairs.add(new Pair(LarderProbe.connect(database), database.connect()));
        }
        for (long round = 0; round < ROUNDS; round++) {
          functions();
          for (int step = 0; step < STEPS; step++) {
            step(role);
          }
        }
        hits = LarderProbe.hits(pairs.get(0).larder());
      } catch (AssertionError e) {
        throw new AssertionError("-Dlarder.functions.seed=" + seed + ": " + e.getMessage(), e);
      } finally {
        for (Pair pair : pairs) {
          pair.larder().close();
          pair.bare().close();
        }
        database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
      }
    }
    System.out.println("proof: calls of functions compared=" + compared);
    System.out.println("proof: calls of functions hit=" + hits);
    assertThat(hits).isPositive();
  }

  private void functions() throws SQLException {
    RandomReaders readers = new RandomReaders(random);
    both(pairs.get(0), "RESET ROLE");
    both(pairs.get(0), "RESET search_path");
    made = List.of(readers.function(0), readers.function(1), readers.function(2));
    log.clear();
    LarderProbe.run(pairs.get(0).larder(), made.toArray(new String[0]));
    LarderProbe.run(
        pairs.get(0).larder(),
        "CREATE OR REPLACE VIEW shown AS SELECT id, f1(n) AS n FROM t1",
        "DROP POLICY IF EXISTS p ON secured",
        "CREATE POLICY p ON secured USING (f" + random.nextInt(3) + "(n) > 0)",
        "ALTER TABLE secured ENABLE ROW LEVEL SECURITY");
    LarderProbe.awaitCatalog(pairs.get(0).larder());
  }

  private void step(String role) throws SQLException {
    Pair pair = pairs.get(random.nextInt(pairs.size()));
    switch (random.nextInt(12)) {
      case 0 -> write(pair.larder());
      case 1 -> both(pair, "SET app.k = '" + random.nextInt(3) + "'");
      case 2 ->
          both(
              pair,
              random.nextInt(2) == 0
                  ? random.nextBoolean() ? "SET ROLE " + role : "RESET ROLE"
                  : random.nextBoolean() ? "SET search_path = public, s2" : "RESET search_path");
      default -> {
        String sql = QUERIES.get(random.nextInt(QUERIES.size()));
        List<String> answer = answer(pair.larder(), sql);
        List<String> expected = answer(pair.bare(), sql);
        compared++;
        log.add(pairs.indexOf(pair) + "? " + sql);
        if (!answer.equals(expected)) {
          throw new AssertionError(
              sql + " gave " + answer + ", want " + expected + "; last " + log + made);
        }
      }
    }
  }

  private void write(Connection connection) throws SQLException {
    String table = List.of("t0", "t1", "t2", "s2.t3", "s2.t2", "secured").get(random.nextInt(6));
    int id = random.nextInt(6);
    String sql =
        switch (random.nextInt(3)) {
          case 0 -> "INSERT INTO %s VALUES (%d, %d, '1') ON CONFLICT DO NOTHING";
          case 1 -> "UPDATE %s SET n = %2$d + %3$d WHERE id = %2$d";
          default -> "DELETE FROM %s WHERE id = %d AND n <> %d";
        };
    try (Statement statement = connection.createStatement()) {
      String written = sql.formatted(table, id, random.nextInt(4));
      log.add(written);
      statement.executeUpdate(written);
    } catch (SQLException e) {
      log.add(e.getSQLState()); // The policy refuses it, or calls itself.
    }
  }

  private void both(Pair pair, String sql) throws SQLException {
    log.add(pairs.indexOf(pair) + "> " + sql);
    LarderProbe.run(pair.larder(), sql);
    LarderProbe.run(pair.bare(), sql);
  }

  /** Returns the rows, or the state of the error. */
  private static List<String> answer(Connection connection, String sql) throws SQLException {
    try {
      return LarderProbe.rows(connection, sql);
    } catch (SQLException e) {
      return List.of(e.getSQLState());
    }
  }
}
