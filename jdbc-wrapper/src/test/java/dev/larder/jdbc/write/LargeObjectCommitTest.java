package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** The driver commits by itself where a large object was opened so that its close commits. */
final class LargeObjectCommitTest extends ProtocolFixture {
  @Test
  void whatTheCloseOfALargeObjectCommitsIsSeen() throws SQLException {
    fillBoth();
    two.setAutoCommit(false);
    LargeObjectManager objects = two.unwrap(PGConnection.class).getLargeObjectAPI();
    long oid = objects.createLO();
    two.commit();
    run(two, "UPDATE item SET name = 'z' WHERE id = 1");
    LargeObject object = objects.open(oid, LargeObjectManager.READ, true);
    assertHit(one, ITEMS, "a", "b");
    object.close();
    assertThat(LarderProbe.rows(past, ITEMS)).containsExactly("z", "b");
    assertThat(LarderProbe.rows(one, ITEMS)).containsExactly("z", "b");
  }
}
