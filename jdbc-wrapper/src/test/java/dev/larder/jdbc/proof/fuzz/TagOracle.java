package dev.larder.jdbc.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.catalog.CatalogVersion;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.catalog.PostgresCatalogLoader;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.QueryWords;
import dev.larder.lexer.SqlLexer;
import dev.larder.resolve.Declarations;
import dev.larder.resolve.EffectfulNames;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.resolve.Scope;
import dev.larder.resolve.StatementResolver;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Runs each statement in a transaction of its own and asks {@code pg_locks} what it touched.
 *
 * <p>What it cannot see: whoever reads a partition locks the tables above it, for its bounds; a
 * partition that the planner leaves out is not locked; a lock says nothing of rows, so that it
 * never says that tags are too many; indexes, sequences, TOAST tables and the catalogs are left
 * out, for no result that reads them is cached; and temporary tables, for the session that has one
 * is not.
 */
final class TagOracle implements AutoCloseable {
  private static final Set<String> READING = Set.of("AccessShareLock", "RowShareLock");

  private static final String LOCKS =
      "SELECT l.relation, c.relname, c.relkind, n.nspname, array_agg(l.mode),"
          + " ARRAY(WITH RECURSIVE up(oid) AS (SELECT c.oid UNION SELECT i.inhparent"
          + " FROM pg_inherits i JOIN up ON i.inhrelid = up.oid) SELECT oid::bigint FROM up)"
          + " FROM pg_locks l"
          + " JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE l.pid = pg_backend_pid() AND l.relation >= 16384"
          + " AND c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname !~ '^pg_'"
          + " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
          + " GROUP BY l.relation, c.oid, c.relname, c.relkind, n.nspname";

  private static final SqlAnalyzer ANALYZER = new SqlAnalyzer();

  private final FuzzCounts counts;
  private final Connection connection;
  private final PostgresCatalogLoader loader;
  private final TableVersions versions = new TableVersions();
  private CatalogVersion catalog;

  /** A relation that was locked, and the oids of itself and all that it inherits from. */
  private record Lock(
      long oid, String schema, String name, char kind, boolean writes, List<Long> lineage) {
    String sql() {
      return '"' + schema + "\".\"" + name.replace("\"", "\"\"") + '"';
    }
  }

  TagOracle(TestDatabase database, FuzzCounts counts) throws SQLException {
    this.counts = counts;
    this.connection = database.connect();
    this.loader = new PostgresCatalogLoader(database::connect);
    this.catalog = loader.load();
  }

  /** Checks every statement of {@code program}; settings and DDL stay, all else is taken back. */
  void check(Program program) throws SQLException {
    counts.programs++;
    for (Step step : program.steps()) {
      switch (step.way()) {
        case JDBC, COPY_IN, COPY_OUT -> {}
        default -> {
          if (stays(step.sql())) {
            run(step.sql());
            catalog = loader.load();
          } else if (!step.sql().contains("BEGIN;")) {
            checkOne(step);
          }
        }
      }
    }
  }

  /** Whether the statement is one of those that make the state in which others are checked. */
  private static boolean stays(String sql) {
    return sql.startsWith("SET ")
        || sql.startsWith("RESET ")
        || sql.startsWith("CREATE ")
        || sql.startsWith("ALTER ")
        || sql.startsWith("DROP ")
        || sql.startsWith("GRANT ")
        || sql.startsWith("REVOKE ");
  }

  /**
   * Whether the statement locks a table as a writer does, and leaves its rows alone: PREPARE too,
   * whose EXECUTE may write anything.
   */
  private static boolean isAboutTheCatalog(String sql) {
    return List.of("COMMENT ", "ANALYZE ", "PREPARE ", "CREATE INDEX ", "REINDEX ", "LOCK ")
        .stream()
        .anyMatch(sql::startsWith);
  }

