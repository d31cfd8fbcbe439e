package dev.larder.jdbc.format;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The texts that the driver of one connection would keep, had every statement reached it. This is
 * the driver's cache of statements, an LruCache, played again: preparing a statement takes its text
 * out, closing it puts the text back as the newest, and the oldest are forgotten while there are
 * too many. Texts that were put back before this was made are older than all that is here. Thread-
 * safe.
 */
final class KeptTexts {
  /** The kinds of statements. The driver keeps the texts of each for themselves. */
  enum Kind {
    PREPARED,
    CALL,
    PLAIN;

    private record Key(Kind kind, String sql) {}

    Object key(String sql) {
      return this == PREPARED ? sql : new Key(this, sql);
    }

    /** Returns the driver's estimate of the size of {@code sql}: its CachedQuery.getSize(). */
    long bytes(String sql) {
      return 2 * ((this == PREPARED ? 0 : 16) + 2L * sql.length()) + 100;
    }
  }

  /** How many texts are kept at most, even where the driver keeps more. */
  private static final int MAX_TEXTS = 1 << 11;

  /** How many texts of open statements are remembered: some are never closed. */
  private static final int MAX_OPEN = 1 << 8;

  private final int driversTexts;
  private final long driversBytes;

  /** The oldest first. A text that replaces an equal one takes its place, as in the driver. */
  private final Map<Object, CountedText> kept = new LinkedHashMap<>();

  /** Keys of open statements: another statement of the same text begins anew. */
  private final Set<Object> open = new HashSet<>();

  private long bytes;

  /** Whether the driver has forgotten all that was forgotten here. */
  private boolean complete;

  /** Creates the texts of a driver with these limits of its cache of statements. */
  KeptTexts(int driversTexts, long driversBytes) {
    this.driversTexts = driversTexts;
    this.driversBytes = driversBytes;
  }

  /** Returns the text of a statement that is prepared: the one that is kept, or a new one. */
  synchronized CountedText take(Kind kind, String sql) {
    Object key = kind.key(sql);
    CountedText known = kept.remove(key);
    if (known != null) {
      bytes -= known.bytes();
    }
    boolean neverKept = isNeverKept(kind.bytes(sql));
    boolean fresh = complete || neverKept || open.contains(key);
    if (!neverKept) {
      begin(key);
    }
    return known == null ? new CountedText(kind, sql, fresh ? 0 : CountedText.UNKNOWN) : known;
  }

  /** Returns the text of a statement that was prepared before this was made. */
  synchronized CountedText adopt(Kind kind, String sql) {
    Object key = kind.key(sql);
    if (!kept.containsKey(key) && !isNeverKept(kind.bytes(sql))) {
      begin(key);
    }
    return new CountedText(kind, sql, CountedText.UNKNOWN);
  }

  private void begin(Object key) {
    if (open.size() >= MAX_OPEN) {
      open.clear();
    }
    open.add(key);
  }

  /** Returns the text of a plain statement, if it is kept. */
  synchronized @Nullable CountedText findPlain(String sql) {
    return kept.get(Kind.PLAIN.key(sql));
  }

  /** Returns how many texts are remembered. */
  synchronized int size() {
    return kept.size() + open.size();
  }

  /** Keeps the text of a statement that is closed. */
  synchronized void putBack(CountedText text) {
    Object key = text.kind().key(text.sql());
    open.remove(key);
    if (isNeverKept(text.bytes())) {
      return;
    }
    CountedText replaced = kept.put(key, text);
    bytes += text.bytes() - (replaced == null ? 0 : replaced.bytes());
    Iterator<CountedText> oldest = kept.values().iterator();
    while (kept.size() > Math.min(driversTexts, MAX_TEXTS) || bytes > driversBytes) {
      complete = kept.size() > driversTexts || bytes > driversBytes;
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }

  private boolean isNeverKept(long size) {
    return driversTexts == 0 || size * 2 > driversBytes;
  }
}
