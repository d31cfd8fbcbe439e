package dev.larder.code;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which routines may call which, by the words of their bodies, be it by what they read. Takes
 * memory and time in proportion to the bodies, however many routines have one name. Not
 * thread-safe.
 */
final class CallGraph {
  private final Map<Long, String> names = new HashMap<>();
  private final Map<String, List<Long>> called = new HashMap<>();
  private final Map<String, List<Long>> callers = new HashMap<>();
  private final Map<Long, List<Long>> users = new HashMap<>();

  /** Those that run something without its being named. */
  private final Map<Long, List<Long>> unnamed = new HashMap<>();

  private final Set<Long> withWords = new HashSet<>();

  /** Stands for the name of what may be named in any body. */
  private static final String ANY = "";

  /**
   * Adds a routine that bodies may call by its name.
   *
   * @param word one that a body has that names it; null where it may have any
   */
  void named(long routine, @Nullable String word) {
    String name = word == null ? ANY : word;
    names.put(routine, name);
    called.computeIfAbsent(name, any -> new ArrayList<>()).add(routine);
  }

  /** Adds the words of a body. */
  void says(long routine, Set<String> words) {
    if (!words.isEmpty()) {
      withWords.add(routine);
      words.forEach(word -> callers.computeIfAbsent(word, any -> new ArrayList<>()).add(routine));
    }
  }

  /** Adds the routines that one consists of. */
  void consistsOf(long routine, Collection<Long> parts) {
    parts.forEach(part -> users.computeIfAbsent(part, any -> new ArrayList<>()).add(routine));
  }

  /** Adds what one runs without its being named: by an operator, a type, a stored expression. */
  void runs(long routine, Collection<Long> parts) {
    parts.forEach(part -> unnamed.computeIfAbsent(part, any -> new ArrayList<>()).add(routine));
  }

  /**
   * Adds a relation that bodies may read by its name.
   *
   * @param word one that a body has that names it; null where it may have any
   * @param relations what a read of it reads
   * @param routines what a read of it calls
   */
  void relation(
      long oid, @Nullable String word, Collection<Long> relations, Collection<Long> routines) {
    named(node(oid), word);
    consistsOf(node(oid), routines);
    consistsOf(node(oid), relations.stream().map(CallGraph::node).toList());
  }

  /** Relations are numbered apart from routines. */
  private static long node(long relation) {
    return -relation;
  }

  /** Drops the words that name neither a routine nor one of {@code others}. */
  void complete(Set<String> others) {
    callers.keySet().removeIf(word -> !called.containsKey(word) && !others.contains(word));
  }

  /** Carries over from what is named to what names it, until nothing more is found. */
  void spread(Set<Long> found) {
    spread(found, false);
  }

  /** Carries over from all that runs to what runs it, be it named or not. */
  void spreadUnnamed(Set<Long> found) {
    spread(found, true);
  }

  private void spread(Set<Long> found, boolean all) {
    Deque<Long> open = new ArrayDeque<>(found);
    Set<String> spread = new HashSet<>();
    while (!open.isEmpty()) {
      long routine = open.remove();
      users.getOrDefault(routine, List.of()).forEach(each -> find(each, found, open));
      if (all) {
        unnamed.getOrDefault(routine, List.of()).forEach(each -> find(each, found, open));
      }
      String name = names.get(routine);
      if (ANY.equals(name) && spread.add(name)) {
        withWords.forEach(each -> find(each, found, open));
      } else if (name != null && spread.add(name)) {
        callers.getOrDefault(name, List.of()).forEach(each -> find(each, found, open));
      }
    }
  }

  private static void find(long routine, Set<Long> found, Deque<Long> open) {
    if (found.add(routine)) {
      open.add(routine);
    }
  }
}
