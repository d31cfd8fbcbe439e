package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.BesideTheDriver;
import dev.larder.jdbc.LarderProbe;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every method of JDBC that executes something, of every kind of statement: it answers or refuses
 * as the driver's does, and what it writes is seen by whoever has read it from memory.
 */
final class EveryExecutionTest extends BesideTheDriver {
  private static final String READ = "SELECT name FROM item ORDER BY id";
  private static final String WRITE = "UPDATE item SET name = 'new' WHERE id = 1";

  /** Makes a statement. */
  private interface Maker {
    Statement make(Connection connection) throws SQLException;
  }

  /** Executes a text, or what the statement was made for. */
  private interface Use {
    Object of(Statement statement, String sql) throws SQLException;
  }

  /** One way to execute something. */
  private record Way(String name, Maker maker, String sql, Use use) {
    /** Returns everything that can be known of the execution afterwards. */
    String answer(Connection connection) throws SQLException {
      try (Statement statement = maker.make(connection)) {
        Object answer = use.of(statement, sql);
        if (answer instanceof ResultSet) {
          assertThat(statement.getResultSet()).isSameAs(answer);
        }
        return text(answer) + state(statement);
      } catch (SQLException e) {
        return e.getClass().getName() + ' ' + e.getSQLState() + ' ' + e.getMessage();
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static String text(Object answer) throws SQLException {
    if (answer instanceof ResultSet rows) {
      return LarderProbe.rows(rows).toString();
    }
    return answer instanceof int[] counts
        ? Arrays.toString(counts)
        : answer instanceof long[] counts ? Arrays.toString(counts) : String.valueOf(answer);
  }

  private static String state(Statement statement) throws SQLException {
    StringBuilder state = new StringBuilder();
    ResultSet current = statement.getResultSet();
    if (current != null && !current.isClosed()) {
      assertThat(current.getStatement()).isSameAs(statement);
      assertThat(statement.getResultSet()).isSameAs(current);
      state.append(" current ").append(LarderProbe.rows(current));
    }
    state.append(" count ").append(statement.getUpdateCount());
    state.append('/').append(statement.getLargeUpdateCount());
    state.append(" keys ").append(LarderProbe.rows(statement.getGeneratedKeys()));
    state.append(" warnings ").append(statement.getWarnings());
    state.append(" more ").append(statement.getMoreResults());
    return state.append(" count ").append(statement.getUpdateCount()).toString();
  }

  private static final int[] NO_INDEXES = {};
  private static final int[] INDEXES = {1};
  private static final String[] NO_NAMES = {};
  private static final String[] NAMES = {"name"};

  private static Stream<Way> withText(String kind, Maker maker, String sql) {
    record Named(String name, Use use) {}
    return Stream.of(
            new Named("executeQuery", Statement::executeQuery),
            new Named("execute", Statement::execute),
            new Named("execute, no keys", (s, q) -> s.execute(q, 2)),
            new Named("execute, keys", (s, q) -> s.execute(q, 1)),
            new Named("execute, unknown option", (s, q) -> s.execute(q, 77)),
            new Named("execute, no indexes", (s, q) -> s.execute(q, NO_INDEXES)),
            new Named("execute, indexes", (s, q) -> s.execute(q, INDEXES)),
            new Named("execute, null indexes", (s, q) -> s.execute(q, (int[]) null)),
            new Named("execute, no names", (s, q) -> s.execute(q, NO_NAMES)),
            new Named("execute, names", (s, q) -> s.execute(q, NAMES)),
            new Named("update", Statement::executeUpdate),
            new Named("update, no keys", (s, q) -> s.executeUpdate(q, 2)),
            new Named("update, keys", (s, q) -> s.executeUpdate(q, 1)),
            new Named("update, no indexes", (s, q) -> s.executeUpdate(q, NO_INDEXES)),
            new Named("update, indexes", (s, q) -> s.executeUpdate(q, INDEXES)),
            new Named("update, no names", (s, q) -> s.executeUpdate(q, NO_NAMES)),
            new Named("update, names", (s, q) -> s.executeUpdate(q, NAMES)),
            new Named("large update", Statement::executeLargeUpdate),
            new Named("large update, no keys", (s, q) -> s.executeLargeUpdate(q, 2)),
            new Named("large update, keys", (s, q) -> s.executeLargeUpdate(q, 1)),
            new Named("large update, no indexes", (s, q) -> s.executeLargeUpdate(q, NO_INDEXES)),
            new Named("large update, indexes", (s, q) -> s.executeLargeUpdate(q, INDEXES)),
            new Named("large update, no names", (s, q) -> s.executeLargeUpdate(q, NO_NAMES)),
            new Named("large update, names", (s, q) -> s.executeLargeUpdate(q, NAMES)),
            new Named("batch", EveryExecutionTest::batch),
            new Named("large batch", EveryExecutionTest::largeBatch),
            new Named("empty batch", (s, q) -> s.executeBatch()),
            new Named("cleared batch", EveryExecutionTest::clearedBatch))
        .map(named -> new Way(kind + ": " + named.name(), maker, sql, named.use()));
  }

  private static Object batch(Statement statement, String sql) throws SQLException {
    statement.addBatch(sql);
    return statement.executeBatch();
  }

  private static Object largeBatch(Statement statement, String sql) throws SQLException {
    statement.addBatch(sql);
    return statement.executeLargeBatch();
  }

  private static Object clearedBatch(Statement statement, String sql) throws SQLException {
    statement.addBatch(sql);
    statement.clearBatch();
    return statement.executeBatch();
  }

  private static Stream<Way> everyWay(String sql) {
    return Stream.of(
            withText("plain", Connection::createStatement, sql),
            withText("prepared", c -> c.prepareStatement(READ), sql),
            withText("call", c -> c.prepareCall("{call rename('by call')}"), sql))
        .flatMap(ways -> ways);
  }

  private static PreparedStatement prepared(Statement statement) {
    return (PreparedStatement) statement;
  }

  /** The executions of what a statement was made for. */
  private static Stream<Way> own(String kind, Maker maker) {
    return Stream.of(
        new Way(kind + ": own query", maker, "", (s, q) -> prepared(s).executeQuery()),
        new Way(kind + ": own", maker, "", (s, q) -> prepared(s).execute()),
        new Way(kind + ": own update", maker, "", (s, q) -> prepared(s).executeUpdate()),
        new Way(
            kind + ": own large update", maker, "", (s, q) -> prepared(s).executeLargeUpdate()));
  }

  private static Stream<Way> ownAndBatches(String kind, Maker maker) {
    return Stream.concat(own(kind, maker), ownBatches(kind, maker));
  }

  private static Stream<Way> ownBatches(String kind, Maker maker) {
    return Stream.of(
        new Way(
            kind + ": own batch",
            maker,
            "",
            (s, q) -> {
              prepared(s).addBatch();
              return s.executeBatch();
            }),
        new Way(
            kind + ": own large batch",
            maker,
            "",
            (s, q) -> {
              prepared(s).addBatch();
              return s.executeLargeBatch();
            }));
  }

  private static CallableStatement registered(Connection connection) throws SQLException {
    CallableStatement call = connection.prepareCall("{? = call rename('new')}");
    call.registerOutParameter(1, java.sql.Types.INTEGER);
    return call;
  }

  static Stream<Way> writes() {
    return Stream.of(
            everyWay(WRITE),
            ownAndBatches("prepared", c -> c.prepareStatement(WRITE)),
            ownAndBatches("call", c -> c.prepareCall("{call rename('new')}")),
            own("call with result", EveryExecutionTest::registered),
            ownAndBatches("call of rows", c -> c.prepareCall("{call renamed('new')}")),
            ownAndBatches("procedure", c -> c.prepareCall("CALL work('new')")),
            ownAndBatches("write as call", c -> c.prepareCall(WRITE)),
            ownAndBatches("with keys", c -> c.prepareStatement(WRITE, 1)),
            ownAndBatches("with no indexes", c -> c.prepareStatement(WRITE, NO_INDEXES)),
            ownAndBatches("with names", c -> c.prepareStatement(WRITE, NAMES)))
        .flatMap(ways -> ways);
  }

  static Stream<Way> reads() {
    return Stream.of(
            everyWay(READ),
            ownAndBatches("prepared", c -> c.prepareStatement(READ)),
            ownAndBatches("read as call", c -> c.prepareCall(READ)),
            ownAndBatches("with keys", c -> c.prepareStatement(READ, 1)),
            ownAndBatches("with no indexes", c -> c.prepareStatement(READ, NO_INDEXES)))
        .flatMap(ways -> ways);
  }

  @Override
  protected void createMore() throws SQLException {
    database.execute(
        "CREATE FUNCTION rename(t text) RETURNS int LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE item SET name = t WHERE id = 1; RETURN 7; END $$",
        "CREATE FUNCTION renamed(t text) RETURNS SETOF text LANGUAGE sql AS"
            + " 'UPDATE item SET name = t WHERE id = 1 RETURNING name'",
        "CREATE PROCEDURE work(t text) LANGUAGE sql AS"
            + " 'UPDATE item SET name = t WHERE id = 1'");
  }

  @Override
  protected void begin() throws SQLException {
    LarderProbe.run(larder, "UPDATE item SET name = 'a' WHERE id = 1");
  }

  /** Returns the driver's answer to a write, which is undone. */
  private String undone(Way way) throws SQLException {
    bare.setAutoCommit(false);
    String answer = way.answer(bare);
    bare.rollback();
    bare.setAutoCommit(true);
    return answer;
  }

  @ParameterizedTest
  @MethodSource("writes")
  void aWriteIsAnsweredAsByTheDriverAndSeen(Way way) throws SQLException {
    String expected = undone(way);
    try (Connection reader = LarderProbe.connect(database)) {
      LarderProbe.fill(reader, READ);
      assertThat(way.answer(larder)).isEqualTo(expected);
      assertThat(LarderProbe.rows(reader, READ)).isEqualTo(LarderProbe.rows(bare, READ));
    }
  }

  private static final Set<String> SERVED =
      Set.of(
          "plain: execute",
          "plain: execute, no keys",
          "plain: executeQuery",
          "prepared: own",
          "prepared: own query",
          "with keys: own",
          "with keys: own query",
          "read as call: own",
          "read as call: own query",
          "with no indexes: own",
          "with no indexes: own query");

  @ParameterizedTest
  @MethodSource("reads")
  void aReadIsAnsweredAsByTheDriverFromMemoryToo(Way way) throws SQLException {
    LarderProbe.fill(larder, READ);
    String expected = way.answer(bare);
    way.answer(larder);
    long before = LarderProbe.hits(larder);
    for (int round = 0; round < 3; round++) {
      assertThat(way.answer(larder)).isEqualTo(expected);
    }
    assertThat(LarderProbe.hits(larder) - before).isEqualTo(SERVED.contains(way.name()) ? 3 : 0);
  }
}
