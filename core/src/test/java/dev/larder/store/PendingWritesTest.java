package dev.larder.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PendingWritesTest {
  private final PendingWrites writes = new PendingWrites();

  private static PendingWrite write() {
    return new PendingWrite(WriteSet.NONE, 0);
  }

  @Test
  void eachIsThereUntilItIsRemovedHoweverManyAThreadHas() {
    List<PendingWrite> added = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      PendingWrite write = write();
      added.add(write);
      writes.add(write);
      assertThat(writes.all()).containsExactlyInAnyOrderElementsOf(added);
    }
    while (!added.isEmpty()) {
      writes.remove(added.remove(added.size() / 2));
      assertThat(writes.all()).containsExactlyInAnyOrderElementsOf(added);
    }
  }

  @Test
  void toRemoveOneTwiceDoesNotRemoveAnother() {
    PendingWrite first = write();
    writes.add(first);
    writes.remove(first);
    PendingWrite second = write();
    writes.add(second);
    writes.remove(first);
    assertThat(writes.all()).containsExactly(second);
  }

  /** The other thread's write is removed by this one, as after a lost connection. */
  @Test
  void anyThreadMayRemoveOne() throws InterruptedException {
    PendingWrite write = write();
    Thread thread = new Thread(() -> writes.add(write));
    thread.start();
    thread.join();
    assertThat(writes.all()).containsExactly(write);
    writes.remove(write);
    assertThat(writes.all()).isEmpty();
  }

  @Test
  void ofWhoAddsAndWhoLooksOneSeesTheOther() throws InterruptedException {
    AtomicInteger version = new AtomicInteger();
    for (int round = 0; round < 200; round++) {
      int before = version.get();
      PendingWrite write = write();
      CountDownLatch begun = new CountDownLatch(1);
      boolean[] sawChange = new boolean[1];
      Thread adder =
          new Thread(
              () -> {
                begun.countDown();
                writes.add(write);
                sawChange[0] = version.get() != before;
              });
      adder.start();
      begun.await();
      version.incrementAndGet();
      boolean sawWrite = writes.all().contains(write);
      adder.join();
      assertThat(sawWrite || sawChange[0]).isTrue();
      writes.remove(write);
    }
  }
}
