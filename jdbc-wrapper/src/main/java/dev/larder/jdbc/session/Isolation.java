package dev.larder.jdbc.session;

import java.sql.Connection;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The isolation levels as far as the cache tells them apart. */
public enum Isolation {
  READ_UNCOMMITTED(Connection.TRANSACTION_READ_UNCOMMITTED),
  READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
  REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
  SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE),
  UNKNOWN(Connection.TRANSACTION_NONE);

  private static final String LEVEL = "isolation level ";

  private final int level;

  Isolation(int level) {
    this.level = level;
  }

  /** Returns the number that JDBC has for it; {@link Connection#TRANSACTION_NONE} for UNKNOWN. */
  public int level() {
    return level;
  }

  /** Returns the level that JDBC has the number for. */
  public static Isolation of(int level) {
    return Arrays.stream(values()).filter(each -> each.level == level).findAny().orElse(UNKNOWN);
  }

  /** Returns whether each statement sees what is committed when it begins. */
  public boolean isOfEachStatement() {
    return this == READ_COMMITTED || this == READ_UNCOMMITTED; // To PostgreSQL they are the same.
  }

  /**
   * Returns the level that the modes of BEGIN and SET TRANSACTION name, in lower case and without
   * commas; null for none. Where there are several the server takes the last.
   */
  static @Nullable Isolation ofModes(@Nullable String modes) {
    String words = modes == null ? "" : modes.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
    int level = words.lastIndexOf(LEVEL);
    if (level < 0) {
      return null;
    }
    String rest = words.substring(level + LEVEL.length());
    if (rest.startsWith("read ")) {
      return rest.startsWith("read c") ? READ_COMMITTED : READ_UNCOMMITTED;
    }
    return rest.startsWith("repeatable read") ? REPEATABLE_READ : SERIALIZABLE;
  }

  static Isolation of(String level) {
    return switch (level.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ").trim()) {
      case "read committed" -> READ_COMMITTED;
      case "read uncommitted" -> READ_UNCOMMITTED;
      case "repeatable read" -> REPEATABLE_READ;
      case "serializable" -> SERIALIZABLE;
      default -> UNKNOWN;
    };
  }
}
