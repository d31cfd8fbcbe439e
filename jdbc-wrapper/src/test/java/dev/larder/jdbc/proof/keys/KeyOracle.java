package dev.larder.jdbc.proof.keys;

import dev.larder.catalog.CatalogVersion;
import dev.larder.jdbc.bind.Bind;
import dev.larder.jdbc.catalog.PostgresCatalogLoader;
import dev.larder.jdbc.gate.BindSnapshots;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.proof.keys.RandomStatements.Array;
import dev.larder.jdbc.proof.keys.RandomStatements.Bound;
import dev.larder.jdbc.proof.keys.RandomStatements.Prepared;
import dev.larder.jdbc.proof.keys.RandomTables.Column;
import dev.larder.jdbc.proof.keys.RandomTables.Table;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.keys.Dependencies;
import dev.larder.keys.KeyTable;
import dev.larder.keys.ReadPattern;
import dev.larder.keys.RowCells;
import dev.larder.keys.RowCells.Row;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementText;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultLimits;
import dev.larder.store.KeyTag;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.Tag;
import dev.larder.store.Weighed;
import dev.larder.store.WriteSet;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the analysis says of rows with what the server does, without a cache. A write runs
 * in a transaction that is rolled back; in it
 *
 * <ul>
 *   <li>every read whose answer has changed must depend on a tag that the write bumps (footprint);
 *   <li>the tags of every row that has come or gone must be among those (completeness).
 * </ul>
 */
public final class KeyOracle {
  private static final int READS = 40;
  private static final int WRITES = 20;
  private static final int ROWS = 6;

  /** Most of which may be refused. */
  private static final int ROWS_TRIED = 40;

  /** A random join of all tables may take hours: what takes longer counts as refused. */
  private static final String LONGEST = "1s";

  /** SQLSTATE {@code query_canceled}. */
  private static final String CANCELED = "57014";

  private final Connection connection;
  private final PostgresCatalogLoader loader;
  private final Random random;
  private final TableVersions versions = new TableVersions();

  /** What was looked at. */
  public final Counts counts = new Counts();

  private RandomTables tables = new RandomTables(new Random(0));
  private CatalogVersion catalog;
  private Table focus = tables.any();
  private List<Read> reads = List.of();
  private Map<Table, List<Row>> rows = Map.of();

  /** How much was compared. */
  public static final class Counts {
    public long cases;
    public long writes;
    public long writesByKey;
    public long readsByKey;
    public long changed;
    public long changedByKey;
    public long kept;
    public long idle;
    public long refused;

    @Override
    public String toString() {
      return cases
          + " pairs of a read and a write, "
          + readsByKey
          + " with a read by key ("
          + changed
          + " answers changed, "
          + changedByKey
          + " of reads by key; "
          + kept
          + " kept by key), "
          + writes
          + " writes compared row by row, "
          + writesByKey
          + " by key, "
          + idle
          + " changed nothing; "
          + refused
          + " statements refused";
    }
  }

  /**
   * A read.
   *
   * @param tags on one of which it depends: all that is known before, what the rows show, and
   *     columns
   */
  private record Read(
      Prepared statement, List<String> answer, boolean byKey, List<Set<? extends Tag>> tags) {}

  /** Creates an oracle that checks what {@code seed} leads to, in a database of its own. */
  public KeyOracle(String url, long seed) throws SQLException {
    this.connection = DriverManager.getConnection(url);
    execute("SET statement_timeout = '" + LONGEST + "'");
    this.random = new Random(seed);
    this.loader = new PostgresCatalogLoader(() -> DriverManager.getConnection(url));
    this.catalog = loader.load();
  }

  /** Checks writes of tables of one schema after another, until {@code atLeast} were checked. */
  public void check(long atLeast) throws SQLException {
    while (counts.writes < atLeast) {
      schema();
      for (int round = 0; round < 2; round++) {
        fill();
        for (int i = 0; i < WRITES; i++) {
          RandomStatements statements = new RandomStatements(tables, random);
          check(
              random.nextInt(3) == 0
                  ? statements.write()
                  : new KeyedStatements(tables, random, statements, rows, focus).write());
        }
      }
    }
  }

