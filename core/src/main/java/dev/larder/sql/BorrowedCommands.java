package dev.larder.sql;

import org.jspecify.annotations.Nullable;

/**
 * The commands of the query caches of pgpool-II and MySQL: {@code SHOW pool_cache}, {@code SHOW
 * STATUS LIKE 'Qcache%'}, {@code RESET QUERY CACHE} and {@code FLUSH QUERY CACHE}. PostgreSQL
 * refuses all four, so that no statement of its own loses its meaning.
 */
final class BorrowedCommands {
  private static final String VARIABLES = "qcache";

  private BorrowedCommands() {}

  /**
   * Returns what the statement names, or null where it is none of them: {@code pool_cache}, {@code
   * query cache}, or {@code status} with the pattern as its value.
   */
  static @Nullable SessionCommand command(Tokens tokens) {
    if (tokens.is(0, "show", "pool_cache") && tokens.size() == 2) {
      return new SessionCommand("pool_cache", null, false);
    }
    boolean empties = tokens.is(0, "reset") || tokens.is(0, "flush");
    if (empties && tokens.is(1, "query", "cache") && tokens.size() == 3) {
      return new SessionCommand("query cache", null, false);
    }
    return status(tokens);
  }

  private static @Nullable SessionCommand status(Tokens tokens) {
    int status = tokens.is(1, "global") || tokens.is(1, "session") ? 2 : 1;
    if (!tokens.is(0, "show")
        || !tokens.is(status, "status", "like")
        || tokens.size() != status + 3) {
      return null;
    }
    Token last = tokens.get(status + 2);
    String pattern = last.kind() == TokenKind.STRING ? Settings.value(last) : null;
    return pattern != null && pattern.regionMatches(true, 0, VARIABLES, 0, VARIABLES.length())
        ? new SessionCommand("status", pattern, false)
        : null;
  }
}
