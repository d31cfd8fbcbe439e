package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.proof.history.Change;
import dev.larder.jdbc.proof.history.Line;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The changes of the catalog after which rows are told apart by other columns: a writer that was
 * looked up before such a change, and a reader that was looked up after it, must meet. Each can be
 * made in any state. No row is changed, and so none of them has a version, but where a table is
 * rewritten.
 */
final class SchemeWrites {
  private static final String KEY = "ALTER TABLE hot DROP CONSTRAINT IF EXISTS hot_pkey CASCADE";

  /** Changes of the table whose rows are counters, in turns: one takes away, the next adds. */
  private static final List<String> OF_HOT =
      List.of(
          "DROP INDEX IF EXISTS hot_pair",
          "CREATE INDEX IF NOT EXISTS hot_pair ON hot (pair)",
          KEY,
          KEY + "; ALTER TABLE hot ADD CONSTRAINT hot_pkey PRIMARY KEY (k)",
          "ALTER TABLE hot DROP CONSTRAINT IF EXISTS hot_next",
          KEY
              + "; ALTER TABLE hot ADD CONSTRAINT hot_pkey PRIMARY KEY (k), ADD CONSTRAINT hot_next"
              + " FOREIGN KEY (next) REFERENCES hot");

  /** Changes that write the table anew: older snapshots see it empty. */
  private static final List<String> REWRITES =
      List.of(
          "ALTER TABLE hot ALTER pair TYPE bigint",
          "ALTER TABLE hot ALTER pair TYPE numeric",
          "ALTER TABLE hot ALTER pair TYPE int");

  /** Changes that wait for no writer, or that no writer waits for. */
  private static final List<String> OF_MEMBERS =
      List.of(
          "DROP INDEX CONCURRENTLY IF EXISTS member_list",
          "CREATE INDEX CONCURRENTLY IF NOT EXISTS member_list ON member (list)",
          "DROP INDEX IF EXISTS member_list",
          "CREATE INDEX IF NOT EXISTS member_list ON member (list)",
          "REINDEX TABLE member",
          "ALTER TABLE member DROP CONSTRAINT member_head, ADD CONSTRAINT member_head"
              + " FOREIGN KEY (list) REFERENCES head ON DELETE CASCADE",
          "ALTER TABLE member ALTER code TYPE text",
          "ALTER TABLE member DROP CONSTRAINT IF EXISTS member_pkey; ALTER TABLE member"
              + " ADD CONSTRAINT member_pkey PRIMARY KEY (k)");

  private final Client client;
  private final Writer writer;
  private final Random random;

  SchemeWrites(Client client, Writer writer) {
    this.client = client;
    this.writer = writer;
    this.random = client.random();
  }

  void write(Change change) throws SQLException {
    if (random.nextInt(4) == 0) {
      members();
    } else {
      hot(change);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void members() throws SQLException {
    String ddl = OF_MEMBERS.get(random.nextInt(OF_MEMBERS.size()));
    try {
      if (random.nextBoolean()) {
        execute(client.connection(), ddl);
      } else {
        try (Connection past = client.arena().connectPast()) {
          execute(past, ddl);
        }
      }
    } catch (SQLException e) {
      client.expect(e);
    }
  }

  /** Lets the writer go on once results have been filled under the new catalog. */
  private void hot(Change change) throws SQLException {
    Connection own = client.connection();
    execute(own, "SELECT pg_advisory_lock(" + Slots.SLOW_WRITE_LOCK + ')');
    try {
      if (random.nextInt(8) == 0) {
        writer.transaction(change, slots -> rewrite(change, slots));
      } else if (random.nextBoolean()) {
        writer.transaction(change, slots -> change(own));
      } else {
        long before = LarderProbe.catalogVersion(own);
        past();
        execute(own, "DO $$ BEGIN END $$"); // After which the catalog is compared at once.
        for (int i = 0; i < 200 && LarderProbe.catalogVersion(own) == before; i++) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
      }
      LarderProbe.awaitCatalog(own);
      for (int pass = 0; pass < 2; pass++) { // What the rows show needs cells that are there.
        for (Query query : Query.ALL) {
          if (query.lines() >> Line.HOT_1.ordinal() != 0) {
            client.read(query, false);
          }
        }
      }
    } finally {
      execute(own, "SELECT pg_advisory_unlock(" + Slots.SLOW_WRITE_LOCK + ')');
    }
  }

  private void change(Connection connection) throws SQLException {
    execute(connection, "LOCK TABLE hot IN ACCESS EXCLUSIVE MODE");
    execute(connection, OF_HOT.get(client.arena().nextCatalogChange() % OF_HOT.size()));
    RareWrites.awaitSlowWrite(client, Writer.hotLine(random));
  }

  private void past() throws SQLException {
    try (Connection past = client.arena().connectPast()) {
      past.setAutoCommit(false);
      change(past);
      past.commit();
    } catch (SQLException e) {
      client.expect(e);
    }
  }

  private void rewrite(Change change, Slots slots) throws SQLException {
    execute(client.connection(), "LOCK TABLE hot IN ACCESS EXCLUSIVE MODE");
    for (int line = Line.HOT_1.ordinal(); line < Line.count(); line++) {
      slots.bump(change, Line.of(line));
    }
    execute(client.connection(), REWRITES.get(random.nextInt(REWRITES.size())));
    change.rewrote();
    RareWrites.awaitSlowWrite(client, Writer.hotLine(random));
  }
}