  private void schema() throws SQLException {
    connection.setAutoCommit(true);
    execute("DROP SCHEMA public CASCADE");
    execute("CREATE SCHEMA public");
    tables = new RandomTables(random);
    for (String statement : tables.ddl()) {
      try {
        execute(statement);
      } catch (SQLException e) {
        counts.refused++;
      }
    }
    catalog = loader.load();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Puts random rows into the tables, and chooses the reads, and by which plans they run. */
  private void fill() throws SQLException {
    focus = tables.any();
    RandomStatements statements = new RandomStatements(tables, random);
    KeyedStatements keyed = new KeyedStatements(tables, random, statements, Map.of(), focus);
    connection.setAutoCommit(true);
    String indexes = random.nextBoolean() ? "on" : "off";
    execute("SET enable_indexscan = " + indexes);
    execute("SET enable_bitmapscan = " + indexes);
    for (Table table : tables.tables()) {
      int count = random.nextInt(ROWS + 1);
      for (int i = 0, stored = 0; i < ROWS_TRIED && stored < count; i++) {
        try {
          run(random.nextBoolean() ? statements.row(table) : keyed.row(table));
          stored++;
        } catch (SQLException e) {
          counts.refused++;
        }
      }
    }
    rows = rows();
    keyed = new KeyedStatements(tables, random, statements, rows, focus);
    List<Read> made = new ArrayList<>();
    for (int i = 0; i < 4 * READS && made.size() < READS; i++) {
      Read read = read(random.nextInt(4) == 0 ? statements.read() : keyed.read());
      if (read != null && (read.byKey() || made.size() < READS / 4)) {
        made.add(read);
      }
    }
    reads = made;
  }

  // ---- what the analysis says

  private record Analyzed(ResolvedStatement statement, @Nullable Object[] literals) {}

  private Analyzed analyze(String sql) {
    StatementText text = SqlLexer.lex(sql, LexOptions.PREPARED);
    return new Analyzed(
        new KeyAnalysis(catalog, versions).of(text.shape()), text.literals().toArray());
  }

  private @Nullable Object[] binds(Prepared prepared) throws SQLException {
    @Nullable Object[] binds = new Object[prepared.binds().size()];
    for (int i = 0; i < binds.length; i++) {
      binds[i] = bind(prepared.binds().get(i));
    }
    return binds;
  }

  private @Nullable Object bind(Bound bound) throws SQLException {
    Object value = bound.value();
    if (value == null) {
      return new Bind.OfNull(bound.type());
    }
    if (value instanceof Array array) {
      Weighed part = BindSnapshots.keyPart(array(array), new PostgresSession(connection));
      return new Bind.OfDriver(Objects.requireNonNull(part, array.toString()));
    }
    return bound.type() == 0 ? value : new Bind.OfTyped(value, bound.type(), -1, null);
  }

  /** Returns a read with its answer and what it depends on, or null where it cannot be cached. */
  private @Nullable Read read(Prepared prepared) throws SQLException {
    Analyzed analyzed = analyze(prepared.sql());
    if (analyzed.statement().bypass() != null) {
      return null;
    }
    ReadPattern reads = analyzed.statement().keys().reads();
    List<TableTag> readTags = analyzed.statement().readTags();
    Dependencies dependencies = reads.dependencies(readTags, analyzed.literals(), binds(prepared));
    try (PreparedStatement statement = prepare(prepared);
        ResultSet result = statement.executeQuery()) {
      CachedResult captured = PostgresResults.capture(result, ResultLimits.NONE, null);
      List<String> answer = answer(result);
      List<Set<? extends Tag>> tags = new ArrayList<>();
      tags.add(Set.copyOf(dependencies.all()));
      if (captured != null) {
        tags.add(late(dependencies, captured));
      }
      if (!reads.columns().isEmpty()) {
        ReadPattern used =
            new ReadPattern(
                reads.literals(), List.of(), List.of(), reads.columns(), List.of(), reads.wide());
        tags.add(
            Set.copyOf(used.dependencies(readTags, analyzed.literals(), binds(prepared)).all()));
      }
      boolean byKey =
          !Set.copyOf(dependencies.all()).equals(Set.copyOf(readTags))
              || !dependencies.choices().isEmpty();
      return new Read(prepared, answer, byKey, tags);
    } catch (SQLException e) {
      counts.refused++;
      return null;
    }
  }

  private static Set<Tag> late(Dependencies dependencies, CachedResult result) {
    Set<Tag> tags = new HashSet<>(dependencies.tags());
    for (Dependencies.Choice choice : dependencies.choices()) {
      List<Tag> shown = choice.shown().tags(result);
      tags.addAll(shown == null ? choice.otherwise() : shown);
    }
    return tags;
  }

  // ---- what the server does

  private java.sql.Array array(Array array) throws SQLException {
    return connection.createArrayOf(array.type(), array.elements().toArray());
  }

  private PreparedStatement prepare(Prepared prepared) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(prepared.sql());
    for (int i = 0; i < prepared.binds().size(); i++) {
      Bound bound = prepared.binds().get(i);
      if (bound.value() == null) {
        statement.setNull(i + 1, bound.type());
      } else if (bound.value() instanceof Array array) {
        statement.setArray(i + 1, array(array));
      } else if (bound.type() == 0) {
        statement.setObject(i + 1, bound.value());
      } else {
        statement.setObject(i + 1, bound.value(), bound.type());
      }
    }
    return statement;
  }

