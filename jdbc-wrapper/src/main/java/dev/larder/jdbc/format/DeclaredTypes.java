package dev.larder.jdbc.format;

import dev.larder.jdbc.driver.StatementInternals;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;

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
    if (types == null) {
      return UNKNOWN;
    }
    Set<Long> users = Set.of();
    for (int type : types) {
      long oid = Integer.toUnsignedLong(type);
      if (oid >= FIRST_USER_OID) {
        users = users.isEmpty() ? new HashSet<>() : users;
        users.add(oid);
      }
    }
    return users;
  }

  /** Returns the types of both sets. */
  public static Set<Long> union(Set<Long> some, Set<Long> others) {
    if (some.isEmpty() || others.isEmpty()) {
      return some.isEmpty() ? others : some;
    }
    Set<Long> all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }
}
