package dev.larder.code;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of pg_proc. Immutable.
 *
 * @param volatility i, s or v; i also for what depends on nothing but its arguments and settings of
 *     every key
 * @param onlyArgument the type of its argument if it can be called with one, else 0
 * @param takesRow whether that argument may be a row: a composite type, or any type
 * @param trigger whether it returns a trigger
 * @param result t where it returns a date, a time or a number, a where an aggregate or window
 *     function returns the type of its first argument, else o
 * @param language {@code lanname}
 * @param body the body of a user's routine in SQL or PL/pgSQL, else null
 * @param library the library of a function in C, or empty
 * @param support the functions that a user's aggregate consists of
 * @param types the types that a user's routine takes and returns
 * @param defaults the defaults of its parameters, or null
 * @param searchPath its own SET search_path, or null if the path of the session that calls it
 *     holds; {@code "$user"} if it runs as another role and sets none
 * @param source a text that differs when the definition does
 */
public record RoutineRow(
    long oid,
    String schema,
    String name,
    char volatility,
    Set<Long> argumentTypes,
    long onlyArgument,
    boolean takesRow,
    boolean trigger,
    char result,
    String language,
    @Nullable String body,
    String library,
    List<Long> support,
    Set<Long> types,
    @Nullable String defaults,
    @Nullable String searchPath,
    String source) {
  /** Before the body of a routine in the syntax of the standard, behind the defaults. */
  private static final String STANDARD_BODY = "{BODY}";

  /** Returns whether it is a user's. */
  public boolean users() {
    return BuiltinRoutines.isUsers(oid);
  }

  /**
   * Returns whether it has a custom setting of its own. The server takes that back after a call,
   * but where it was unset it is empty from then on.
   */
  public boolean setsCustom() {
    return body != null && body.startsWith(RoutineBodies.SETS_CUSTOM);
  }

  /** Returns the defaults of its parameters as they are stored, or null. */
  public @Nullable String parameterDefaults() {
    int body = defaults == null ? -1 : defaults.indexOf(STANDARD_BODY);
    return defaults == null || body < 0 ? defaults : defaults.substring(0, body);
  }

  /** Returns a body in the syntax of the standard as it is stored, or null. */
  public @Nullable String standardBody() {
    int body = defaults == null ? -1 : defaults.indexOf(STANDARD_BODY);
    return defaults == null || body < 0 ? null : defaults.substring(body + STANDARD_BODY.length());
  }

  /** Returns whether its body says what it does. */
  public boolean isTold() {
    return body != null || standardBody() != null;
  }

  /** Returns whether a body in the syntax of the standard may tell who the user is. */
  boolean readsUsers() {
    return defaults != null && defaults.contains("{SQLVALUEFUNCTION");
  }

  /** Returns whether nobody knows its code. */
  boolean isUntold() {
    return users()
        && body == null
        && support.isEmpty()
        && !KnownLibraries.readsItsOwnSettings(library);
  }
}
