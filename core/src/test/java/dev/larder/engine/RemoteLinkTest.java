package dev.larder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogVersion;
import dev.larder.remote.RemoteCache;
import dev.larder.remote.RemoteDatabase;
import dev.larder.remote.RemoteSettings;
import dev.larder.store.WriteSet;
import dev.larder.testing.Waiting;
import dev.larder.watch.CatalogLoader;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class RemoteLinkTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  private final List<String> happened = new CopyOnWriteArrayList<>();
  private volatile WriteSet untold = WriteSet.NONE;

  /** Settings whose memory notes what is done to it. */
  private record Recording(String group, RemoteCache cache) implements RemoteSettings {
    @Override
    public RemoteCache open(RemoteDatabase database) {
      return cache;
    }
  }

  private RemoteSettings settings(String group) {
    RemoteCache cache =
        proxy(
            RemoteCache.class,
            (method, arguments) -> {
              switch (method) {
                case "untold":
                  return untold;
                case "close":
                  happened.add(group + " closed");
                  return null;
                case "invalidate":
                  happened.add(group + " invalidates " + arguments[0]);
                  return null;
                default:
                  throw new IllegalStateException(method);
              }
            });
    return new Recording(group, cache);
  }

  private interface Answer {
    Object to(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> self == arguments[0];
                  case "hashCode" -> System.identityHashCode(self);
                  case "toString" -> type.getSimpleName();
                  default -> answer.to(method.getName(), arguments);
                }));
  }

  private RemoteLink link(Duration linger) {
    CatalogLoader loader =
        new CatalogLoader() {
          @Override
          public CatalogVersion load() {
            throw new IllegalStateException("not needed");
          }

          @Override
          public String fingerprint() {
            return "";
          }

          @Override
          public void release() {}
        };
    RemoteDatabase database =
        proxy(
            RemoteDatabase.class,
            (method, arguments) -> {
              throw new IllegalStateException(method);
            });
    return new RemoteLink(linger, new DatabaseIdentity("7", 5), database, loader, () -> 1);
  }

  private static void await(BooleanSupplier condition) {
    Waiting.until("it has come true", condition::getAsBoolean);
  }

  @Test
  void isClosedSomeTimeAfterTheLastConnection() {
    RemoteLink link = link(SHORT);
    link.join(settings("a"));
    link.leave();
    await(() -> link.cache() == null && !happened.isEmpty());
    assertThat(happened).containsExactly("a closed");
  }

  @Test
  void staysOpenUntilOthersHaveBeenToldOfEveryWrite() throws Exception {
    RemoteLink link = link(SHORT);
    untold = WriteSet.UNKNOWN;
    link.join(settings("a"));
    link.leave();
    Waiting.pass(SHORT.multipliedBy(10)); // Nothing is to happen.
    assertThat(happened).isEmpty();

    untold = WriteSet.NONE;
    await(() -> link.cache() == null && !happened.isEmpty());
  }

  @Test
  void whoeverSharesByOtherSettingsTellsWhatIsUntold() {
    RemoteLink link = link(Duration.ofMinutes(1));
    untold = WriteSet.UNKNOWN;
    link.join(settings("a"));
    link.leave();
    link.join(settings("b"));
    assertThat(happened).containsExactly("a closed", "b invalidates " + WriteSet.UNKNOWN);
  }

  @Test
  void noThreadKeepsTheClassLoaderOfWhoeverClosesTheLastConnection() throws Exception {
    RemoteLink link = link(Duration.ofSeconds(2));
    try (URLClassLoader application = new URLClassLoader(new URL[0], null)) {
      Thread pool =
          new Thread(
              () -> {
                link.join(settings("a"));
                link.leave();
              });
      pool.setContextClassLoader(application);
      pool.start();
      pool.join();
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.getContextClassLoader() == application);
    }
    await(() -> link.cache() == null && !happened.isEmpty());
  }
}
