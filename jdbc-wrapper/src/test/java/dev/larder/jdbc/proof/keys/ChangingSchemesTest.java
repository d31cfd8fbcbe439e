package dev.larder.jdbc.proof.keys;

import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys come and go while a table is read and written by them. A read that no write overlaps returns
 * what the last write has left.
 */
@Tag("proof")
@Tag("each-server")
final class ChangingSchemesTest {
  private static final int ROWS = 20;
  private static final int GROUPS = 5;
  private static final long SECONDS = 4;
  private static final int LEAST_CHECKED = 200;

  /** What changes by which columns rows are told apart, and back again. */
  private static final List<String> CHANGES =
      List.of(
          "CREATE INDEX by_grp ON item (grp)",
          "ALTER TABLE item DROP CONSTRAINT item_pkey",
          "CREATE UNIQUE INDEX by_both ON item (grp, id)",
          "DROP INDEX by_grp",
          "ALTER TABLE item ADD PRIMARY KEY (id)",
          "ALTER TABLE item ALTER COLUMN grp TYPE bigint",
          "DROP INDEX by_both",
          "CREATE INDEX by_hash ON item USING hash (grp)",
          "ALTER TABLE item ADD UNIQUE (v)",
          "ALTER TABLE item ALTER COLUMN grp TYPE int",
          "ALTER TABLE item DROP CONSTRAINT item_v_key",
          "DROP INDEX by_hash");

  /** Has rows written otherwise than the statement says. The server plans a new function anew. */
  private static final String MOVE =
      "CREATE OR REPLACE FUNCTION move() RETURNS trigger LANGUAGE plpgsql AS"
          + " 'BEGIN NEW.grp := (NEW.grp + 1) % 5; RETURN NEW; END';"
          + "CREATE TRIGGER moves BEFORE UPDATE ON item FOR EACH ROW EXECUTE FUNCTION move()";

  /** A slow machine needs longer until there were enough hits. */
  private static final long MOST_NANOS = 60_000_000_000L;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger checked = new AtomicInteger();
  private final Random random = new Random(1);

  /** What the table holds, by id; null while it is being written. */
  private volatile Map<Integer, Row> state;

  private record Row(int grp, long v) {}

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsReadIsWhatWasWritten(boolean throughLarder) throws Exception {
    try (TestDatabase database = TestDatabase.create();
        Connection bare = database.connect()) {
      create(bare);
      ExecutorService threads = Executors.newCachedThreadPool();
      try (Connection first = LarderProbe.connect(database);
          Connection second = LarderProbe.connect(database);
          Connection writer = LarderProbe.connect(database);
          Connection asks = LarderProbe.connect(database);
          Connection changer = throughLarder ? LarderProbe.connect(database) : bare) {
        List<Future<?>> all = new ArrayList<>();
        all.add(threads.submit(() -> read(first, 1)));
        all.add(threads.submit(() -> read(second, 2)));
        all.add(threads.submit(() -> write(writer)));
        try {
          long end = System.nanoTime() + MOST_NANOS;
          do {
            change(changer, throughLarder);
          } while (LarderProbe.hits(asks) <= LEAST_CHECKED && System.nanoTime() < end);
        } finally {
          over.set(true);
        }
        for (Future<?> each : all) {
          each.get(1, TimeUnit.MINUTES);
        }
        long hits = LarderProbe.hits(first);
        System.out.printf("changing schemes: checked=%d, hits=%d%n", checked.get(), hits);
        assertThat(hits).isGreaterThan(LEAST_CHECKED);
        assertThat(checked.get()).isGreaterThan(LEAST_CHECKED);
      } finally {
        over.set(true);
        threads.shutdownNow();
      }
    }
  }

  private void create(Connection bare) throws SQLException {
    run(
        bare,
        "CREATE TABLE item (id int PRIMARY KEY, grp int NOT NULL, v bigint NOT NULL)",
        "INSERT INTO item SELECT i, i % 5, i FROM generate_series(0, 19) i");
    Map<Integer, Row> rows = new TreeMap<>();
    for (int i = 0; i < ROWS; i++) {
      rows.put(i, new Row(i % GROUPS, i));
    }
    state = rows;
  }

  /** Makes each change at least once. */
  private static void change(Connection connection, boolean throughLarder) throws SQLException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    int changes = 0;
    while (System.nanoTime() < end || changes % CHANGES.size() != 0) {
      boolean moves = throughLarder && changes % 2 == 1;
      if (moves) {
        run(connection, "DROP TRIGGER moves ON item");
      }
      run(connection, CHANGES.get(changes % CHANGES.size()));
      if (throughLarder && !moves) {
        run(connection, MOVE);
        LarderProbe.awaitCatalog(connection); // Every second change comes while it is being read.
      }
      changes++;
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)); // The time in which rows are kept.
    }
  }

  private Void write(Connection connection) throws SQLException {
    for (long v = ROWS; !over.get(); v++) {
      int id = random.nextInt(ROWS);
      int grp = random.nextInt(GROUPS);
      Map<Integer, Row> before = state;
      state = null;
      Map<Integer, Row> after = new TreeMap<>(before);
      switch (random.nextInt(5)) {
        case 0 -> apply(connection, after, "UPDATE item SET v = ? WHERE id = ?", v, id);
        case 1 ->
            apply(connection, after, "UPDATE item SET v = ?, grp = ? WHERE id = ?", v, grp, id);
        case 2 -> apply(connection, after, "UPDATE item SET v = v + 1000 WHERE grp = ?", grp);
        case 3 ->
            apply(
                connection, after, "UPDATE item SET grp = ? WHERE v = ?", grp, before.get(id).v());
        default -> {
          apply(connection, new TreeMap<>(), "DELETE FROM item WHERE id = ?", id);
          apply(connection, after, "INSERT INTO item (id, grp, v) VALUES (?, ?, ?)", id, grp, v);
        }
      }
      state = after;
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(3)); // The time in which reads are checked.
    }
    return null;
  }

  private static void apply(
      Connection connection, Map<Integer, Row> rows, String sql, Object... binds)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql + " RETURNING id, grp, v")) {
      bind(statement, binds);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.put(row.getInt(1), new Row(row.getInt(2), row.getLong(3)));
        }
      }
    }
  }

  private static void bind(PreparedStatement statement, Object... binds) throws SQLException {
    for (int i = 0; i < binds.length; i++) {
      statement.setObject(i + 1, binds[i]);
    }
  }

  private Void read(Connection connection, int seed) throws SQLException {
    Random own = new Random(seed);
    while (!over.get()) {
      int id = own.nextInt(ROWS);
      int grp = own.nextInt(GROUPS);
      Map<Integer, Row> before = state;
      boolean byId = own.nextBoolean();
      String sql = "SELECT id, grp, v FROM item WHERE " + (byId ? "id" : "grp") + " = ?";
      Map<Integer, Row> found = new TreeMap<>();
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        bind(statement, byId ? id : grp);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            found.put(row.getInt(1), new Row(row.getInt(2), row.getLong(3)));
          }
        }
      }
      if (before != null && before == state) {
        Map<Integer, Row> wanted = new TreeMap<>(before);
        wanted.entrySet().removeIf(e -> byId ? e.getKey() != id : e.getValue().grp() != grp);
        assertThat(found).as(sql + " with " + (byId ? id : grp)).isEqualTo(wanted);
        checked.incrementAndGet();
      }
    }
    return null;
  }
}
