package dev.larder.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resolve.Declarations;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.store.TableTag;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What is read from bodies against what the server does: a trigger with a random body fires, and
 * the server tells which tables the transaction has changed or locked to be changed.
 */
final class BodiesOracleTest {
  private static final int BODIES = Integer.getInteger("larder.bodies", 300);
  private static final long SEED = Long.getLong("larder.proof.seed", System.nanoTime() % 1_000_000);
  private static final int AT_ONCE = 50;
  private static final List<List<String>> PATHS =
      List.of(List.of("pg_catalog", "public"), List.of("pg_catalog", "s2", "public"));

  /** The counts may hold what earlier transactions did. */
  private static final String COUNTS =
      "SELECT relid, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_user_tables"
          + " UNION ALL SELECT l.relation, 1000000 FROM pg_locks l"
          + " JOIN pg_class c ON c.oid = l.relation"
          + " WHERE l.pid = pg_backend_pid() AND l.relation >= 16384 AND c.relkind IN ('r', 'p')"
          + " AND l.mode NOT IN ('AccessShareLock', 'RowShareLock')";

  private static CatalogFixture catalog;
  private static Connection connection;

  private final Map<Long, List<TableTag>> readTags = new HashMap<>();
  private int failed;
  private int unknown;
  private int known;

  @BeforeAll
  static void create() throws SQLException {
    catalog = new CatalogFixture(RandomBodies.SCHEMA);
    List<String> triggers = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      triggers.add("CREATE TABLE fired_" + i + " (id int)");
      triggers.add("CREATE TABLE \"fired_" + i + " log\" (id int)");
      triggers.add(new RandomBodies(0).function("body_" + i));
      triggers.add(
          "CREATE TRIGGER t AFTER INSERT ON fired_%d EXECUTE FUNCTION body_%d('t4', 's2')"
              .formatted(i, i));
    }
    catalog.database.execute(triggers.toArray(String[]::new));
    connection = catalog.database.connect();
    connection.setAutoCommit(false);
  }

  @AfterAll
  static void drop() throws SQLException {
    connection.close();
    catalog.close();
  }

  @Test
  void everyTableThatABodyWritesIsKnown() throws SQLException {
    RandomBodies bodies = new RandomBodies(SEED);
    for (int done = 0; done < BODIES; done += AT_ONCE) {
      String[] made = new String[AT_ONCE];
      for (int i = 0; i < AT_ONCE; i++) {
        made[i] = bodies.function("body_" + i);
      }
      catalog.alter(made);
      for (int i = 0; i < AT_ONCE; i++) {
        compare(made[i], "INSERT INTO public.fired_" + i + " VALUES (1)", PATHS.get(i % 2));
      }
    }
    String counts =
        "seed %d: %d known, %d unknown, %d failed".formatted(SEED, known, unknown, failed);
    assertThat(known).as(counts).isGreaterThan(BODIES * 2 / 5);
  }

  private void compare(String body, String sql, List<String> path) throws SQLException {
    ResolvedStatement resolved = catalog.resolve(sql, path, Declarations.NONE);
    Set<Long> written = written(sql, path);
    if (resolved.writes().unknown()) {
      unknown++;
      return;
    }
    known += written.isEmpty() ? 0 : 1;
    for (long oid : written) {
      if (!readTags.containsKey(oid)) {
        readTags.put(oid, catalog.resolve("SELECT 1 FROM " + name(oid)).readTags());
      }
      boolean found = !Collections.disjoint(resolved.writes().tags(), readTags.get(oid));
      assertThat(found).as("seed %d: %s is written by %s", SEED, name(oid), body).isTrue();
    }
  }

  /** Returns what the server has written; nothing if the body has failed. */
  private Set<Long> written(String sql, List<String> path) throws SQLException {
    Set<Long> written = new HashSet<>();
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "SET LOCAL statement_timeout = '10s'"); // A body may double rows again and again.
      statement.execute("SET LOCAL search_path = " + String.join(", ", path));
      Map<Long, Long> before = counts(statement);
      statement.execute(sql);
      counts(statement)
          .forEach(
              (oid, count) -> {
                if (count > before.getOrDefault(oid, 0L)) {
                  written.add(oid);
                }
              });
    } catch (SQLException e) {
      failed++;
    } finally {
      connection.rollback();
    }
    return written;
  }

  private static Map<Long, Long> counts(Statement statement) throws SQLException {
    Map<Long, Long> counts = new HashMap<>();
    try (ResultSet rows = statement.executeQuery(COUNTS)) {
      while (rows.next()) {
        counts.merge(rows.getLong(1), rows.getLong(2), Long::sum);
      }
    }
    return counts;
  }

  private static String name(long oid) throws SQLException {
    return catalog.database.queryString("SELECT " + oid + "::regclass");
  }
}
