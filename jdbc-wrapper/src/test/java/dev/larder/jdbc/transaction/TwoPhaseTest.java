package dev.larder.jdbc.transaction;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.LarderXADataSource;
import dev.larder.jdbc.ProtocolFixture;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("each-server")
final class TwoPhaseTest extends ProtocolFixture {
  private static final String UPDATE = "UPDATE item SET name = 'new' WHERE id = 1";

  private XAConnection xa() throws SQLException {
    LarderXADataSource source = new LarderXADataSource();
    source.setUrl(database.larderUrl("larder.writers=this-jvm"));
    return source.getXAConnection();
  }

  private String gid(String name) {
    return "'" + database.name() + name + "'";
  }

  @Test
  void commitPreparedInvalidatesWhatTheTransactionWroteFromAnyConnection() throws SQLException {
    for (Connection committer : List.of(two, one)) {
      run(past, "UPDATE item SET name = 'a' WHERE id = 1");
      run(two, "UPDATE item SET name = 'b' WHERE id = 2");
      fillBoth();
      run(two, "BEGIN", UPDATE, "PREPARE TRANSACTION " + gid("g"));
      assertHit(one, ITEMS, "a", "b");
      assertHit(two, ITEMS, "a", "b");
      run(committer, "COMMIT PREPARED " + gid("g"));
      assertLive(one, ITEMS, "new", "b");
      assertHit(two, ITEMS, "new", "b");
      assertHit(two, NOTES, "x");
    }
  }

  @Test
  void rollbackPreparedLeavesNothing() throws SQLException {
    fillBoth();
    run(two, "BEGIN", UPDATE, "PREPARE TRANSACTION " + gid("g"));
    run(one, "ROLLBACK PREPARED " + gid("g"));
    assertHit(one, ITEMS, "a", "b");
    assertHit(two, ITEMS, "a", "b");
    assertThatThrownBy(() -> run(one, "COMMIT PREPARED " + gid("g")))
        .isInstanceOf(SQLException.class);
    assertCachedAgain(one, ITEMS, "a", "b");
  }

  @Test
  void preparedTransactionsAreToldApart() throws SQLException {
    fillBoth();
    run(two, "BEGIN", UPDATE, "PREPARE TRANSACTION " + gid("first"));
    run(two, "BEGIN", "UPDATE other SET note = 'y'", "PREPARE TRANSACTION " + gid("second"));
    run(one, "COMMIT PREPARED " + gid("first"));
    assertLive(one, ITEMS, "new", "b");
    assertHit(one, NOTES, "x");
    run(one, "COMMIT PREPARED " + gid("second"));
    assertLive(one, NOTES, "y");
    assertHit(one, ITEMS, "new", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"E'%s\\x41'", "E'%s\\101'", "'%s'\n'x'", "E'%s\\\\'"})
  void identifiersThatAreWrittenOddlyAreNotMixedUp(String form) throws SQLException {
    fillBoth();
    String first = form.formatted(database.name() + "1");
    String second = form.formatted(database.name() + "2");
    run(two, "BEGIN", UPDATE, "PREPARE TRANSACTION " + first);
    run(two, "BEGIN", "UPDATE other SET note = 'y'", "PREPARE TRANSACTION " + second);
    run(one, "COMMIT PREPARED " + first);
    assertCachedAgain(one, ITEMS, "new", "b");
    assertCachedAgain(one, NOTES, "x");
    run(one, "COMMIT PREPARED " + second);
    assertCachedAgain(one, NOTES, "y");
  }

