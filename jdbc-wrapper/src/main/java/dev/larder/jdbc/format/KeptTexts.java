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

  /**
   * Returns the text of a statement that is prepared: the one that is kept, or a new one.
   *
   * @param key {@code sql}, or what else the driver would keep it by
   */
  synchronized CountedText take(Object key, String sql) {
    CountedText text = kept.remove(key);
    if (text == null) {
      text = new CountedText(key, sql);
      if (complete || open.contains(key) || isNeverKept(text)) {
        text.begin(0, 0, 0);
      }
    } else {
      bytes -= text.bytes();
    }
    opens(text);
    return text;
  }

  /** Returns the text of a statement that was prepared before this was made. */
  synchronized CountedText adopt(Object key, String sql) {
    CountedText text = new CountedText(key, sql);
    if (!kept.containsKey(key)) {
      opens(text);
    }
    return text;
  }

  private void opens(CountedText text) {
    if (open.size() >= MAX_OPEN) {
      open.clear();
    }
    if (!isNeverKept(text)) {
      open.add(text.key());
    }
  }

  /** Returns the text that is kept by {@code key}, or null. */
  synchronized @Nullable CountedText find(Object key) {
    return kept.get(key);
  }

  /** Returns how many texts are remembered. */
  synchronized int size() {
    return kept.size() + open.size();
  }

  /** Keeps the text of a statement that is closed. */
  synchronized void putBack(CountedText text) {
    open.remove(text.key());
    if (isNeverKept(text)) {
      return;
    }
    CountedText replaced = kept.put(text.key(), text);
    bytes += text.bytes() - (replaced == null ? 0 : replaced.bytes());
    Iterator<CountedText> oldest = kept.values().iterator();
    while (kept.size() > Math.min(driversTexts, MAX_TEXTS) || bytes > driversBytes) {
      complete = kept.size() > driversTexts || bytes > driversBytes;
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }

  private boolean isNeverKept(CountedText text) {
    return driversTexts == 0 || text.bytes() * 2 > driversBytes;
  }
}
