package dev.larder.jdbc.format;

import dev.larder.jdbc.driver.StatementInternals;
import java.sql.Statement;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The types of users that the driver declares the parameters of a prepared statement to be of. The
 * server makes values of these types, which may run anything, before it looks at the statement.
 * Stateless.
 */
public final class DeclaredTypes {
  /** Stands for types that cannot be told. */
  public static final Set<Long> UNKNOWN = Set.of(-1L);

  /** The first object identifier that the server gives to what users make. */
  private static final long FIRST_USER_OID = 16384;

  private DeclaredTypes() {}

  /**
   * Returns them as object identifiers, or {@link #UNKNOWN}.
   *
   * @param made the driver's statement, or a foreign wrapper that unwraps to it
   */
  public static Set<Long> of(Statement made) {
    int[] types = StatementInternals.parameterTypes(made);
    return types == null
        ? UNKNOWN
        : IntStream.of(types)
            .mapToObj(Integer::toUnsignedLong)
            .filter(oid -> oid >= FIRST_USER_OID)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the types of both sets. */
  public static Set<Long> union(Set<Long> some, Set<Long> others) {
    return Stream.concat(some.stream(), others.stream()).collect(Collectors.toUnmodifiableSet());
  }
}
