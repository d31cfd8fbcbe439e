package dev.larder.jdbc.hit;

import dev.larder.engine.Flights;
import java.lang.reflect.Method;
import java.time.Duration;

/** How long misses wait for each other in tests. */
public final class ForcedFlights {
  private ForcedFlights() {}

  /** Has every miss be waited for so long at least, or as usual for zero. */
  public static void force(Duration least) {
    try {
      Method method = Flights.class.getDeclaredMethod("force", long.class);
      method.setAccessible(true);
      method.invoke(null, least.toNanos());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
