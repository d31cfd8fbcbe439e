package dev.larder.jdbc;

import dev.larder.store.FaultPoint;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What happens where a thread passes a point of Larder's own code that may fail. */
public final class FaultPoints {
  private FaultPoints() {}

  /** Has {@code fault} run at each point that is passed from now on; null for none. */
  public static void inject(@Nullable Consumer<FaultPoint> fault) {
    try {
      Method method = FaultPoint.class.getDeclaredMethod("inject", Consumer.class);
      method.setAccessible(true);
      method.invoke(null, fault);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Has {@code action} run where the next thread passes {@code place}. */
  public static void once(FaultPoint place, Action action) {
    AtomicReference<Action> left = new AtomicReference<>(action);
    inject(
        point -> {
          Action now = point == place ? left.getAndSet(null) : null;
          if (now != null) {
            try {
              now.run();
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  /** What may fail. */
  public interface Action {
    /** Acts. */
    void run() throws Exception;
  }
}
