package dev.larder.jdbc.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.core.ParameterList;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.PgArray;
import org.postgresql.largeobject.LargeObjectManager;

/**
 * The driver's interface of a connection, as most code unwraps it for COPY: what is written through
 * it is seen, and the cache stays on.
 */
@SuppressWarnings("deprecation") // The driver deprecates some of what applications still use.
final class BaseConnectionTest extends ProtocolFixture {
  private static final String COPY = "COPY item FROM STDIN (FORMAT csv)";

  private BaseConnection base;

  @BeforeEach
  void unwrap() throws SQLException {
    fillBoth();
    base = two.unwrap(BaseConnection.class);
  }

  @Test
  void copyInIsSeenOnceItHasEnded() throws Exception {
    assertHit(one, ITEMS, "a", "b");
    assertThat(new CopyManager(base).copyIn(COPY, new StringReader("3,c\n"))).isOne();
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("a", "b", "c");
    LarderProbe.fill(one, ITEMS);
    assertHit(one, ITEMS, "a", "b", "c");
  }

  @Test
  void copyInOfATransactionIsSeenAfterItsCommit() throws Exception {
    two.setAutoCommit(false);
    CopyIn copy = new CopyManager(base).copyIn(COPY);
    byte[] row = "3,c\n".getBytes(StandardCharsets.UTF_8);
    copy.writeToCopy(row, 0, row.length);
    assertThat(copy.endCopy()).isOne();
    assertThat(LarderProbe.rows(two, ITEMS)).containsExactly("a", "b", "c");
    assertHit(one, ITEMS, "a", "b");
    two.commit();
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("a", "b", "c");
  }

  @Test
  void copyOutOfAQueryThatWritesIsSeen() throws Exception {
    StringWriter out = new StringWriter();
    String sql = "COPY (UPDATE item SET name = 'z' WHERE id = 1 RETURNING name) TO STDOUT";
    assertThat(new CopyManager(base).copyOut(sql, out)).isOne();
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("z", "b");
  }

  @Test
  void aTextThatIsNoCopyRuns() {
    assertThatThrownBy(() -> new CopyManager(base).copyIn("UPDATE item SET name = 'z'"))
        .isInstanceOf(SQLException.class);
    assertThat(rowsOf(one)).containsExactly("z", "z");
  }

  private static Iterable<String> rowsOf(Connection connection) {
    try {
      return LarderProbe.rows(connection, ITEMS);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void statementsOfItAreLarders() throws SQLException {
    try (Statement statement = base.createStatement()) {
      statement.execute("UPDATE item SET name = 'z' WHERE id = 1");
      assertThat(statement.getConnection()).isSameAs(two);
    }
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("z", "b");
    base.execSQLUpdate("UPDATE item SET name = 'y' WHERE id = 1");
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("y", "b");
    try (ResultSet rows =
        base.execSQLQuery("UPDATE item SET name = 'x' WHERE id = 1 RETURNING name")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).isEqualTo("x");
      assertThat(rows.getStatement().getConnection()).isSameAs(two);
    }
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("x", "b");
  }

  @Test
  void functionsByNumberAreSeen() throws SQLException {
    LarderProbe.run(
        two,
        "CREATE FUNCTION rename() RETURNS int LANGUAGE sql AS"
            + " 'UPDATE item SET name = ''z''; SELECT 1'");
    LarderProbe.awaitCatalog(one);
    LarderProbe.fill(one, ITEMS);
    int function;
    try (Statement statement = two.createStatement();
        ResultSet row = statement.executeQuery("SELECT 'rename'::regproc::oid::int")) {
      assertThat(row.next()).isTrue();
      function = row.getInt(1);
    }
    QueryExecutor executor = base.getQueryExecutor();
    ParameterList none = executor.createFastpathParameters(0);
    assertThat(executor.fastpathCall(function, none, true)).isNotNull();
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("z", "z");
  }

  @Test
  void theDriversOwnClassesTakeIt() throws SQLException {
    assertThat(new PgArray(base, Oid.INT4_ARRAY, "{1,2}").getArray())
        .isEqualTo(new Integer[] {1, 2});
    two.setAutoCommit(false);
    LargeObjectManager objects = new LargeObjectManager(base);
    long oid = objects.createLO();
    LarderProbe.run(two, "UPDATE item SET name = 'z' WHERE id = 1");
    objects.open(oid, LargeObjectManager.READ, true).close();
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("z", "b");
    assertThat(base.getAutoCommit()).isFalse();
    assertThat(base).isEqualTo(base).hasToString(two.toString());
    assertThat(base.getQueryExecutor().getServerVersionNum()).isPositive();
  }

  /** Queries of the driver's own are not announced. */
  @Test
  void whatMayWriteUnseenSwitchesTheCacheOff() throws SQLException {
    assertHit(one, ITEMS, "a", "b");
    assertThat(base.getQueryExecutor().borrowQuery("SELECT 1")).isNotNull();
    assertThat(LarderProbe.isHit(one, ITEMS)).isFalse();
  }
}
