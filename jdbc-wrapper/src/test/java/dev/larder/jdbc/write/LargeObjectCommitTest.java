package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.testing.Waiting;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObjectManager;

/** The driver commits by itself where a large object was opened so that its close commits. */
@Tag("regression")
final class LargeObjectCommitTest extends ProtocolFixture {
  private static final String MINE = "SELECT id FROM mine";

  private LargeObjectManager objects;
  private long oid;

  @BeforeEach
  void createLargeObject() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    objects = two.unwrap(PGConnection.class).getLargeObjectAPI();
    oid = objects.createLO();
    two.commit();
  }

  private void commitByClose() throws SQLException {
    objects.open(oid, LargeObjectManager.READ, true).close();
  }

  @Test
  void whatTheCloseCommitsIsSeen() throws SQLException {
    run(two, "UPDATE item SET name = 'z' WHERE id = 1");
    assertHit(one, ITEMS, "a", "b");
    commitByClose();
    assertThat(LarderProbe.rows(past, ITEMS)).containsExactly("z", "b");
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("z", "b");
  }

  /** The state of the connection is the same then, and so tells nothing. */
  @Test
  void whatTheCloseCommitsIsSeenThoughTheNextTransactionIsRolledBack() throws SQLException {
    run(two, "UPDATE item SET name = 'z' WHERE id = 1");
    assertHit(one, ITEMS, "a", "b");
    commitByClose();
    objects.createLO();
    two.rollback();
    assertThat(LarderProbe.rows(past, ITEMS)).containsExactly("z", "b");
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("z", "b");
  }

  /** So the rows of a tenant are shown whom the transaction has not. */
  @Test
  void whatWasHeldBackEndsWithTheClose() throws SQLException {
    run(
        one,
        "CREATE VIEW mine AS SELECT id FROM item WHERE name = current_setting('app.tenant', true)",
        "SET app.tenant = 'a'");
    LarderProbe.awaitCatalog(one);
    LarderProbe.fill(one, MINE);
    // Held back is only what the connection knows, and hit what the present catalog has.
    Waiting.until(
        "a hit",
        () -> {
          two.commit();
          run(two, "SELECT set_config('app.tenant', 'a', true)");
          return LarderProbe.isHit(two, MINE);
        });
    commitByClose();
    assertThat(LarderProbe.rows(two, MINE)).isEmpty();
  }
}
