package dev.larder.memcached.protocol;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tries every order of the actors' steps, and every outcome of each; a state is entered once. */
final class ModelExplorer {
  private final List<ModelActor> actors;
  private final ModelCounts counts;
  private final boolean realNumbers;
  private final Deque<String> trace = new ArrayDeque<>();
  private @Nullable String violation;

  // A set of hashes with open addressing; 0 is an empty place.
  private long[] seen = new long[1 << 20];
  private int size;

  ModelExplorer(List<ModelActor> actors, ModelCounts counts, boolean realNumbers) {
    this.actors = actors;
    this.counts = counts;
    this.realNumbers = realNumbers;
  }

  /** Returns the first violation and the steps that led to it, or null if there is none. */
  @Nullable String explore(ModelState start) {
    violation = null;
    if (add(ModelDigest.of(start, realNumbers))) {
      visit(start);
    }
    counts.states = size;
    return violation;
  }

  private void visit(ModelState state) {
    for (ModelActor actor : actors) {
      int choices = actor.choices(state);
      for (int choice = 0; choice < choices && violation == null; choice++) {
        follow(state, actor, choice);
      }
    }
  }

  private void follow(ModelState state, ModelActor actor, int choice) {
    ModelState next = state.copy();
    counts.steps++;
    String fault = actor.step(next, choice);
    if (fault == null && add(ModelDigest.of(next, realNumbers))) {
      visit(next);
    }
    if (fault != null) {
      violation = fault;
    }
    if (violation != null) {
      trace.addFirst(actor.describe(state, choice));
      if (trace.size() == 1) {
        trace.addLast(violation);
      }
      violation = String.join("\n", trace);
    }
  }

  private boolean add(long hash) {
    long value = hash == 0 ? 1 : hash;
    int at = place(seen, value);
    if (seen[at] == value) {
      return false;
    }
    seen[at] = value;
    if (++size > seen.length / 2) {
      long[] larger = new long[seen.length * 2];
      for (long old : seen) {
        if (old != 0) {
          larger[place(larger, old)] = old;
        }
      }
      seen = larger;
    }
    return true;
  }

  private static int place(long[] table, long value) {
    int at = (int) (value & table.length - 1);
    while (table[at] != 0 && table[at] != value) {
      at = at + 1 & table.length - 1;
    }
    return at;
  }
}
