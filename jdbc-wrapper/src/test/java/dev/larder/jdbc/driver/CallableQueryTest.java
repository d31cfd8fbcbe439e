package dev.larder.jdbc.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGStatement;

/** {@code prepareCall} with a plain query: answered from memory, and else as the driver's. */
final class CallableQueryTest {
  private static final String QUERY = "SELECT name FROM item WHERE id = ?";

  private TestDatabase database;
  private Connection larder;
  private Connection bare;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a'), (2, 'b')",
        "CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT 2 * n'");
    larder = LarderProbe.connect(database);
    bare = database.connect();
  }

  @AfterEach
  void close() throws SQLException {
    larder.close();
    bare.close();
    database.close();
  }

  private static String name(CallableStatement call, int id) throws SQLException {
    call.setInt(1, id);
    try (ResultSet row = call.executeQuery()) {
      assertThat(row.getStatement()).isSameAs(call);
      return row.next() ? row.getString(1) : "none";
    }
  }

  @Test
  void itHitsUntilItsRowIsWritten() throws SQLException {
    try (CallableStatement call = larder.prepareCall(QUERY)) {
      assertThat(List.of(name(call, 1), name(call, 2), name(call, 3)))
          .containsExactly("a", "b", "none");
      long before = LarderProbe.hits(larder);
      assertThat(name(call, 1)).isEqualTo("a");
      assertThat(LarderProbe.hits(larder)).isEqualTo(before + 1);
      LarderProbe.run(larder, "UPDATE item SET name = 'c' WHERE id = 1");
      assertThat(name(call, 1)).isEqualTo("c");
    }
  }

  @Test
  void whatOnlyACallHasTheDriverAnswers() throws SQLException {
    try (CallableStatement mine = larder.prepareCall(QUERY);
        CallableStatement drivers = bare.prepareCall(QUERY)) {
      assertThat(name(mine, 1)).isEqualTo(name(drivers, 1));
      assertSame(
          () -> mine.registerOutParameter(1, Types.INTEGER),
          () -> drivers.registerOutParameter(1, Types.INTEGER));
      assertSame(() -> mine.getInt(1), () -> drivers.getInt(1));
      assertSame(() -> mine.setInt("id", 1), () -> drivers.setInt("id", 1));
      assertSame(mine::wasNull, drivers::wasNull);
      assertThat(mine.unwrap(CallableStatement.class)).isSameAs(mine);
      assertThat(mine.isWrapperFor(CallableStatement.class)).isTrue();
      assertThat(mine.unwrap(PGStatement.class).getPrepareThreshold())
          .isEqualTo(drivers.unwrap(PGStatement.class).getPrepareThreshold());
      assertThat(mine.getConnection()).isSameAs(larder);
      assertThat(mine.equals(mine)).isTrue();
      assertThat(mine.getMetaData().getColumnCount()).isEqualTo(1);
      assertThat(mine.getParameterMetaData().getParameterCount()).isEqualTo(1);
    }
    CallableStatement mine = larder.prepareCall(QUERY);
    CallableStatement drivers = bare.prepareCall(QUERY);
    mine.close();
    drivers.close();
    assertThat(mine.isClosed()).isTrue();
    assertSame(() -> mine.setInt(1, 1), () -> drivers.setInt(1, 1));
    assertSame(() -> mine.getInt(1), () -> drivers.getInt(1));
    assertSame(mine::executeQuery, drivers::executeQuery);
  }

  @Test
  void callsStayCalls() throws SQLException {
    try (CallableStatement call = larder.prepareCall("{? = call twice(?)}")) {
      call.registerOutParameter(1, Types.INTEGER);
      call.setInt(2, 21);
      call.execute();
      assertThat(call.getInt(1)).isEqualTo(42);
    }
    try (CallableStatement call = larder.prepareCall("SELECT 1; SELECT 2")) {
      assertThat(call.execute()).isTrue();
      assertThat(call.getMoreResults()).isTrue();
    }
    try (PreparedStatement call = larder.prepareCall("UPDATE item SET name = 'd' WHERE id = 2")) {
      assertThat(call.executeUpdate()).isEqualTo(1);
    }
  }

  private static void assertSame(SqlAction mine, SqlAction drivers) {
    Throwable expected = catchThrowable(drivers::run);
    Throwable found = catchThrowable(mine::run);
    if (expected == null) {
      assertThat(found).isNull();
    } else {
      assertThat(found).hasSameClassAs(expected).hasMessage(expected.getMessage());
    }
  }

  @FunctionalInterface
  private interface SqlAction {
    void run() throws SQLException;
  }
}
