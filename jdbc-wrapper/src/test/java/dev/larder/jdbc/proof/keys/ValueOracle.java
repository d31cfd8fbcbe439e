package dev.larder.jdbc.proof.keys;

import dev.larder.engine.Plan;
import dev.larder.jdbc.LarderDriver;
import dev.larder.jdbc.bind.Parameters;
import dev.larder.jdbc.catalog.PostgresCatalogLoader;
import dev.larder.jdbc.proof.keys.ValueForms.Form;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.keys.KeyTable;
import dev.larder.keys.RowCells;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultLimits;
import dev.larder.store.KeyTag;
import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.Tag;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares what the analysis makes of a value with what the server does, for columns of every type
 * and values in every form. All that names a row by its value must name it by one cell, or say that
 * it does not know: a comparison in a read, one in a write, what is assigned, what a result shows,
 * and what is carried over from another column. So values that have different cells differ for the
 * server.
 */
public final class ValueOracle {
  private static final List<String> MODES =
      List.of(
          "",
          "&preferQueryMode=simple",
          "&prepareThreshold=-1",
          "&binaryTransfer=false",
          "&stringtype=unspecified",
          "&stringtype=unspecified&preferQueryMode=simple");

  /** How many values of a column are carried over to each other column. */
  private static final int CARRIED = 8;

  private final String url;
  private final Random random;
  private final List<Session> sessions = new ArrayList<>();
  private final PostgresCatalogLoader loader;
  private final List<Compared> columns = new ArrayList<>();
  private final Map<String, ResolvedStatement> analyzed = new HashMap<>();
  private KeyAnalysis analysis;

  /** What was looked at. */
  public final Counts counts = new Counts();

  /** What was looked at. */
  public static final class Counts {
    public long keyed;
    public long any;
    public long refused;
    public long sameCell;
    public long carried;
    public long keyedPairs;
    public long anyPairs;
    public long keyedJoins;
    public long anyJoins;
    final List<String> table = new ArrayList<>();

    @Override
    public String toString() {
      return keyed
          + " comparisons by key, "
          + any
          + " by any, "
          + refused
          + " refused by the server; "
          + sameCell
          + " mentions of a row by its cell; "
          + keyedPairs
          + " pairs of a column's type and a value's by key, "
          + anyPairs
          + " by any; "
          + carried
          + " values carried over between columns, of "
          + keyedJoins
          + " pairs of types by key and "
          + anyJoins
          + " by any";
    }
  }

  /** A column: its table, and what its rows have been called. */
  private record Compared(
      String type,
      String table,
      TableTag tag,
      @Nullable SchemeTags scheme,
      Map<Long, KeyTag> cells,
      List<Form> known) {}

  /** Two connections with the same options. */
  private record Session(String mode, Connection bare, Connection larder) {}

  /** What Larder knows of an execution. */
  private record Known(ResolvedStatement statement, Object[] literals, Object[] binds) {}

  /** Creates an oracle in a database of its own. */
  public ValueOracle(String url, long seed) throws SQLException {
    this.url = url;
    this.random = new Random(seed);
    this.loader = new PostgresCatalogLoader(() -> DriverManager.getConnection(url));
    this.analysis = new KeyAnalysis(loader.load(), new TableVersions());
  }

  /** Compares so many in a thousand of the forms. */
  public void check(long share) throws SQLException {
    create();
    for (String mode : MODES) {
      String options = "options=-c%20synchronous_commit=off";
      String larder =
          "jdbc:larder:" + url.substring("jdbc:".length()) + "&larder.writers=this-jvm&";
      sessions.add(
          new Session(
              mode,
              DriverManager.getConnection(url + "&" + options + mode),
              Objects.requireNonNull(
                  new LarderDriver().connect(larder + options + mode, new Properties()))));
    }
    List<Form> all = ValueForms.all();
    for (Compared column : columns) {
      check(column, all.stream().filter(form -> random.nextInt(1_000) < share).toList());
    }
    for (Compared from : columns) {
      for (Compared to : columns) {
        carryOver(from, to);
      }
    }
  }

