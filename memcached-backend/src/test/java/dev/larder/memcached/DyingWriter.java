package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;

import dev.larder.store.FaultPoint;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A JVM that writes when it is told to, and stops on its way until it is killed; see {@link
 * KilledWriterTest}.
 */
final class DyingWriter {
  private DyingWriter() {}

  /** Works; the arguments are Larder's URL, where to stop, and what to write in which way. */
  public static void main(String[] arguments) throws Exception {
    FaultPoint last = FaultPoint.valueOf(arguments[1]);
    try (Connection connection = DriverManager.getConnection(arguments[0])) {
      LarderInstance.askUntilHit(connection, TwoInstances.READ);
      run(connection, "UPDATE t SET v = 'c' WHERE id = 2");
      boolean autocommit = arguments[2].equals("AUTOCOMMIT");
      connection.setAutoCommit(autocommit);
      int unused = System.in.read();
      if (autocommit) {
        stopAt(last);
        run(connection, "UPDATE t SET v = 'b' WHERE id = 1");
      } else {
        run(connection, "UPDATE t SET v = 'b' WHERE id = 1");
        stopAt(last);
        connection.commit();
      }
      System.out.println("passed");
    }
  }

  /** Has this thread stop for good when it passes {@code last}. */
  static void stopAt(FaultPoint last) throws ReflectiveOperationException {
    Thread victim = Thread.currentThread();
    AtomicBoolean reached = new AtomicBoolean();
    Consumer<FaultPoint> stop =
        point -> {
          if (point == last && Thread.currentThread() == victim && !reached.getAndSet(true)) {
            System.out.println("reached");
            await(new CountDownLatch(1));
          }
        };
    Method inject = FaultPoint.class.getDeclaredMethod("inject", Consumer.class);
    inject.setAccessible(true);
    inject.invoke(null, stop);
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
