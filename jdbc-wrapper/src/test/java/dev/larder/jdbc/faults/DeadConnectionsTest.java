package dev.larder.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;

/** What was in the cache is not answered on a connection that the driver has found dead. */
final class DeadConnectionsTest extends ProtocolFixture {
  private static final String OBJECT = "SELECT max(oid) FROM pg_largeobject_metadata";

  /** Asks the server something, and so finds out that it is gone. */
  private interface Question {
    void ask() throws SQLException;
  }

  /** Gets ready to ask, while the server lives. */
  private interface Preparation {
    Question of(Connection connection) throws SQLException;
  }

  private static final Map<String, Preparation> PREPARATIONS =
      Map.of(
          "a blob", DeadConnectionsTest::blob,
          "a large object", DeadConnectionsTest::largeObject,
          "the columns of a result", DeadConnectionsTest::columns,
          "what begins a transaction after a hit", DeadConnectionsTest::settingTheTransaction);

  private static ResultSet first(Connection connection, String sql) throws SQLException {
    ResultSet rows = connection.createStatement().executeQuery(sql);
    assertThat(rows.next()).isTrue();
    return rows;
  }

  private static Question blob(Connection connection) throws SQLException {
    Blob blob = first(connection, OBJECT).getBlob(1);
    return () -> blob.getBytes(1, 1);
  }

  private static Question largeObject(Connection connection) throws SQLException {
    long oid = first(connection, OBJECT).getLong(1);
    LargeObject object = connection.unwrap(PGConnection.class).getLargeObjectAPI().open(oid);
    return () -> object.read(1);
  }

  private static Question columns(Connection connection) throws SQLException {
    ResultSetMetaData columns = first(connection, "SELECT *, now() FROM item").getMetaData();
    return () -> columns.isAutoIncrement(1);
  }

  private static Question settingTheTransaction(Connection connection) throws SQLException {
    Statement statement = connection.createStatement();
    return () -> statement.execute("SET TRANSACTION READ ONLY");
  }

  static Stream<String> names() {
    return PREPARATIONS.keySet().stream().sorted();
  }

  private static String answer(PreparedStatement statement) {
    try (ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  /** Puts the answer of the prepared statement into the cache. */
  private void fillPrepared() throws SQLException {
    LarderProbe.awaitCatalog(one);
    try (PreparedStatement statement = one.prepareStatement(ITEMS)) {
      await(
          () -> {
            long before = LarderProbe.hits(one);
            return answer(statement).equals("a") && LarderProbe.hits(one) > before;
          });
    }
  }

  private String answerAfter(Preparation preparation, Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    PreparedStatement statement = connection.prepareStatement(ITEMS);
    Question question = preparation.of(connection);
    int pid = pid(connection);
    assertThat(answer(statement)).isEqualTo("a");
    assertThat(answer(statement)).isEqualTo("a");
    run(past, "SELECT pg_terminate_backend(" + pid + ")");
    awaitGone(pid);
    assertThatThrownBy(question::ask).isInstanceOf(SQLException.class);
    assertThat(connection.isClosed()).isTrue();
    return answer(statement);
  }

  @ParameterizedTest
  @MethodSource("names")
  void nothingIsAnsweredOnceTheServerWasFoundGoneBy(String name) throws SQLException {
    run(past, "SELECT lo_from_bytea(0, 'x')");
    fillPrepared();
    Preparation preparation = PREPARATIONS.get(name);
    try (Connection bare = database.connect()) {
      long hits = LarderProbe.hits(one);
      assertThat(answerAfter(preparation, two))
          .isEqualTo(answerAfter(preparation, bare))
          .startsWith("08");
      assertThat(LarderProbe.hits(one)).isEqualTo(hits + 2);
    }
  }

  @Test
  void nothingIsAnsweredOnAConnectionThatIsOutOfStep() throws Exception {
    fillPrepared();
    String parameter = "socketFactory=" + FaultySocketFactory.class.getName();
    try (Connection faulty = LarderProbe.connect(database, parameter)) {
      PreparedStatement statement = faulty.prepareStatement(ITEMS);
      assertThat(answer(statement)).isEqualTo("a");
      FaultySocketFactory.failReading(() -> new OutOfMemoryError("injected"));
      assertThatThrownBy(() -> run(faulty, "SELECT now()")).isInstanceOf(OutOfMemoryError.class);
      assertThat(faulty.prepareStatement(ITEMS).isClosed()).isFalse();
      assertThat(answer(statement)).startsWith("08");
      assertThat(faulty.isClosed()).isTrue();
    }
  }
}