  @Test
  void aTransactionThatSomebodyElsePreparedInvalidatesEverything() throws SQLException {
    fillBoth();
    run(past, "BEGIN", UPDATE, "PREPARE TRANSACTION " + gid("foreign"));
    assertHit(one, ITEMS, "a", "b");
    run(one, "COMMIT PREPARED " + gid("foreign"));
    LarderProbe.awaitCatalog(one);
    assertLive(one, ITEMS, "new", "b");
    assertLive(one, NOTES, "x");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNameThatATextOfSeveralPreparesAgainMeansTheLatter(boolean batch) throws SQLException {
    fillBoth();
    run(two, "BEGIN", "UPDATE other SET note = 'y'", "PREPARE TRANSACTION " + gid("g"));
    run(past, "ROLLBACK PREPARED " + gid("g"));
    run(two, "BEGIN");
    String prepare = "PREPARE TRANSACTION " + gid("g");
    if (batch) {
      try (Statement statement = two.createStatement()) {
        statement.addBatch(UPDATE);
        statement.addBatch(prepare);
        statement.executeBatch();
      }
    } else {
      run(two, UPDATE + "; " + prepare);
    }
    LarderProbe.fill(one, ITEMS);
    run(one, "COMMIT PREPARED " + gid("g"));
    assertLive(one, ITEMS, "new", "b");
  }

  @Test
  void aNameThatIsTakenStillMeansTheTransactionThatHasIt() throws Exception {
    fillBoth();
    run(two, "BEGIN", UPDATE, "PREPARE TRANSACTION " + gid("g"));
    run(two, "BEGIN", "UPDATE other SET note = 'y'");
    assertThatThrownBy(() -> run(two, "PREPARE TRANSACTION " + gid("g")))
        .isInstanceOf(SQLException.class);
    LarderProbe.fill(one, ITEMS);
    run(one, "COMMIT PREPARED " + gid("g"));
    assertLive(one, ITEMS, "new", "b");
  }

  @Test
  void ddlThatWasPreparedIsKnownOnceItIsCommitted() throws SQLException {
    fillBoth();
    run(
        two,
        "BEGIN",
        "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE other SET note = 'audited'; RETURN NULL; END $$",
        "CREATE TRIGGER audit AFTER UPDATE ON item EXECUTE FUNCTION audit()",
        "PREPARE TRANSACTION " + gid("ddl"));
    run(two, "COMMIT PREPARED " + gid("ddl"));
    fillBoth();
    run(one, UPDATE);
    assertCachedAgain(two, NOTES, "audited");
  }

  @Test
  void onePhaseCommitInvalidates() throws Exception {
    fillBoth();
    XAConnection xa = xa();
    try (Connection handle = xa.getConnection()) {
      Xid xid = new TestXid(1);
      XAResource resource = xa.getXAResource();
      resource.start(xid, XAResource.TMNOFLAGS);
      run(handle, UPDATE);
      assertHit(one, ITEMS, "a", "b");
      assertLive(handle, ITEMS, "new", "b");
      resource.end(xid, XAResource.TMSUCCESS);
      resource.commit(xid, true);
      assertLive(one, ITEMS, "new", "b");
      assertHit(handle, ITEMS, "new", "b");
    } finally {
      xa.close();
    }
  }

  @Test
  void twoPhaseCommitInvalidatesWhoeverCommits() throws Exception {
    XAConnection xa = xa();
    XAConnection other = xa();
    try (Connection handle = xa.getConnection()) {
      for (XAConnection committer : List.of(xa, other)) {
        run(past, "UPDATE item SET name = 'a' WHERE id = 1");
        run(two, "UPDATE item SET name = 'b' WHERE id = 2");
        fillBoth();
        Xid xid = new TestXid(2);
        XAResource resource = xa.getXAResource();
        resource.start(xid, XAResource.TMNOFLAGS);
        run(handle, UPDATE);
        resource.end(xid, XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
        assertHit(one, ITEMS, "a", "b");
        assertThat(other.getXAResource().recover(XAResource.TMSTARTRSCAN)).hasSize(1);
        committer.getXAResource().commit(xid, false);
        assertLive(one, ITEMS, "new", "b");
        assertHit(one, NOTES, "x");
      }
    } finally {
      xa.close();
      other.close();
    }
  }

  @Test
  void rollbackBeforeAndAfterPrepareLeavesNothing() throws Exception {
    fillBoth();
    XAConnection xa = xa();
    try (Connection handle = xa.getConnection()) {
      XAResource resource = xa.getXAResource();
      for (boolean prepared : List.of(false, true)) {
        Xid xid = new TestXid(3);
        resource.start(xid, XAResource.TMNOFLAGS);
        run(handle, UPDATE);
        resource.end(xid, XAResource.TMSUCCESS);
        if (prepared) {
          resource.prepare(xid);
        }
        resource.rollback(xid);
        assertCachedAgain(one, ITEMS, "a", "b");
        assertHit(handle, ITEMS, "a", "b");
      }
      assertThatThrownBy(() -> resource.commit(new TestXid(99), false))
          .isInstanceOf(XAException.class);
      assertCachedAgain(one, ITEMS, "a", "b");
    } finally {
      xa.close();
    }
  }

  @Test
  void whatAHandleLeftOpenIsCommittedByTheNextOneAndSeen() throws Exception {
    fillBoth();
    XAConnection xa = xa();
    try {
      Connection handle = xa.getConnection();
      handle.setAutoCommit(false);
      run(handle, UPDATE);
      handle.close();
      assertHit(one, ITEMS, "a", "b");
      Connection next = xa.getConnection();
      // The driver has committed, or not: no reader may be told otherwise.
      assertThat(rows(one, ITEMS)).containsExactlyElementsOf(rows(past, ITEMS));
      assertCachedAgain(next, ITEMS, rows(past, ITEMS).toArray(String[]::new));
    } finally {
      xa.close();
    }
  }

  @Test
  void aHandleThatWasClosedAnswersNothingFromMemory() throws Exception {
    fillBoth();
    XAConnection xa = xa();
    try {
      Connection handle = xa.getConnection();
      Statement statement = handle.createStatement();
      PreparedStatement prepared = handle.prepareStatement(ITEMS);
      assertHit(handle, ITEMS, "a", "b");
      handle.close();
      long before = LarderProbe.hits(one);
      // The driver lets statements of a closed handle live on.
      assertThat(LarderProbe.rows(statement.executeQuery(ITEMS))).containsExactly("a", "b");
      assertThatThrownBy(prepared::executeQuery).isInstanceOf(SQLException.class);
      assertThat(LarderProbe.hits(one)).isEqualTo(before);
      assertHit(xa.getConnection(), ITEMS, "a", "b");
    } finally {
      xa.close();
    }
  }

  private record TestXid(int number) implements Xid {
    @Override
    public int getFormatId() {
      return 1;
    }

    @Override
    public byte[] getGlobalTransactionId() {
      return ("global " + number).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] getBranchQualifier() {
      return ("branch " + number).getBytes(StandardCharsets.UTF_8);
    }
  }
}
