package dev.larder.keys;

import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A class of types within which equality is that of a canonical value. Values of one class that the
 * server calls equal have equal hashes. A value that is not in a form that is sure to be read as it
 * looks has none.
 */
public enum KeyType {
  /** smallint, integer and bigint, in any mixture. */
  INTEGER {
    @Override
    public @Nullable Object canonical(Object value) {
      if (value instanceof Long || value instanceof Integer || value instanceof Short) {
        return ((Number) value).longValue();
      }
      if (value instanceof String text && DECIMAL.matcher(text).matches()) {
        try {
          return Long.valueOf(text);
        } catch (NumberFormatException e) {
          return null; // A number beyond bigint.
        }
      }
      return null;
    }
  },
  /** uuid. */
  UUID {
    @Override
    public @Nullable Object canonical(Object value) {
      if (value instanceof UUID) {
        return value;
      }
      return value instanceof String text && UUID_TEXT.matcher(text).matches()
          ? java.util.UUID.fromString(text)
          : null;
    }
  },
  /** boolean. */
  BOOLEAN {
    @Override
    public @Nullable Object canonical(Object value) {
      return value instanceof Boolean ? value : null;
    }
  },
  /** text and varchar, under a deterministic collation, in a database in UTF-8. */
  TEXT {
    @Override
    public @Nullable Object canonical(Object value) {
      return value instanceof String text && isWellFormed(text) ? text : null;
    }
  };

  /** What {@link #hash} returns where there is none. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private static final Pattern DECIMAL = Pattern.compile("0|-?[1-9][0-9]{0,18}");
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** Returns the value that stands for all equal ones, or null where it is not known. */
  public abstract @Nullable Object canonical(Object value);

  /** Returns the hash of {@code value}, or {@link #UNKNOWN}. */
  public long hash(Object value) {
    Object canonical = canonical(value);
    if (canonical == null) {
      return UNKNOWN;
    }
    long hash;
    if (canonical instanceof Long number) {
      hash = number;
    } else if (canonical instanceof UUID uuid) {
      hash = uuid.getMostSignificantBits() * 31 + uuid.getLeastSignificantBits();
    } else if (canonical instanceof String text) {
      hash = hashOf(text);
    } else {
      hash = canonical.hashCode();
    }
    return hash == UNKNOWN ? 0 : hash;
  }

  /** The hash of {@link String} has 32 bits, of which many texts share one. */
  private static long hashOf(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  /** Half of a character reaches the server as something else. */
  private static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }
}
