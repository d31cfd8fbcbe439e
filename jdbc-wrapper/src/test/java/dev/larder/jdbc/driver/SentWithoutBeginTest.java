package dev.larder.jdbc.driver;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.ProtocolFixture;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.copy.CopyIn;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.QueryExecutor;

/**
 * The driver's {@code execSQLUpdate} and {@code execSQLQuery}, and COPY and calls of functions at
 * its executor, send no BEGIN although autocommit is off: where no transaction is open, what they
 * write is committed at once.
 */
@Tag("regression")
final class SentWithoutBeginTest extends ProtocolFixture {
  private BaseConnection base;

  @BeforeEach
  void fill() throws SQLException {
    run(
        one,
        "CREATE FUNCTION rename() RETURNS int LANGUAGE plpgsql AS"
            + " $$ BEGIN UPDATE item SET name = 'f' WHERE id = 1; RETURN 1; END $$");
    base = one.unwrap(BaseConnection.class);
    one.setAutoCommit(false);
    run(two, "UPDATE item SET name = 'a' WHERE id = 1");
    fillBoth();
    one.rollback();
  }

  private void assertCommitted(String... names) throws SQLException {
    assertThat(rows(past, ITEMS)).containsExactly(names);
    assertThat(rows(two, ITEMS)).containsExactly(names);
    assertThat(rows(one, ITEMS)).containsExactly(names);
    one.rollback();
    assertThat(rows(two, ITEMS)).containsExactly(names);
  }

  @Test
  void anUpdate() throws SQLException {
    base.execSQLUpdate("UPDATE item SET name = 'x' WHERE id = 1");
    assertCommitted("x", "b");
  }

  @Test
  void rowsThatAnUpdateReturns() throws SQLException {
    try (ResultSet row = base.execSQLQuery("UPDATE item SET name = 'y' RETURNING name")) {
      assertThat(row.next()).isTrue();
    }
    assertCommitted("y", "y");
  }

  @Test
  void aQueryThatWrites() throws SQLException {
    try (ResultSet row = base.execSQLQuery("SELECT rename()")) {
      assertThat(row.next()).isTrue();
    }
    assertCommitted("f", "b");
  }

  @Test
  void aCopy() throws SQLException {
    CopyIn copy = (CopyIn) base.getQueryExecutor().startCopy("COPY item FROM STDIN", true);
    byte[] row = "3\tc\n".getBytes(StandardCharsets.US_ASCII);
    copy.writeToCopy(row, 0, row.length);
    copy.endCopy();
    assertCommitted("a", "b", "c");
  }

  @Test
  @SuppressWarnings("deprecation") // The driver deprecates it.
  void aCallOfAFunction() throws SQLException {
    int function = Integer.parseInt(rows(past, "SELECT 'rename()'::regprocedure::oid").get(0));
    QueryExecutor executor = base.getQueryExecutor();
    executor.fastpathCall(function, executor.createFastpathParameters(0), true);
    assertCommitted("f", "b");
  }

  /** The driver has a transaction open then, as the server would without the cache. */
  @Test
  void afterAHitItIsInTheTransaction() throws SQLException {
    assertHit(one, NOTES, "x");
    base.execSQLUpdate("UPDATE item SET name = 'z' WHERE id = 1");
    assertThat(rows(one, ITEMS)).containsExactly("z", "b");
    assertHit(two, ITEMS, "a", "b");
    one.rollback();
    assertThat(rows(past, ITEMS)).containsExactly("a", "b");
    assertHit(two, ITEMS, "a", "b");
    assertHit(one, NOTES, "x");
    base.execSQLUpdate("UPDATE item SET name = 'z' WHERE id = 1");
    one.commit();
    assertThat(rows(two, ITEMS)).containsExactly("z", "b");
  }
}
