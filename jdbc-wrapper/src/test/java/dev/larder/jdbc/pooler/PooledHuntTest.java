package dev.larder.jdbc.pooler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.PgBouncer;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random programs behind PgBouncer, with a rude neighbour on the same process of the server who
 * leaves settings, roles and temporary tables there: through Larder on one database, and without it
 * on another. Each answer is that of the other database, or one of a session in which nobody has
 * left anything; and once all is clean again, it is that of the other database. {@code
 * -Dlarder.pooler.programs} says how many.
 */
@NeedsProgram(Program.PGBOUNCER)
@Tag("gate")
final class PooledHuntTest {
  private static final int OPERATIONS = 150;

  private static final List<String> SCHEMA =
      List.of(
          "CREATE SCHEMA one",
          "CREATE TABLE t (id int PRIMARY KEY, v int, at timestamptz)",
          "CREATE TABLE one.t (id int PRIMARY KEY, v int, at timestamptz)",
          "CREATE TABLE only_here (id int PRIMARY KEY, v int)",
          "CREATE TABLE p (id int PRIMARY KEY, tenant text, v int)",
          "ALTER TABLE p ENABLE ROW LEVEL SECURITY",
          "CREATE POLICY p_tenant ON p FOR SELECT USING (tenant = current_setting('app.tenant', true))",
          "CREATE POLICY p_all ON p FOR UPDATE USING (true)",
          "CREATE POLICY p_new ON p FOR INSERT WITH CHECK (true)",
          "GRANT USAGE ON SCHEMA one TO larder_one, larder_two",
          "GRANT ALL ON ALL TABLES IN SCHEMA one TO larder_one, larder_two",
          "GRANT ALL ON ALL TABLES IN SCHEMA public TO larder_one, larder_two");

  private static final List<String> ROWS =
      List.of(
          "DELETE FROM public.t",
          "DELETE FROM one.t",
          "DELETE FROM public.only_here",
          "INSERT INTO public.t SELECT i, i, timestamptz '2026-03-01 10:00Z' FROM generate_series(1, 4) i",
          "INSERT INTO one.t SELECT i, i + 100, '2026-03-02 10:00Z' FROM generate_series(1, 4) i",
          "INSERT INTO public.only_here SELECT i, i FROM generate_series(1, 4) i",
          "INSERT INTO public.p SELECT i, CASE WHEN i < 3 THEN 'a' ELSE 'b' END, i"
              + " FROM generate_series(1, 4) i ON CONFLICT (id) DO UPDATE SET v = excluded.v");

  private static final List<String> READS =
      List.of(
          "SELECT v FROM t WHERE id = %d",
          "SELECT sum(v) FROM t WHERE id < 9 AND v <> %d",
          "SELECT v FROM one.t WHERE id = %d",
          "SELECT v FROM public.t WHERE id = %d",
          "SELECT at::text FROM public.t WHERE id = %d",
          "SELECT to_char(at, 'HH24 DD') FROM one.t WHERE id = %d",
          "SELECT v FROM only_here WHERE id = %d",
          "SELECT count(*) FROM p WHERE v <> %d",
          "SELECT string_agg(tenant, ',' ORDER BY id) FROM p WHERE id <> %d",
          "SELECT count(*) FROM t WHERE v = NULL AND id <> %d",
          "SELECT current_setting('search_path') || v FROM only_here WHERE id = %d");

  private static final List<String> WRITES =
      List.of(
          "UPDATE t SET v = v + %d WHERE id = %d",
          "UPDATE one.t SET v = v + %d WHERE id = %d",
          "UPDATE public.t SET v = v + %d, at = at + interval '1 hour' WHERE id = %d",
          "UPDATE only_here SET v = v + %d WHERE id = %d",
          "UPDATE p SET v = v + %d WHERE id = %d",
          "INSERT INTO only_here VALUES (%d, %d) ON CONFLICT (id) DO UPDATE SET v = 7");

  private static final List<String> LEAVES =
      List.of(
          "SET search_path = one, public",
          "SET search_path = one",
          "RESET search_path",
          "SET ROLE larder_two",
          "RESET ROLE",
          "SET app.tenant = 'b'",
          "RESET app.tenant",
          "SET TimeZone = 'Asia/Kathmandu'",
          "SET DateStyle = 'ISO, DMY'",
          "SET transform_null_equals = on",
          "SET row_security = off",
          "SET default_transaction_isolation = 'repeatable read'",
          "CREATE TEMP TABLE IF NOT EXISTS t (id int, v int, at timestamptz)",
          "CREATE TEMP TABLE IF NOT EXISTS only_here AS SELECT 1 AS id, 77 AS v",
          "DISCARD ALL",
          "DISCARD ALL",
          "DISCARD ALL");

  @Test
  void eachAnswerIsOneThatTheDriverCouldHaveGiven() throws Exception {
    int programs = Integer.getInteger("larder.pooler.programs", 25);
    long first = Long.getLong("larder.pooler.seed", System.nanoTime());
    try (TestDatabase bareDatabase = TestDatabase.create();
        TestDatabase database = TestDatabase.create();
        PgBouncer barePooler = PgBouncer.start(bareDatabase, "transaction", 1);
        PgBouncer pooler = PgBouncer.start(database, "transaction", 1)) {
      bareDatabase.execute(
          "DO $$ BEGIN CREATE ROLE larder_one LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
          "DO $$ BEGIN CREATE ROLE larder_two LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
          "GRANT larder_two TO larder_one");
      bareDatabase.execute(SCHEMA.toArray(String[]::new));
      database.execute(SCHEMA.toArray(String[]::new));
      long hits = 0;
      long reads = 0;
      for (long seed : LongStream.range(first, first + programs).toArray()) {
        try (Run run = new Run(seed, bareDatabase, barePooler, pooler)) {
          run.all();
          hits += run.hits();
          reads += run.reads;
        }
      }
      System.out.println("proof: reads behind a pooler=" + reads);
      System.out.println("proof: hits behind a pooler=" + hits);
      assertThat(hits).isGreaterThan(programs);
    }
  }

