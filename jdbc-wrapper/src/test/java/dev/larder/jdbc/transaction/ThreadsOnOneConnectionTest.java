package dev.larder.jdbc.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.FaultPoints;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import dev.larder.store.FaultPoint;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several threads share a connection: the driver runs their calls in an order of its own. */
@Tag("regression")
final class ThreadsOnOneConnectionTest extends ProtocolFixture {
  private final List<FutureTask<?>> calls = new ArrayList<>();

  private interface Call {
    void run() throws SQLException;
  }

  private Thread start(Call call) {
    Thread thread = prepared(call);
    thread.start();
    return thread;
  }

  /** Returns the thread of a call that is not started yet. */
  private Thread prepared(Call call) {
    FutureTask<?> task =
        new FutureTask<>(
            () -> {
              call.run();
              return true;
            });
    calls.add(task);
    Thread thread = new Thread(task, "caller");
    thread.setDaemon(true);
    return thread;
  }

  /** Keeps the server busy with a call on {@code one}, so that others wait behind it. */
  private void block() throws SQLException {
    run(past, "BEGIN", "LOCK TABLE other");
    start(() -> LarderProbe.rows(one, NOTES));
    awaitBlocked(pid(one));
  }

  /** Starts a call that waits for those before it. */
  private void queue(Call call) throws SQLException {
    Thread thread = start(call);
    await(() -> thread.getState() == Thread.State.WAITING);
  }

