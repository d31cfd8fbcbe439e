package dev.larder.jdbc.postgresql;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The texts that the driver of one connection would keep, had every statement reached it. It does
 * what the driver's cache of statements does, an LruCache: preparing a statement takes its text
 * out, closing it puts the text back as the newest, and the oldest are forgotten while there are
 * too many. What was put back before this was made is older than what is here, so that it matters
 * to nothing here when that is forgotten. Thread-safe.
 */
final class KeptTexts {
  /** What a statement is: the driver tells the texts of one kind from those of another. */
  enum Kind {
    PREPARED,
    CALL,
    PLAIN;

    /** What the driver takes a text for, and a key that is more than it, besides characters. */
    private static final long TEXT_BYTES = 100;

    private static final long KEY_BYTES = 16;

    private record Key(Kind kind, String sql) {}

    Object key(String sql) {
      return this == PREPARED ? sql : new Key(this, sql);
    }

    /** Returns what the driver takes {@code sql} for: see its CachedQuery.getSize(). */
    long bytes(String sql) {
      return 2 * ((this == PREPARED ? 0 : KEY_BYTES) + 2L * sql.length()) + TEXT_BYTES;
    }
  }

  /** What Larder itself remembers, whatever the driver does. */
  private static final int MAX_TEXTS = 1 << 11;

  private static final long MAX_BYTES = 1 << 21;

  /** Texts of statements that are open, or were never closed, beyond those that are kept. */
  private static final int MAX_OPEN = 1 << 8;

  private final int driversTexts;
  private final long driversBytes;
  private final Map<Object, CountedText> texts = new HashMap<>();
  private @Nullable CountedText oldest;
  private @Nullable CountedText newest;
  private int count;
  private long bytes;

  /** Whether what is not here is not at the driver, either. */
  private boolean complete;

  /**
   * Creates what the driver would keep that keeps so many texts and so many bytes of them at most.
   */
  KeptTexts(int driversTexts, long driversBytes) {
    this.driversTexts = driversTexts;
    this.driversBytes = driversBytes;
  }

  /** Returns the text of a statement that is prepared: the one that is kept, or a new one. */
  synchronized CountedText take(Kind kind, String sql) {
    CountedText known = texts.get(kind.key(sql));
    if (known != null && known.kept) {
      unlink(known);
      return known;
    }
    boolean fresh = complete || known != null || isNeverKept(kind.bytes(sql));
    return open(new CountedText(kind, sql, fresh ? 0 : CountedText.UNKNOWN));
  }

  /** Returns the text of a statement that was prepared before this was made. */
  synchronized CountedText adopt(Kind kind, String sql) {
    CountedText made = new CountedText(kind, sql, CountedText.UNKNOWN);
    CountedText other = texts.get(made.key);
    return other != null && other.kept ? made : open(made);
  }

  /** A text that is not kept is here only so that another statement of it is told from it. */
  private CountedText open(CountedText text) {
    if (!isNeverKept(text.bytes)) {
      texts.put(text.key, text);
      if (texts.size() - count > MAX_OPEN) {
        texts.values().removeIf(other -> !other.kept);
      }
    }
    return text;
  }

  /** Returns the text of a plain statement that was taken last, if it is remembered, or null. */
  synchronized @Nullable CountedText findPlain(String sql) {
    return texts.get(Kind.PLAIN.key(sql));
  }

  /** Returns how many texts are remembered. */
  synchronized int size() {
    return texts.size();
  }

  /** Takes the text of a statement that is closed. */
  synchronized void putBack(CountedText text) {
    if (text.kept || isNeverKept(text.bytes)) {
      return;
    }
    CountedText other = texts.put(text.key, text);
    if (other != null && other.kept) {
      replace(other, text);
    } else {
      link(text);
      forgetOldest();
    }
  }

  private boolean isNeverKept(long size) {
    return driversTexts == 0 || size * 2 > driversBytes;
  }

  private void forgetOldest() {
    CountedText eldest = oldest;
    while (eldest != null) {
      boolean byDriver = count > driversTexts || bytes > driversBytes;
      if (!byDriver && count <= MAX_TEXTS && bytes <= MAX_BYTES) {
        return;
      }
      // What is older has been forgotten before.
      complete |= byDriver;
      unlink(eldest);
      texts.remove(eldest.key);
      eldest = oldest;
    }
  }

  // ---- the kept ones, from the oldest to the newest

  private void link(CountedText text) {
    CountedText last = newest;
    text.kept = true;
    text.older = last;
    newest = text;
    if (last == null) {
      oldest = text;
    } else {
      last.newer = text;
    }
    count++;
    bytes += text.bytes;
  }

  private void unlink(CountedText text) {
    between(text.older, text.newer);
    text.kept = false;
    text.older = null;
    text.newer = null;
    count--;
    bytes -= text.bytes;
  }

  /** The newer one of a text stands where the older one stood, as in a linked hash map. */
  private void replace(CountedText before, CountedText text) {
    CountedText older = before.older;
    CountedText newer = before.newer;
    unlink(before);
    between(older, text);
    between(text, newer);
    text.kept = true;
    count++;
    bytes += text.bytes;
  }

  private void between(@Nullable CountedText older, @Nullable CountedText newer) {
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
  }
}
