package dev.larder.jdbc.gate;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOperation;

/** A COPY that is under way. Publishes after the call that ends it, whatever the call says. */
record AnnouncedCopy(CopyOperation copy, StatementGate.Passage passage)
    implements InvocationHandler {
  private static final Set<String> LAST_CALLS = Set.of("endCopy", "cancelCopy");

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments)
      throws Throwable {
    Throwable thrown = null;
    try {
      Object answer = method.invoke(copy, arguments);
      if (method.getName().equals("endCopy") && answer instanceof Long rows) {
        passage.wrote(rows);
      }
      return answer;
    } catch (InvocationTargetException e) {
      thrown = e.getCause();
      throw thrown;
    } finally {
      // A call may fail because the server has ended the COPY.
      if (LAST_CALLS.contains(method.getName()) || !copy.isActive()) {
        passage.leave(thrown);
      }
    }
  }
}
