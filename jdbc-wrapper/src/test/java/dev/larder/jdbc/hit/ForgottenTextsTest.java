package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The driver forgets how often a text was executed once it no longer keeps it, and then receives
 * its results as text again. Each answer is that of the driver alone, whether others have filled
 * the cache or not, and whether the driver has seen the executions or not.
 */
final class ForgottenTextsTest {
  private static final int SLOTS = 3;

  @AutoClose private static TestDatabase database;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE v (id int PRIMARY KEY, f8 float8, name text)",
        "INSERT INTO v VALUES (1, 1, 'a')");
  }

  /** What an application does with its texts is drawn; the bare driver does the same. */
  @ParameterizedTest
  @CsvSource({
    "preparedStatementCacheQueries=0, 1, 0",
    "preparedStatementCacheQueries=1, 2, 0",
    "preparedStatementCacheQueries=2, 3, 0",
    "preparedStatementCacheQueries=3, 4, 0",
    "preparedStatementCacheQueries=4, 5, 0",
    "preparedStatementCacheQueries=2&prepareThreshold=1, 6, 0",
    "preparedStatementCacheQueries=2&prepareThreshold=-1, 7, 0",
    "preparedStatementCacheQueries=2&preferQueryMode=extendedCacheEverything, 8, 0",
    // Two of these texts fit into one MiB, and none of those.
    "preparedStatementCacheSizeMiB=1, 9, 90000",
    "preparedStatementCacheSizeMiB=1, 10, 131072",
  })
  void everyAnswerIsThatOfADriverThatForgets(String mode, int seed, int padding)
      throws SQLException {
    Random random = new Random(seed);
    List<String> texts = texts(mode + seed, padding);
    try (Connection writer = LarderProbe.connect(database);
        Connection cached = LarderProbe.connect(database, "prepareThreshold=3", mode);
        Connection bare =
            DriverManager.getConnection(database.url() + "&prepareThreshold=3&" + mode)) {
      long hits = LarderProbe.hits(cached);
      Slot[] slots = new Slot[SLOTS];
      for (int step = 0; step < 400; step++) {
        if (random.nextInt(8) == 0) {
          LarderProbe.run(writer, "UPDATE v SET f8 = f8");
        }
        int at = random.nextInt(SLOTS);
        Slot slot = slots[at];
        if (slot == null) {
          slots[at] = new Slot(cached, bare, texts.get(drawn(random, texts.size())));
        } else if (random.nextInt(4) == 0) {
          slot.close();
          slots[at] = null;
        } else {
          slot.execute("step " + step);
        }
        if (random.nextInt(4) == 0) {
          plain(cached, bare, texts.get(drawn(random, texts.size())));
          call(cached, bare, "{call f" + random.nextInt(2) + "()}");
        }
      }
      assertThat(LarderProbe.hits(cached)).isGreaterThan(hits);
    }
  }

  /** Half of them have results that differ by their format; one of these is drawn often. */
  private static List<String> texts(String mark, int padding) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String comment = " /* " + mark + " " + i + "x".repeat(padding) + " */";
      texts.add((i % 2 == 0 ? "SELECT f8 FROM v" : "SELECT name FROM v") + comment);
    }
    return texts;
  }

  private static int drawn(Random random, int texts) {
    return random.nextInt(3) > 0 ? 0 : random.nextInt(texts);
  }

  private static void plain(Connection cached, Connection bare, String sql) throws SQLException {
    try (Statement left = bare.createStatement();
        Statement right = cached.createStatement()) {
      assertThat(LarderProbe.rows(right.executeQuery(sql)))
          .isEqualTo(LarderProbe.rows(left.executeQuery(sql)));
    }
  }

  /** The text of a call that never runs takes the place of another, too. */
  private static void call(Connection cached, Connection bare, String sql) throws SQLException {
    bare.prepareCall(sql).close();
    cached.prepareCall(sql).close();
  }

  /** Two statements of one text that are open together are two to the driver. */
  @Test
  void aStatementThatIsOpenBesideAnotherIsCountedForItself() throws SQLException {
    String sql = "SELECT f8 AS beside FROM v";
    try (Connection cached = LarderProbe.connect(database);
        Connection bare = database.connect();
        Slot first = new Slot(cached, bare, sql)) {
      for (int i = 0; i < 7; i++) {
        first.execute("first " + i);
      }
      try (Slot second = new Slot(cached, bare, sql)) {
        for (int i = 0; i < 7; i++) {
          second.execute("second " + i);
          first.execute("again " + i);
        }
      }
    }
  }

  /** The driver of the cached connection has seen none of the hits, and so forgets later. */
  @Test
  void whatTheDriverStillKeepsButWouldHaveForgottenComesAsText() throws SQLException {
    String sql = "SELECT f8 AS kept FROM v";
    String mode = "preparedStatementCacheQueries=2";
    try (Connection writer = LarderProbe.connect(database);
        Connection cached = LarderProbe.connect(database, mode);
        Connection bare = DriverManager.getConnection(database.url() + "&" + mode)) {
      for (int i = 0; i < 8; i++) {
        LarderProbe.run(writer, "UPDATE v SET f8 = f8");
        prepareAndRun(cached, bare, sql);
      }
      for (String other : new String[] {"1", "2", "3"}) {
        LarderProbe.fill(writer, "SELECT name FROM v WHERE id < " + other + " /* p */");
        prepareAndRun(cached, bare, "SELECT name FROM v WHERE id < " + other + " /* p */");
      }
      for (int i = 0; i < 8; i++) {
        LarderProbe.run(writer, "UPDATE v SET f8 = f8");
        prepareAndRun(cached, bare, sql);
      }
    }
  }

  private static void prepareAndRun(Connection cached, Connection bare, String sql)
      throws SQLException {
    try (Slot slot = new Slot(cached, bare, sql)) {
      slot.execute(sql);
    }
  }

  /** A statement of the cached connection, and the same of the driver alone. */
  private static final class Slot implements AutoCloseable {
    private final PreparedStatement left;
    private final PreparedStatement right;

    Slot(Connection cached, Connection bare, String sql) throws SQLException {
      left = bare.prepareStatement(sql);
      right = cached.prepareStatement(sql);
    }

    void execute(String what) throws SQLException {
      assertThat(LarderProbe.rows(right.executeQuery()))
          .as(what)
          .isEqualTo(LarderProbe.rows(left.executeQuery()));
    }

    @Override
    public void close() throws SQLException {
      left.close();
      right.close();
    }
  }
}