  private void create() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : ValueForms.TYPES) {
        statement.execute(sql);
      }
      for (int i = 0; i < ValueForms.COLUMNS.size(); i++) {
        statement.execute(
            "CREATE TABLE t"
                + i
                + " (n bigint GENERATED ALWAYS AS IDENTITY, v "
                + ValueForms.COLUMNS.get(i)
                + ")");
        statement.execute("CREATE INDEX ON t" + i + " (v)");
      }
    }
    analysis = new KeyAnalysis(loader.load(), analysis.versions());
    for (int i = 0; i < ValueForms.COLUMNS.size(); i++) {
      TableTag tag = analysis.tag("t" + i);
      KeyTable keys = Objects.requireNonNull(analysis.keys("t" + i));
      columns.add(
          new Compared(
              ValueForms.COLUMNS.get(i),
              "t" + i,
              tag,
              RowCells.tags(keys, tag),
              new HashMap<>(),
              new ArrayList<>()));
    }
  }

  // ---- one column

  private void check(Compared column, List<Form> forms) throws SQLException {
    Map<String, Set<String>> kinds = new TreeMap<>();
    kinds.put("keyed", new LinkedHashSet<>());
    kinds.put("any", new LinkedHashSet<>());
    Map<Assigned, Long> assigned = assign(column, forms);
    Map<Long, Long> kept = keepOne(column);
    for (Map.Entry<Assigned, Long> each : assigned.entrySet()) {
      Long row = kept.get(each.getValue());
      if (row != null) {
        Set<KeyTag> cells = written(column, each.getKey());
        named(column, cells, row, each.getKey());
      }
    }
    for (Session session : sessions) {
      show(column, session);
      for (Form form : forms) {
        if (form.binding() != null || session.mode().isEmpty()) {
          compare(column, session, form, kinds);
        }
      }
    }
    kinds.get("any").removeAll(kinds.get("keyed"));
    counts.keyedPairs += kinds.get("keyed").size();
    counts.anyPairs += kinds.get("any").size();
    counts.table.add(
        "%s: by key %s; any %d"
            .formatted(column.type(), kinds.get("keyed"), kinds.get("any").size()));
  }

  /** A form that was assigned in a session, by an INSERT or an UPDATE. */
  private record Assigned(Session session, Form form, String sql) {}

  /** Assigns every form to a row, where the server takes it; returns the rows. */
  private Map<Assigned, Long> assign(Compared column, List<Form> forms) throws SQLException {
    Map<Assigned, Long> assigned = new LinkedHashMap<>();
    for (Session session : sessions) {
      for (Form form : forms) {
        if (!form.assigns() || (form.binding() == null && !session.mode().isEmpty())) {
          continue;
        }
        String sql =
            random.nextInt(4) > 0
                ? "INSERT INTO %s (v) VALUES (%s) RETURNING n"
                : "UPDATE %s SET v = %s WHERE n = " + emptyRow(column, session) + " RETURNING n";
        sql = sql.formatted(column.table(), form.constant());
        List<Long> rows = run(session, sql, form);
        if (rows != null && !rows.isEmpty()) {
          assigned.put(new Assigned(session, form, sql), rows.get(0));
        }
      }
    }
    return assigned;
  }

  private static long emptyRow(Compared column, Session session) throws SQLException {
    try (Statement statement = session.bare().createStatement();
        ResultSet row =
            statement.executeQuery(
                "INSERT INTO " + column.table() + " DEFAULT VALUES RETURNING n")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Deletes all but one of the rows that look alike; returns the one that stands for each. */
  private Map<Long, Long> keepOne(Compared column) throws SQLException {
    Map<Long, Long> kept = new HashMap<>();
    Connection bare = sessions.get(0).bare();
    try (Statement statement = bare.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT n, min(n) OVER (PARTITION BY v::text COLLATE \"C\") FROM "
                    + column.table()
                    + " WHERE v IS NOT NULL")) {
      while (rows.next()) {
        kept.put(rows.getLong(1), rows.getLong(2));
      }
    }
    execute(
        bare,
        "DELETE FROM %1$s WHERE n NOT IN (SELECT min(n) FROM %1$s GROUP BY v::text COLLATE \"C\")"
            .formatted(column.table()));
    return kept;
  }

  private void compare(Compared column, Session session, Form form, Map<String, Set<String>> kinds)
      throws SQLException {
    String condition = form.condition();
    List<Long> rows = run(session, "SELECT n FROM " + column.table() + " WHERE " + condition, form);
    if (rows == null) {
      counts.refused++;
      return;
    }
    Set<KeyTag> read =
        cellsRead(
            column, session, "SELECT n, v FROM " + column.table() + " WHERE " + condition, form);
    Set<KeyTag> deleted =
        cellsWritten(
            column,
            known(session, "DELETE FROM " + column.table() + " WHERE " + condition, form),
            false);
    if (read == null) {
      counts.any++;
    } else {
      counts.keyed++;
    }
    Objects.requireNonNull(kinds.get(read == null ? "any" : "keyed")).add(form.kind());
    for (long row : rows) {
      named(column, read, row, form + session.mode());
      named(column, deleted, row, "DELETE by " + form + session.mode());
    }
    if (read != null
        && read.size() == 1
        && form.binding() == null
        && column.known().size() < CARRIED
        && !rows.isEmpty()
        && random.nextInt(4) == 0) {
      column.known().add(form);
    }
  }

  /** What a result shows, in the format of the session. */
  private void show(Compared column, Session session) throws SQLException {
    if (column.scheme() == null) {
      return;
    }
    KeyTable keys = Objects.requireNonNull(analysis.keys(column.table()));
    String sql = "SELECT n, v FROM " + column.table() + " WHERE v IS NOT NULL";
    try (PreparedStatement statement = session.bare().prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      CachedResult result =
          Objects.requireNonNull(PostgresResults.capture(rows, ResultLimits.NONE, null));
      for (int i = 0; rows.next(); i++) {
        KeyTag cell = RowCells.shown(keys, column.tag(), result, i);
        named(
            column, cell == null ? null : Set.of(cell), rows.getLong(1), "shown" + session.mode());
      }
    }
  }

  /** Something names a row by cells, or null where by none that are known. */
  private void named(Compared column, @Nullable Collection<KeyTag> cells, long row, Object by) {
    if (cells == null) {
      return;
    }
    counts.sameCell++;
    KeyTag before = column.cells().get(row);
    boolean first = before == null && cells.size() == 1;
    if (first) {
      column.cells().put(row, cells.iterator().next());
    } else if (before == null ? cells.isEmpty() : !cells.contains(before)) {
      throw new AssertionError(
          column.type()
              + ": "
              + by
              + " names the row "
              + row
              + " ("
              + value(column, row)
              + ") by "
              + cells
              + ", and something else by "
              + before);
    }
  }

  private String value(Compared column, long row) {
    try (Statement statement = sessions.get(0).bare().createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT v FROM " + column.table() + " WHERE n = " + row)) {
      return rows.next() ? "'" + rows.getString(1) + "'" : "gone";
    } catch (SQLException e) {
      return e.getMessage();
    }
  }

  // ---- two columns

  /** An equality of two columns carries the value of one over to the other. */
  private void carryOver(Compared from, Compared to) throws SQLException {
    boolean keyed = false;
    String sql =
        "SELECT b.n FROM " + from.table() + " a JOIN " + to.table() + " b ON b.v = a.v WHERE a.";
    for (Form form : from.known()) {
      Session session = sessions.get(0);
      List<Long> rows = run(session, sql + form.condition(), form);
      if (rows == null) {
        counts.anyJoins++;
        return;
      }
      Set<KeyTag> cells = cellsRead(to, session, sql + form.condition(), form);
      keyed |= cells != null;
      counts.carried++;
      for (long row : rows) {
        named(to, cells, row, form + " carried over from " + from.type());
      }
    }
    counts.keyedJoins += keyed ? 1 : 0;
    counts.anyJoins += keyed ? 0 : 1;
  }

  // ---- what the server does

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the rows that the server answers with, or null where it or the driver refuses. */
  private static @Nullable List<Long> run(Session session, String sql, Form form) {
    try (PreparedStatement statement = session.bare().prepareStatement(sql)) {
      if (form.binding() != null) {
        form.binding().set(statement);
      }
      List<Long> answer = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          answer.add(rows.getLong(1));
        }
      }
      return answer;
    } catch (SQLException | RuntimeException e) {
      return null; // The driver refuses some values in its own way.
    }
  }

  // ---- what Larder knows

  /** Returns what Larder knows of an execution, or null where it cannot tell the values apart. */
  private @Nullable Known known(Session session, String sql, Form form) throws SQLException {
    try (PreparedStatement statement = session.larder().prepareStatement(sql)) {
      if (form.binding() != null) {
        form.binding().set(statement);
      }
      Plan plan = (Plan) field(statement, "plan");
      ResolvedStatement resolved =
          analyzed.computeIfAbsent(
              plan.shape().shape().text(), text -> analysis.of(plan.shape().shape()));
      Parameters parameters = (Parameters) field(statement, "parameters");
      return new Known(resolved, plan.literals(), parameters.keyParts().clone());
    }
  }

  private static Object field(PreparedStatement statement, String name) {
    try {
      Field field = statement.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return Objects.requireNonNull(field.get(statement));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no field " + name, e);
    }
  }

  private static @Nullable Set<KeyTag> cellsRead(Compared column, @Nullable Known known) {
    SchemeTags scheme = column.scheme();
    if (known == null || scheme == null || known.statement().bypass() != null) {
      return null;
    }
    List<Tag> tags =
        known
            .statement()
            .keys()
            .reads()
            .dependencies(known.statement().readTags(), known.literals(), known.binds())
            .all();
    return tags.contains(scheme.unknownOld()) && tags.contains(scheme.unknownNew())
        ? cells(column, tags)
        : null;
  }

  private @Nullable Set<KeyTag> cellsRead(Compared column, Session session, String sql, Form form)
      throws SQLException {
    return cellsRead(column, known(session, sql, form));
  }

  private @Nullable Set<KeyTag> written(Compared column, Assigned assigned) throws SQLException {
    return cellsWritten(column, known(assigned.session(), assigned.sql(), assigned.form()), true);
  }

  private static @Nullable Set<KeyTag> cellsWritten(
      Compared column, @Nullable Known known, boolean made) {
    SchemeTags scheme = column.scheme();
    if (known == null || scheme == null) {
      return null;
    }
    var written =
        known
            .statement()
            .keys()
            .narrowed(known.statement().writes(), known.literals(), known.binds(), false);
    List<Tag> tags = written.bumped();
    boolean named = !written.unknown() && written.namesRowsOf(column.tag());
    return named && !tags.contains(made ? scheme.unknownNew() : scheme.unknownOld())
        ? cells(column, tags)
        : null;
  }

  private static Set<KeyTag> cells(Compared column, List<Tag> tags) {
    SchemeTags scheme = Objects.requireNonNull(column.scheme());
    Set<KeyTag> cells = new HashSet<>();
    for (Tag tag : tags) {
      boolean cell =
          tag instanceof KeyTag key
              && key.table().equals(column.tag())
              && !key.isOfColumn()
              && !List.of(scheme.unknownOld(), scheme.unknownNew(), column.tag().rows())
                  .contains(tag);
      if (cell) {
        cells.add((KeyTag) tag);
      }
    }
    return cells;
  }

  /** Closes what the oracle holds. */
  public void close() throws SQLException {
    loader.release();
    for (Session session : sessions) {
      session.bare().close();
      session.larder().close();
    }
  }
}
