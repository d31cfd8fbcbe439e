package dev.larder.jdbc.transaction;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LarderXADataSource;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The handles of one XA connection, of which each ends what the last one has left open: the driver
 * rolls that back.
 */
@Tag("each-server")
@Tag("regression")
final class XaHandlesTest extends ProtocolFixture {
  private XADataSource larder() throws SQLException {
    LarderXADataSource source = new LarderXADataSource();
    source.setUrl(database.larderUrl("larder.writers=this-jvm", "larder.admission=all"));
    return source;
  }

  private interface Story {
    List<String> of(XAConnection xa) throws SQLException;
  }

  /** Asserts that a story is the same with Larder and without. */
  private void assertSame(Story story) throws SQLException {
    List<String> expected;
    XAConnection bare = database.xaDataSource().getXAConnection();
    try {
      expected = story.of(bare);
    } finally {
      bare.close();
    }
    XAConnection xa = larder().getXAConnection();
    try {
      assertThat(story.of(xa)).isEqualTo(expected);
    } finally {
      xa.close();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SET app.tenant = 'other'
          SELECT set_config('app.tenant', 'other', false)
          SAVEPOINT s; SET app.tenant = 'other'; RELEASE s
          SET search_path = beside
          """)
  void whatAHandleHasSetIsUndoneWithTheTransactionThatItLeavesOpen(String setting)
      throws SQLException {
    run(
        one,
        "CREATE SCHEMA beside",
        "CREATE TABLE beside.item AS SELECT 1 AS id, 'beside' AS name",
        "CREATE VIEW tenant AS"
            + " SELECT current_setting('app.tenant', true) AS tenant, count(*) AS items FROM item");
    List<String> reads = List.of(ITEMS, "SELECT tenant, items FROM public.tenant");
    assertSame(
        xa -> {
          List<String> seen = new ArrayList<>();
          Connection handle = xa.getConnection();
          run(handle, "SET app.tenant = 'own'");
          LarderProbe.awaitCatalog(one);
          readTwice(handle, reads, seen);
          handle.setAutoCommit(false);
          run(handle, setting);
          readTwice(handle, reads, seen);
          readTwice(xa.getConnection(), reads, seen);
          return seen;
        });
  }

  @Test
  void theLevelThatAHandleHasSetIsUndoneToo() throws SQLException {
    assertSame(
        xa -> {
          List<String> seen = new ArrayList<>();
          run(past, "UPDATE item SET name = 'a' WHERE id = 1");
          Connection first = xa.getConnection();
          run(first, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ");
          first.setAutoCommit(false);
          run(first, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED");
          Connection handle = xa.getConnection();
          handle.setAutoCommit(false);
          readTwice(handle, List.of(NOTES), seen);
          run(one, "UPDATE item SET name = 'later' WHERE id = 1");
          LarderProbe.fill(one, ITEMS);
          readTwice(handle, List.of(ITEMS), seen);
          handle.rollback();
          run(one, "UPDATE item SET name = 'a' WHERE id = 1");
          return seen;
        });
  }

  @Test
  void aTemporaryTableThatAHandleHasDroppedIsThereAgain() throws SQLException {
    LarderProbe.awaitCatalog(one);
    LarderProbe.fill(one, ITEMS);
    assertSame(
        xa -> {
          List<String> seen = new ArrayList<>();
          Connection handle = xa.getConnection();
          run(handle, "CREATE TEMPORARY TABLE item AS SELECT 1 AS id, 'temporary' AS name");
          handle.setAutoCommit(false);
          run(handle, "DROP TABLE pg_temp.item");
          readTwice(handle, List.of(ITEMS), seen);
          Connection next = xa.getConnection();
          LarderProbe.awaitCatalog(one);
          readTwice(next, List.of(ITEMS), seen);
          return seen;
        });
  }

  @Test
  void aHandleThatFollowsAnotherThatHasLeftNothingOpenIsServedFromMemory() throws SQLException {
    XAConnection xa = larder().getXAConnection();
    try {
      LarderProbe.awaitCatalog(one);
      LarderProbe.fill(xa.getConnection(), ITEMS);
      assertHit(xa.getConnection(), ITEMS, "a", "b");
      Connection handle = xa.getConnection();
      handle.setAutoCommit(false);
      assertHit(handle, ITEMS, "a", "b");
      assertHit(xa.getConnection(), ITEMS, "a", "b");
    } finally {
      xa.close();
    }
  }

  private static void readTwice(Connection connection, List<String> reads, List<String> seen)
      throws SQLException {
    for (String read : reads) {
      seen.add(read + " -> " + rows(connection, read) + rows(connection, read));
    }
  }
}
