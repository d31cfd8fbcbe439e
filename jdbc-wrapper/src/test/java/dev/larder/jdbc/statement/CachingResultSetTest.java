package dev.larder.jdbc.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.Hoarder;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.replay.PostgresResults;
import dev.larder.jdbc.replay.ReplayOptions;
import dev.larder.jdbc.replay.ReplayStatements;
import dev.larder.result.CachedResult;
import dev.larder.result.ResultLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.geometric.PGpoint;
import org.postgresql.jdbc.PgArray;
import org.postgresql.jdbc.PgResultSet;
import org.postgresql.util.PGobject;

@Tag("each-jdk")
class CachingResultSetTest {
  private static final String BINARY = "prepareThreshold=-1";
  private static final String TEXT = "binaryTransfer=false";
  private static final String QUERY = "SELECT * FROM mutable ORDER BY id";
  private static final int COLUMNS = 12;

  @AutoClose private static TestDatabase database;
  @AutoClose private Connection connection;
  private PreparedStatement statement;
  private RecordingOwner owner;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE mutable (id integer PRIMARY KEY, b bytea, t text, n numeric, ts timestamp,"
            + " p point, a integer[], ab bytea[], u uuid, j jsonb, d date, r int4range)",
        "INSERT INTO mutable SELECT i, '\\x01020304', 'text', 1.5, '2024-01-01 12:00', '(1,2)',"
            + " '{1,2,3}', '{\"\\\\x0102\",NULL}', '123e4567-e89b-12d3-a456-426614174000',"
            + " '{\"a\": 1}', '2024-02-29', '[1,5)' FROM generate_series(1, 3) i");
  }

  @BeforeEach
  void connect() throws SQLException {
    open(BINARY);
  }

  private void open(String mode) throws SQLException {
    connection = DriverManager.getConnection(database.url() + "&" + mode);
    statement = connection.prepareStatement(QUERY);
    owner = new RecordingOwner(statement);
  }

  /** Hole 17: what a caller changes, nobody else sees. */
  @ParameterizedTest
  @ValueSource(strings = {BINARY, TEXT})
  void byteArrayOrTimestampThatACallerChangedIsNotChangedInTheCache(String mode) throws Exception {
    connection.close();
    open(mode);
    ResultSet live = statement.executeQuery();
    CachedResult cached = capture(live);
    List<byte[]> before = copies(cached);

    int changed = changeEverything(new CachingResultSet(live, owner, true));
    assertThat(bytes(cached)).containsExactly(before.toArray(new byte[0][]));
    changed += changeEverything(replay(cached));

    assertThat(bytes(cached)).containsExactly(before.toArray(new byte[0][]));
    assertThat(changed).isGreaterThan(2 * 3 * 2 * COLUMNS);
  }

  @ParameterizedTest
  @ValueSource(strings = {BINARY, TEXT})
  void withoutCopiesTheCacheWouldChange(String mode) throws Exception {
    connection.close();
    open(mode);
    ResultSet live = statement.executeQuery();
    CachedResult cached = capture(live);
    List<byte[]> before = copies(cached);

    changeEverything(live);

    assertThat(bytes(cached)).isNotEqualTo(before);
  }

  @Test
  void unwrappedDriverResultHasRowsOfItsOwn() throws Exception {
    CachedResult cached = capture(statement.executeQuery());
    List<byte[]> before = copies(cached);
    CachingResultSet result = replay(cached);
    result.next();
    result.next();

    PgResultSet driver = result.unwrap(PgResultSet.class);
    assertThat(owner.events).containsExactly("unwrap PgResultSet");
    assertThat(driver.getInt(1)).isEqualTo(2);
    Arrays.fill(driver.getBytes("b"), (byte) 99);
    assertThat(driver.getBytes("b")).containsOnly(99);
    assertThat(result.getBytes("b")).containsOnly(99);
    assertThat(driver.next()).isTrue();
    assertThat(driver.getBytes("b")).containsExactly(1, 2, 3, 4);
    changeEverything(driver);

    assertThat(bytes(cached)).containsExactly(before.toArray(new byte[0][]));
  }

  @Test
  void unwrapToAnInterfaceOfJdbcStaysInside() throws SQLException {
    CachingResultSet result = replay(capture(statement.executeQuery()));

    assertThat(result.unwrap(ResultSet.class)).isSameAs(result);
    assertThat(result.isWrapperFor(ResultSet.class)).isTrue();
    assertThat(result.isWrapperFor(PgResultSet.class)).isTrue();
    assertThat(result.isWrapperFor(Statement.class)).isFalse();
    assertThatThrownBy(() -> result.unwrap(Statement.class))
        .isInstanceOf(SQLException.class)
        .hasMessage("Cannot unwrap to java.sql.Statement");
    assertThat(owner.events).isEmpty();
  }

  @Test
  void binaryTypeOfAUserThatKeepsItsBytesGetsACopy() throws SQLException {
    CachedResult cached = capture(statement.executeQuery());
    List<byte[]> before = copies(cached);
    connection.unwrap(PGConnection.class).addDataType("point", Hoarder.class);
    CachingResultSet result = replay(cached);
    result.next();

    Hoarder hoarder = (Hoarder) result.getObject("p");
    Arrays.fill(hoarder.kept(), (byte) 7);

    assertThat(hoarder.kept()).hasSize(16);
    assertThat(bytes(cached)).containsExactly(before.toArray(new byte[0][]));
  }

  @Test
  void statementIsTheOwnersUntilTheResultIsClosed() throws SQLException {
    CachingResultSet result = replay(capture(statement.executeQuery()));

    assertThat(result.getStatement()).isSameAs(statement);
    result.close();
    result.close();
    assertThat(owner.events).containsExactly("closed");
    assertThatThrownBy(result::getStatement)
        .isInstanceOfSatisfying(
            SQLException.class, closed -> assertThat(closed.getSQLState()).isEqualTo("55000"));
  }

  @Test
  void rowsWrittenThroughAResultAreAnnouncedBefore() throws SQLException {
    database.execute(
        "CREATE TABLE written (id integer PRIMARY KEY)", "INSERT INTO written VALUES (1)");
    try (Statement updatable =
        connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)) {
      ResultSet live = updatable.executeQuery("SELECT id FROM written");
      CachingResultSet result = new CachingResultSet(live, owner, false);
      result.next();
      result.updateInt(1, 2);
      assertThat(owner.events).isEmpty();
      result.updateRow();
      assertThat(owner.events).containsExactly("before write", "written");
      result.moveToInsertRow();
      result.updateInt(1, 2);
      assertThatThrownBy(result::insertRow).isInstanceOf(SQLException.class);
      assertThat(owner.events).endsWith("before write", "failed");
      result.moveToCurrentRow();
      result.deleteRow();
      assertThat(owner.events).hasSize(6).endsWith("before write", "written");
    }
    assertThat(database.queryString("SELECT count(*) FROM written")).isEqualTo("0");
  }

  @Test
  void readOnlyResultAnnouncesNothing() throws SQLException {
    CachingResultSet result = replay(capture(statement.executeQuery()));
    result.next();

    assertThatThrownBy(result::deleteRow)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("CONCUR_READ_ONLY");
    assertThat(owner.events).isEmpty();
  }

  @Test
  void uncachedResultHandsOutWhatTheDriverDoes() throws SQLException {
    ResultSet live = statement.executeQuery();
    CachingResultSet result = new CachingResultSet(live, owner, false);
    result.next();

    assertThat(result.getBytes("b")).isSameAs(live.getBytes("b"));
  }

  private CachingResultSet replay(CachedResult cached) throws SQLException {
    ResultSet replayed = new ReplayStatements(connection).replay(cached, ReplayOptions.DEFAULT);
    return new CachingResultSet(replayed, owner, true);
  }

  /** Reads the rest of a result in every way that yields something mutable, and changes it. */
  private static int changeEverything(ResultSet result) throws SQLException, IOException {
    int changed = 0;
    while (result.next()) {
      List<Object> values = new ArrayList<>();
      for (int column = 1; column <= COLUMNS; column++) {
        String label = result.getMetaData().getColumnLabel(column);
        values.addAll(Arrays.asList(result.getBytes(column), result.getBytes(label)));
        values.addAll(Arrays.asList(result.getBinaryStream(column), result.getObject(column)));
        values.addAll(Arrays.asList(result.getBinaryStream(label), result.getObject(label)));
        values.addAll(Arrays.asList(result.getAsciiStream(column), result.getAsciiStream(label)));
        values.add(result.getObject(column, Map.of()));
        values.add(result.getObject(label, Map.of()));
      }
      for (String label : new String[] {"a", "ab"}) {
        int column = result.findColumn(label);
        values.addAll(Arrays.asList(result.getArray(label), result.getArray(column)));
        values.add(result.getObject(label, Array.class));
        values.add(result.getObject(column, Array.class));
      }
      values.add(result.getObject(result.findColumn("b"), byte[].class));
      values.add(result.getObject("b", byte[].class));
      values.add(result.getObject("p", PGpoint.class));
      values.add(result.getTimestamp("ts"));
      for (Object value : values) {
        changed += change(value);
      }
    }
    return changed;
  }

  private static int change(Object value) throws SQLException, IOException {
    if (value instanceof byte[] bytes) {
      Arrays.fill(bytes, (byte) 'X');
    } else if (value instanceof InputStream stream) {
      stream.transferTo(new Vandal());
    } else if (value instanceof PgArray array) {
      if (array.isBinary()) {
        change(array.toBytes());
      }
    } else if (value instanceof Timestamp timestamp) {
      timestamp.setTime(0);
    } else if (value instanceof PGpoint point) {
      point.x = 9;
    } else if (value instanceof PGobject object) {
      object.setValue("changed");
    } else {
      return 0;
    }
    return 1;
  }

  private static List<byte[]> bytes(CachedResult cached) {
    List<byte[]> all = new ArrayList<>();
    for (int row = 0; row < cached.rows().count(); row++) {
      for (int column = 0; column < cached.columns().count(); column++) {
        all.add(cached.rows().value(row, column));
      }
    }
    return all;
  }

  private static List<byte[]> copies(CachedResult cached) {
    return bytes(cached).stream().map(byte[]::clone).toList();
  }

  private static CachedResult capture(ResultSet live) throws SQLException {
    CachedResult result = PostgresResults.capture(live, ResultLimits.NONE, null);
    assertThat(result).isNotNull();
    return result;
  }

  /** Changes the arrays that it is given to write. */
  private static final class Vandal extends OutputStream {
    @Override
    public void write(int value) {}

    @Override
    public void write(byte[] bytes, int offset, int length) {
      Arrays.fill(bytes, offset, offset + length, (byte) 'V');
    }
  }
}