  /** One program, on both databases. */
  private static final class Run implements AutoCloseable {
    private final Random random;
    private final long seed;
    private final List<String> trace = new ArrayList<>();
    private final Connection bare;
    private final Connection larder;
    private final Connection rudeToBare;
    private final Connection rude;
    private final Connection clean;
    private final long before;
    private boolean inTransaction;
    private String tenant;
    private boolean left;
    private long reads;

    Run(long seed, TestDatabase bareDatabase, PgBouncer barePooler, PgBouncer pooler)
        throws Exception {
      this.seed = seed;
      this.random = new Random(seed);
      this.bare = barePooler.connect("larder_one");
      this.larder = pooler.connectThroughLarder("larder_one", "larder.pooler.interval=100ms");
      this.rudeToBare = barePooler.connect("larder_one");
      this.rude = pooler.connect("larder_one");
      this.clean =
          DriverManager.getConnection(
              bareDatabase.url().replace("user=postgres", "user=larder_one"));
      this.before = hitsNow();
    }

    private long hitsNow() throws SQLException {
      return LarderProbe.hits(larder);
    }

    long hits() throws SQLException {
      return hitsNow() - before;
    }

    void all() throws SQLException {
      leave("DISCARD ALL");
      for (String sql : ROWS) {
        answer(bare, sql);
        answer(larder, sql);
      }
      for (int i = 0; i < OPERATIONS; i++) {
        int kind = random.nextInt(24);
        if (kind < 17) {
          read(pick(READS).formatted(random.nextInt(1, 3)));
        } else if (kind < 19) {
          write(pick(WRITES).formatted(random.nextInt(1, 5), random.nextInt(1, 5)));
        } else if (kind < 21 && !inTransaction) {
          leave(pick(LEAVES));
        } else if (inTransaction) {
          end(random.nextInt(3) > 0);
        } else {
          begin();
        }
      }
      if (inTransaction) {
        end(true);
      }
      leave("DISCARD ALL");
      for (String read : READS) {
        read(read.formatted(random.nextInt(1, 5)));
      }
    }

    private String pick(List<String> from) {
      return from.get(random.nextInt(from.size()));
    }

    private void begin() throws SQLException {
      trace.add("BEGIN");
      bare.setAutoCommit(false);
      larder.setAutoCommit(false);
      inTransaction = true;
      if (random.nextBoolean()) {
        tenant = random.nextBoolean() ? "a" : "b";
        String set =
            random.nextBoolean()
                ? "SET LOCAL app.tenant = '" + tenant + "'"
                : "SELECT set_config('app.tenant', '" + tenant + "', true)";
        trace.add(set);
        answer(bare, set);
        answer(larder, set);
      }
    }

    private void end(boolean commit) throws SQLException {
      trace.add(commit ? "COMMIT" : "ROLLBACK");
      for (Connection each : List.of(bare, larder)) {
        if (commit) {
          each.commit();
        } else {
          each.rollback();
        }
        each.setAutoCommit(true);
      }
      inTransaction = false;
      tenant = null;
    }

    private void leave(String sql) throws SQLException {
      trace.add("rude> " + sql);
      assertThat(answer(rudeToBare, sql)).as(this::toString).doesNotStartWith("!");
      assertThat(answer(rude, sql)).as(this::toString).doesNotStartWith("!");
      left = !sql.startsWith("DISCARD");
    }

    private void write(String sql) throws SQLException {
      trace.add(sql);
      String expected = answer(bare, sql);
      assertThat(answer(larder, sql)).as(this::toString).isEqualTo(expected);
      if (inTransaction && expected.startsWith("!")) {
        end(false);
      }
    }

    private void read(String sql) throws SQLException {
      trace.add(sql);
      reads++;
      String expected = answer(bare, sql);
      String found = answer(larder, sql);
      trace.set(
          trace.size() - 1,
          sql + " -> " + expected + (found.equals(expected) ? "" : " but " + found));
      if (!found.equals(expected)) {
        assertThat(left || tenant != null || inTransaction).as(this::toString).isTrue();
        assertThat(found).as(this::toString).isIn(expected, cleanAnswer(sql));
      }
      if (inTransaction && (expected.startsWith("!") || found.startsWith("!"))) {
        end(false);
      }
    }

    private String cleanAnswer(String sql) throws SQLException {
      clean.setAutoCommit(false);
      if (tenant != null) {
        answer(clean, "SET LOCAL app.tenant = '" + tenant + "'");
      }
      String text = answer(clean, sql);
      clean.rollback();
      return text;
    }

    private static String answer(Connection connection, String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        if (!statement.execute(sql)) {
          return String.valueOf(statement.getUpdateCount());
        }
        StringBuilder text = new StringBuilder();
        try (ResultSet rows = statement.getResultSet()) {
          while (rows.next()) {
            text.append(rows.getString(1)).append(' ');
          }
        }
        return text.toString();
      } catch (SQLException e) {
        return "!" + e.getSQLState();
      }
    }

    @Override
    public String toString() {
      return "seed " + seed + "\n" + String.join("\n", trace);
    }

    @Override
    public void close() throws SQLException {
      for (Connection each : List.of(bare, larder, rudeToBare, rude, clean)) {
        each.close();
      }
    }
  }
}
