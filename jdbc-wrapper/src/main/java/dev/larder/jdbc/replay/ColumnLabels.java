package dev.larder.jdbc.replay;

import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The driver's map from labels to column numbers, kept over many results. The driver adds every
 * spelling that it is asked for; here their number is bounded, and results that are read at the
 * same time may add. Copy-on-write; thread-safe.
 */
final class ColumnLabels extends AbstractMap<String, Integer> {
  private static final int MAX_OTHER_SPELLINGS = 64;
  private static final int SLOTS_PER_LABEL = 8;

  private final int maxSize;
  private volatile Map<String, Integer> numbers;

  /**
   * The label that was asked for first of those that share a slot: an application mostly asks by
   * the same strings, which are found here without a look at their characters. Racy.
   */
  private final @Nullable Asked[] asked;

  private record Asked(String label, Integer number) {}

  ColumnLabels(Map<String, Integer> numbers) {
    this.numbers = numbers;
    this.maxSize = numbers.size() + MAX_OTHER_SPELLINGS;
    this.asked = new @Nullable Asked[Integer.highestOneBit(SLOTS_PER_LABEL * numbers.size() + 1)];
  }

  @Override
  public @Nullable Integer get(@Nullable Object label) {
    if (!(label instanceof String text)) {
      return null;
    }
    int slot = text.hashCode() & (asked.length - 1);
    Asked first = asked[slot];
    if (first != null && first.label.equals(text)) {
      return first.number;
    }
    Integer number = numbers.get(text);
    if (first == null && number != null) {
      asked[slot] = new Asked(text, number);
    }
    return number;
  }

  @Override
  public synchronized @Nullable Integer put(String label, Integer number) {
    Integer previous = numbers.get(label);
    if (numbers.size() < maxSize) {
      Map<String, Integer> more = new HashMap<>(numbers);
      more.put(label, number);
      numbers = more;
    }
    return previous;
  }

  @Override
  public Set<Entry<String, Integer>> entrySet() {
    return Map.copyOf(numbers).entrySet();
  }
}