  private void unblock() throws Exception {
    run(past, "ROLLBACK");
    for (FutureTask<?> call : calls) {
      call.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void aWriteThatAnotherThreadsCommitOvertakesIsSeen() throws Exception {
    fillBoth();
    run(one, "RESET larder.cache");
    one.setAutoCommit(false);
    // Else the driver may not have read yet that there is a transaction, and commit nothing.
    run(one, "SELECT 1");
    block();
    queue(one::commit);
    queue(() -> run(one, "UPDATE item SET name = 'new' WHERE id = 1"));
    unblock();
    LarderProbe.fill(two, ITEMS);
    assertHit(two, ITEMS, "a", "b");
    one.commit();
    assertCachedAgain(two, ITEMS, "new", "b");
  }

  @Test
  void aResultIsNotKeptBehindASettingOfAnotherThread() throws Exception {
    run(past, "CREATE SCHEMA a CREATE TABLE w (x text)", "INSERT INTO a.w VALUES ('a')");
    run(past, "CREATE SCHEMA b CREATE TABLE w (x text)", "INSERT INTO b.w VALUES ('b')");
    run(one, "COMMENT ON TABLE a.w IS 'read the catalog again'");
    run(one, "SET search_path = a, public");
    run(two, "SET search_path = a, public");
    fillBoth();
    LarderProbe.fill(two, "SELECT x FROM w");
    run(one, "RESET larder.cache");
    block();
    queue(() -> run(one, "SET search_path = b, public"));
    queue(() -> assertThat(LarderProbe.rows(one, "SELECT x FROM w")).containsExactly("b"));
    unblock();
    assertThat(LarderProbe.rows(two, "SELECT x FROM w")).containsExactly("a");
    assertCachedAgain(one, "SELECT x FROM w", "b");
    assertCachedAgain(two, "SELECT x FROM w", "a");
  }

  /** The question for them waits in the driver until another thread has begun a transaction. */
  @Test
  void whatAnotherThreadsTransactionHasSetEndsWithIt() throws Exception {
    String read = "SELECT x FROM w";
    run(past, "CREATE SCHEMA a CREATE TABLE w (x text)", "INSERT INTO a.w VALUES ('a')");
    run(past, "CREATE SCHEMA b CREATE TABLE w (x text)", "INSERT INTO b.w VALUES ('b')");
    run(one, "COMMENT ON TABLE a.w IS 'read the catalog again'");
    run(two, "SET search_path = b, public", "SET DateStyle = 'ISO, DMY'");
    LarderProbe.awaitCatalog(two);
    LarderProbe.fill(two, read);
    run(one, "SET search_path = a, public", "SET DateStyle = 'ISO, DMY'");
    run(past, "BEGIN", "LOCK TABLE other");
    start(() -> run(one, "BEGIN; SET search_path = b, public; LOCK TABLE other"));
    awaitBlocked(pid(one));
    queue(() -> assertThat(LarderProbe.rows(one, read)).containsExactly("b"));
    unblock();
    assertThat(LarderProbe.rows(one, read)).containsExactly("b");
    run(one, "ROLLBACK");
    assertThat(LarderProbe.rows(one, read)).containsExactly("a");
    assertCachedAgain(one, read, "a");
    assertCachedAgain(two, read, "b");
  }

  /**
   * A reader finds the transaction ended before the thread that commits has noted it, and takes its
   * time.
   */
  @Test
  void anEndThatAnotherThreadFindsEndsNothingThatBeginsAfterIt() throws Exception {
    fillBoth();
    CountDownLatch found = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    one.setAutoCommit(false);
    run(one, "UPDATE other SET note = 'y' WHERE id = 1");
    Thread writer =
        prepared(
            () -> {
              one.commit();
              run(one, "UPDATE item SET name = 'new' WHERE id = 1");
            });
    Thread reader = prepared(() -> assertThat(LarderProbe.rows(one, NOTES)).containsExactly("y"));
    FaultPoints.inject(
        point -> {
          if (point == FaultPoint.ANSWERED
              && Thread.currentThread() == writer
              && reader.getState() == Thread.State.NEW) {
            reader.start();
            awaitLatch(found);
          } else if (point == FaultPoint.ANNOUNCING && Thread.currentThread() == reader) {
            found.countDown();
            awaitLatch(goOn);
          }
        });
    try {
      writer.start();
      awaitLatch(found);
      await(() -> !writer.isAlive() || writer.getState() == Thread.State.BLOCKED);
      goOn.countDown();
      unblock();
    } finally {
      goOn.countDown();
      FaultPoints.inject(null);
    }
    assertLive(one, ITEMS, "new", "b");
    one.rollback();
    assertCachedAgain(two, ITEMS, "a", "b");
    assertCachedAgain(two, NOTES, "y");
  }

  /**
   * Another thread changes what the name means after a write was looked up, and before it is sent.
   */
  @Test
  void aWriteWhoseNamesAnotherThreadGivesAnotherMeaningIsSeen() throws Exception {
    run(one, "CREATE SCHEMA late", "CREATE TABLE late.item (LIKE public.item INCLUDING ALL)");
    run(one, "INSERT INTO late.item SELECT * FROM public.item");
    run(one, "CREATE VIEW lately AS SELECT * FROM late.item"); // Which has no word in common.
    String late = "SELECT name FROM lately ORDER BY id";
    LarderProbe.awaitCatalog(two);
    LarderProbe.fill(two, late);
    CountDownLatch resolved = new CountDownLatch(1);
    CountDownLatch set = new CountDownLatch(1);
    Thread writer = prepared(() -> run(one, "UPDATE item SET name = 'new' WHERE id = 1"));
    FaultPoints.inject(
        point -> {
          if (point == FaultPoint.RESOLVED && Thread.currentThread() == writer) {
            resolved.countDown();
            awaitLatch(set);
          }
        });
    try {
      writer.start();
      awaitLatch(resolved);
      run(one, "SET search_path = late");
      set.countDown();
      for (FutureTask<?> call : calls) {
        call.get(60, TimeUnit.SECONDS);
      }
    } finally {
      set.countDown();
      FaultPoints.inject(null);
    }
    assertCachedAgain(two, late, "new", "b");
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).as("within 60 s").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void rowsThatTwoThreadsWriteLeaveTheirTablesCached() throws Exception {
    fillBoth();
    try (Statement items = updatable();
        Statement notes = updatable()) {
      ResultSet item = items.executeQuery("SELECT id, name FROM item ORDER BY id");
      ResultSet note = notes.executeQuery("SELECT id, note FROM other ORDER BY id");
      item.next();
      note.next();
      item.updateString("name", "z");
      note.updateString("note", "y");
      run(past, "BEGIN", "LOCK TABLE item, other IN SHARE MODE");
      start(item::updateRow);
      awaitBlocked(pid(one));
      queue(note::updateRow);
      unblock();
    }
    assertCachedAgain(two, ITEMS, "z", "b");
    assertCachedAgain(two, NOTES, "y");
  }

  private Statement updatable() throws SQLException {
    return one.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
  }
}
