package dev.larder.jdbc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a pool, or of the data source below it, that decide as whom and where it opens
 * connections, as far as it has getters for them, and their values when this was made. Thread-safe.
 */
final class PoolProperties {
  private static final List<String> USERS = List.of("getUsername", "getUserName", "getUser");

  /** Each of them costs a hit some nanoseconds. */
  private static final List<String> GETTERS =
      List.of(
          "getPassword",
          "getUrl",
          "getJdbcUrl",
          "getSchema",
          "getDefaultSchema",
          "getCatalog",
          "getDefaultCatalog",
          "getConnectionInitSql",
          "getConnectionInitSqls",
          "getInitSQL",
          "getDatabaseName",
          "getCurrentSchema",
          "getOptions");

  private final MethodHandle[] getters;
  private final @Nullable MethodHandle user;
  private final @Nullable Object[] seen;

  private PoolProperties(
      List<? extends @Nullable MethodHandle> getters, @Nullable MethodHandle user) {
    this.getters = getters.toArray(MethodHandle[]::new);
    this.user = user;
    this.seen = read();
  }

  /** Returns the properties of {@code source}; {@code hikari} is the pool of that name. */
  static PoolProperties of(Object source, boolean hikari) {
    List<@Nullable MethodHandle> getters = new ArrayList<>();
    MethodHandle user =
        USERS.stream()
            .map(name -> getter(source, name))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    MethodHandle both = hikari ? getter(source, "getCredentials") : null;
    if (both == null) {
      getters.add(user);
      // While it runs, HikariCP refuses to set anything else.
      List<String> more = hikari ? List.of("getPassword") : GETTERS;
      more.forEach(name -> getters.add(getter(source, name)));
    } else {
      getters.add(both);
    }
    getters.removeIf(Objects::isNull);
    return new PoolProperties(getters, user);
  }

  /** Returns these and {@code others}, whose user is asked for where these have none. */
  PoolProperties and(PoolProperties others) {
    List<MethodHandle> all = new ArrayList<>(Arrays.asList(getters));
    all.addAll(Arrays.asList(others.getters));
    return new PoolProperties(all, call(user) == null ? others.user : user);
  }

  /** Returns these and a field, as of the state of a pool. */
  PoolProperties and(MethodHandle field) {
    List<MethodHandle> all = new ArrayList<>(Arrays.asList(getters));
    all.add(field);
    return new PoolProperties(all, user);
  }

  private static @Nullable MethodHandle getter(Object source, String name) {
    try {
      return MethodHandles.publicLookup()
          .unreflect(source.getClass().getMethod(name))
          .bindTo(source)
          .asType(MethodType.methodType(Object.class));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  private static @Nullable Object call(@Nullable MethodHandle getter) {
    try {
      return getter == null ? null : (Object) getter.invokeExact();
    } catch (Throwable e) {
      return e; // Another at each time, so that it is not as it was.
    }
  }

  private @Nullable Object[] read() {
    @Nullable Object[] values = new @Nullable Object[getters.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = call(getters[i]);
    }
    return values;
  }

  /** Returns whether the values are still those. Mostly they are the same objects. */
  boolean areAsSeen() {
    for (int i = 0; i < seen.length; i++) {
      if (!Objects.equals(call(getters[i]), seen[i])) {
        return false;
      }
    }
    return true;
  }

  /** Returns the user, or null where it is not told. */
  @Nullable String user() {
    return call(user) instanceof String name ? name : null;
  }
}