  private void run(Prepared prepared) throws SQLException {
    try (PreparedStatement statement = prepare(prepared)) {
      statement.execute();
    }
  }

  private static List<String> answer(ResultSet result) throws SQLException {
    List<String> answer = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      StringBuilder row = new StringBuilder();
      for (int i = 1; i <= columns; i++) {
        row.append(result.getString(i)).append('|');
      }
      answer.add(row.toString());
    }
    answer.sort(null);
    return answer;
  }

  private List<String> answer(Prepared prepared) throws SQLException {
    try (PreparedStatement statement = prepare(prepared);
        ResultSet result = statement.executeQuery()) {
      return answer(result);
    }
  }

  private Map<Table, List<Row>> rows() throws SQLException {
    Map<Table, List<Row>> all = new LinkedHashMap<>();
    for (Table table : tables.tables()) {
      List<Row> found = new ArrayList<>();
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("SELECT t.* FROM " + table.name() + " t")) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          List<@Nullable String> values = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            Object value = result.getObject(i);
            values.add(value == null ? null : value.toString());
          }
          found.add(new Row(values));
        }
      }
      all.put(table, found);
    }
    return all;
  }

  // ---- the comparison

  private void check(Prepared write) throws SQLException {
    Analyzed analyzed = analyze(write.sql());
    WriteSet written =
        analyzed
            .statement()
            .keys()
            .narrowed(analyzed.statement().writes(), analyzed.literals(), binds(write), false);
    connection.setAutoCommit(false);
    try {
      if (begin(write)) {
        counts.writes++;
        counts.writesByKey += written.tags().stream().anyMatch(written::namesRowsOf) ? 1 : 0;
        execute("SAVEPOINT written");
        if (compareRows(write, written)) {
          compareReads(write, written);
        } else {
          counts.idle++;
        }
      }
    } finally {
      connection.rollback();
    }
  }

  private boolean begin(Prepared write) throws SQLException {
    connection.rollback();
    try {
      run(write);
      execute("SET CONSTRAINTS ALL IMMEDIATE");
      return true;
    } catch (SQLException e) {
      counts.refused++;
      return false;
    }
  }

  private void compareReads(Prepared write, WriteSet written) throws SQLException {
    Set<Tag> bumped = new HashSet<>(written.bumped());
    for (Read read : reads) {
      counts.cases++;
      counts.readsByKey += read.byKey() ? 1 : 0;
      List<String> now;
      boolean refused = false;
      try {
        now = answer(read.statement());
      } catch (SQLException e) {
        refused = true;
        now = List.of("refused " + e.getSQLState());
        execute("ROLLBACK TO written");
        if (!read.byKey() || CANCELED.equals(e.getSQLState())) {
          continue; // Another plan may fail where the first did not, or take hours.
        }
      }
      boolean changed = !now.equals(read.answer());
      counts.changed += changed ? 1 : 0;
      counts.changedByKey += changed && read.byKey() ? 1 : 0;
      for (Set<? extends Tag> tags : read.tags()) {
        boolean touched = written.unknown() || tags.stream().anyMatch(bumped::contains);
        counts.kept += touched || changed || !read.byKey() || bumped.isEmpty() ? 0 : 1;
        if (changed && !touched && !(refused && failsWithout(write, read))) {
          throw new AssertionError(
              "stale: "
                  + read.statement()
                  + "\n gave "
                  + read.answer()
                  + ", and after\n "
                  + write
                  + "\n "
                  + now
                  + "\n depends on "
                  + tags
                  + (tags == read.tags().get(0) ? "" : " (as the rows show, or by columns)")
                  + ", written "
                  + bumped
                  + "\n"
                  + String.join(";\n", tables.ddl())
                  + "\n"
                  + rows);
        }
      }
    }
  }

  /**
   * Returns whether the server refuses a read without the write, too, once rows lie elsewhere: then
   * it chooses by their order which it looks at, and any write may move them.
   */
  private boolean failsWithout(Prepared write, Read read) throws SQLException {
    connection.rollback();
    boolean fails = tables.tables().stream().anyMatch(table -> failsAsRowsMove(read, table));
    begin(write);
    execute("SAVEPOINT written");
    return fails;
  }

  /** Moves one row after the other behind all others, and asks each time. */
  private boolean failsAsRowsMove(Read read, Table table) {
    Column column = table.columns().stream().filter(c -> !c.generated()).findFirst().orElseThrow();
    String move = "UPDATE " + table.name() + " SET " + column.name() + " = " + column.name();
    try (Statement statement = connection.createStatement()) {
      List<String> places = answer(statement.executeQuery("SELECT ctid FROM " + table.name()));
      for (String place : places) {
        statement.execute(move + " WHERE ctid = '" + place.replace("|", "") + "'");
        try {
          answer(read.statement());
        } catch (SQLException e) {
          return true;
        }
      }
      return false;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether any row has come or gone. */
  private boolean compareRows(Prepared write, WriteSet written) throws SQLException {
    boolean changed = false;
    Map<Table, List<Row>> after = rows();
    for (Table table : tables.tables()) {
      List<Row> went = new ArrayList<>(Objects.requireNonNull(rows.get(table)));
      List<Row> came = new ArrayList<>();
      for (Row row : Objects.requireNonNull(after.get(table))) {
        if (!went.remove(row)) {
          came.add(row);
        }
      }
      boolean same = went.isEmpty() && came.isEmpty();
      changed |= !same;
      String missing = same || written.unknown() ? null : missing(table, written, went, came);
      if (missing != null) {
        throw new AssertionError(
            "incomplete: "
                + write
                + "\n says nothing of "
                + missing
                + " of "
                + table.name()
                + ", written "
                + written
                + "\n went "
                + went
                + "\n came "
                + came
                + "\n"
                + String.join(";\n", tables.ddl()));
      }
    }
    return changed;
  }

  private @Nullable String missing(Table table, WriteSet written, List<Row> went, List<Row> came) {
    KeyAnalysis analysis = new KeyAnalysis(catalog, versions);
    TableTag tag = analysis.tag(table.name());
    if (!written.tags().contains(tag)) {
      return "any row";
    }
    KeyTable keys = analysis.keys(table.name());
    if (keys == null || !written.namesRowsOf(tag)) {
      return null;
    }
    Set<KeyTag> bumped = new HashSet<>();
    written.bumped().stream()
        .filter(KeyTag.class::isInstance)
        .forEach(each -> bumped.add((KeyTag) each));
    return RowCells.missing(keys, tag, bumped, went, came);
  }

  /** Closes what the oracle holds. */
  public void close() throws SQLException {
    loader.release();
    connection.setAutoCommit(true);
    connection.close();
  }
}
