package dev.larder.jdbc.postgresql;

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

  private final int maxSize;
  private volatile Map<String, Integer> numbers;

  ColumnLabels(Map<String, Integer> numbers) {
    this.numbers = numbers;
    this.maxSize = numbers.size() + MAX_OTHER_SPELLINGS;
  }

  @Override
  public @Nullable Integer get(@Nullable Object label) {
    return numbers.get(label);
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
