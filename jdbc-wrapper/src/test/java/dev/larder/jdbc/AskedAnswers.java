package dev.larder.jdbc;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** What came of the queries that were asked again. Thread-safe. */
final class AskedAnswers {
  private final LongAdder compared = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final Collection<String> different = new ConcurrentLinkedQueue<>();
  private final Collection<String> unstable = new ConcurrentLinkedQueue<>();

  /** Counts an answer that is the server's. */
  void same() {
    compared.increment();
  }

  /** Counts an answer that is not the server's, though that says the same each time. */
  void different(String text) {
    compared.increment();
    different.add(text);
  }

  /** Counts an answer to a query that the server itself answers otherwise each time. */
  void unstable(String text) {
    unstable.add(text);
  }

  /** Counts a query that failed: what it names may be gone. */
  void refused() {
    refused.increment();
  }

  /** Returns how many answers were compared. */
  long compared() {
    return compared.sum();
  }

  /** Returns the answers that are not the server's. */
  List<String> different() {
    return List.copyOf(different);
  }

  /** Returns the counts, and each answer that was not the server's, in lines. */
  @Override
  public String toString() {
    return "compared %s, different %d, unstable %d, refused %s%n"
            .formatted(compared, different.size(), unstable.size(), refused)
        + lines("different", different)
        + lines("unstable", unstable);
  }

  private static String lines(String kind, Collection<String> texts) {
    return texts.stream()
        .map(text -> kind + ": " + text.replaceAll("\\s+", " ") + '\n')
        .collect(Collectors.joining());
  }
}