  private void run(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql.replace("LOCAL ", ""));
    } catch (SQLException e) {
      counts.errors++;
    }
  }

  private void checkOne(Step step) throws SQLException {
    List<String> path = searchPath();
    ResolvedStatement resolved = resolve(step.sql(), path);
    boolean onlyReads = path.stream().noneMatch(s -> s.startsWith("pg_t")) && onlyReads(step.sql());
    connection.setAutoCommit(false);
    List<Lock> locks = new ArrayList<>();
    try {
      execute(step);
      locks.addAll(locks());
    } catch (SQLException e) {
      counts.errors++;
      counts.states.merge(String.valueOf(e.getSQLState()), 1L, Long::sum);
      return;
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    counts.statements++;
    check(step, resolved, locks);
    if (onlyReads) {
      counts.skimmed++;
      assertThat(resolved.writes().isEmpty()).as("%s writes", step).isTrue();
      assertThat(resolved.changesSettings()).as("%s changes settings", step).isFalse();
      assertThat(locks).as("%s by its words", step).noneMatch(Lock::writes);
    }
  }

  /** Whether a look at its words tells that a text does nothing but read. */
  private boolean onlyReads(String sql) {
    QueryWords words = QueryWords.of(SqlLexer.lex(sql, LexOptions.PREPARED).shape());
    return words != null
        && !new EffectfulNames(catalog, Declarations.NONE, versions).areAmong(words);
  }

  private List<String> searchPath() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT current_schemas(true)")) {
      row.next();
      return List.of((String[]) row.getArray(1).getArray());
    }
  }

  private ResolvedStatement resolve(String sql, List<String> path) {
    return new StatementResolver(new Scope(catalog, path, Set.of(), Declarations.NONE, versions))
        .resolve(ANALYZER.analyze(SqlLexer.lex(sql, LexOptions.PREPARED).shape()));
  }

  private void execute(Step step) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(step.sql())) {
      for (int i = 0; i < step.binds().size(); i++) {
        statement.setObject(i + 1, step.binds().get(i));
      }
      statement.execute();
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET CONSTRAINTS ALL IMMEDIATE");
    }
  }

  private List<Lock> locks() throws SQLException {
    List<Lock> locks = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(LOCKS)) {
      while (rows.next()) {
        Set<String> modes = Set.of((String[]) rows.getArray(5).getArray());
        locks.add(
            new Lock(
                rows.getLong(1),
                rows.getString(4),
                rows.getString(2),
                rows.getString(3).charAt(0),
                !READING.containsAll(modes),
                List.of((Long[]) rows.getArray(6).getArray())));
      }
    }
    return locks;
  }

  private void check(Step step, ResolvedStatement resolved, List<Lock> locks) {
    if (resolved.bypass() == null) {
      counts.reads++;
      assertThat(resolved.writes().isEmpty()).as("%s writes", step).isTrue();
    } else if (!resolved.writes().unknown()) {
      counts.writes++;
    }
    for (Lock lock : locks) {
      if (resolved.bypass() == null) {
        assertThat(lock.writes()).as("%s is cacheable and writes %s", step, lock).isFalse();
        assertThat(reads(resolved, lock)).as("%s reads %s", step, lock).isTrue();
      }
      boolean rows = lock.writes() && lock.kind() != 'v' && !isAboutTheCatalog(step.sql());
      if (rows && !resolved.writes().unknown()) {
        List<TableTag> readTags = tags("SELECT 1 FROM " + lock.sql()).readTags();
        assertThat(Collections.disjoint(resolved.writes().tags(), readTags))
            .as("%s writes %s, which is not seen", step, lock)
            .isFalse();
      }
    }
  }

  /** Whether a write to what was locked is a reason not to hit the answer any more. */
  private boolean reads(ResolvedStatement resolved, Lock lock) {
    if (lock.kind() == 'v') {
      return resolved.relations().contains(lock.oid());
    }
    if (lock.kind() == 'p'
        && resolved.readTags().contains(versions.tag(TableTag.Scope.BELOW, lock.oid()))) {
      return true;
    }
    return lock.lineage().stream()
        .anyMatch(oid -> resolved.readTags().contains(versions.tag(TableTag.Scope.RELATION, oid)));
  }

  private ResolvedStatement tags(String sql) {
    return resolve(sql, List.of("pg_catalog", "public"));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    loader.release();
  }
}
