package dev.larder.feed;

import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.EntryOwner;
import dev.larder.store.Moment;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A server whose commits are in the log before they are visible, somebody who reads the log,
 * somebody who asks, and readers with a cache: in one random order of their steps. The protocol is
 * the production code.
 */
final class FeedModel {
  private static final int TABLES = 3;
  private static final long FIRST = 0xFFFF_FFF0L; // So that the short identifiers wrap around.

  /** What is done wrongly here, as the production code leaves steps out. */
  enum Fault {
    NONE,
    /** The position is noted before the message is handled. */
    POSITION_BEFORE_ANNOUNCE,
    /** The moment of a question is that of its answer. */
    MOMENT_OF_ANSWER,
    /** The end of the log is where it was flushed. */
    FLUSHED_POSITION,
    /** A hit validates its entry first, and then looks how much is known. */
    VALIDATE_FIRST
  }

  private record Commit(long id, int table) {}

  private record Kept(CacheEntry entry, int table, BitSet rows) {}

  private record Hit(Kept kept, long fresh, boolean current) {}

  private record Fill(int table, VersionVector captured, @Nullable BitSet rows) {}

  private final Random random;
  private final Fault fault;
  private final TableVersions versions = new TableVersions();
  private final FollowedWrites writes = new FollowedWrites(versions);

  // The server.
  private long next = FIRST;
  private long ended = FIRST - 1; // The last that has ended, in the order of their numbers.
  private final Map<Long, Integer> open = new HashMap<>();
  private final Set<Long> logged = new HashSet<>();
  private final List<Commit> log = new ArrayList<>();
  private int flushed;
  private final List<BitSet> visible = new ArrayList<>();

  // Larder.
  private int read;
  private int noted;
  private FollowedWrites.@Nullable Question question;
  private @Nullable ServerSnapshot answer;
  private long answeredEnd;
  private final Map<Long, List<BitSet>> questions = new HashMap<>();
  private final List<Kept> kept = new ArrayList<>();
  private @Nullable Fill fill;
  private @Nullable Hit hit;
  int hits;
  int known;

  FeedModel(long seed, Fault fault) {
    this.random = new Random(seed);
    this.fault = fault;
    for (int i = 0; i < TABLES; i++) {
      visible.add(new BitSet());
    }
  }

  /** Returns what is wrong, or null. */
  @Nullable String run(int steps) {
    for (int i = 0; i < steps; i++) {
      if (i == steps / 10 || random.nextInt(steps) == 0) {
        begin();
      }
      String wrong = step();
      if (wrong != null) {
        return wrong;
      }
    }
    return quiescence();
  }

  private @Nullable String step() {
    switch (random.nextInt(16)) {
      case 0 -> {
        open.put(next, random.nextInt(TABLES));
        next++;
      }
      case 1, 2 -> commit();
      case 3 -> flushed = Math.min(log.size(), flushed + 1 + random.nextInt(2));
      case 4, 5, 6 -> readLog();
      case 7, 8, 9 -> ask();
      case 10, 11, 12 -> fill();
      default -> {
        return hit();
      }
    }
    return null;
  }

  private void commit() {
    for (long id : List.copyOf(open.keySet())) {
      if (random.nextBoolean()) {
        if (logged.add(id)) {
          log.add(new Commit(id, open.get(id)));
        } else {
          end(id);
        }
        return;
      }
    }
  }

  private void end(long id) {
    visible.get(open.get(id)).set((int) (id - FIRST));
    open.remove(id);
    ended = Math.max(ended, id);
  }

  /** As the server takes one: what began after the last that has ended is not named in it. */
  private ServerSnapshot snapshot() {
    Set<Long> named = new HashSet<>(open.keySet());
    named.removeIf(id -> id > ended);
    return new ServerSnapshot(ended + 1, named);
  }

  private void begin() {
    if (random.nextBoolean()) {
      writes.stopped();
    }
    writes.begun();
    read = log.size();
    noted = read;
  }

  private void readLog() {
    if (writes.phase() == FollowedWrites.Phase.OFF) {
      return;
    }
    if (noted < read) {
      noted = read;
      writes.reached(read);
    } else if (read < log.size()) {
      Commit commit = log.get(read);
      if (fault == Fault.POSITION_BEFORE_ANNOUNCE && random.nextBoolean()) {
        noted = read + 1;
        writes.reached(read + 1);
        return;
      }
      TableTag tag = versions.tag(TableTag.Scope.RELATION, commit.table());
      writes.committed((int) commit.id(), new WriteSet(List.of(tag), false), () -> true);
      read++;
    }
  }

  private void ask() {
    if (writes.needsHorizon()) {
      ended = Math.max(ended, next);
      writes.settles(next++);
    } else if (question == null) {
      question = writes.question();
      remember(question);
    } else if (answer == null) {
      answer = snapshot();
      answeredEnd = fault == Fault.FLUSHED_POSITION ? flushed : log.size();
    } else {
      if (fault == Fault.MOMENT_OF_ANSWER) {
        question = new FollowedWrites.Question(later(), question.announced());
        remember(question);
      }
      writes.answered(question, answer, answeredEnd);
      question = null;
      answer = null;
    }
  }

  private static long later() {
    long now = Moment.now();
    long later = now;
    while (later == now) {
      later = Moment.now();
    }
    return later;
  }

  private void remember(FollowedWrites.Question asked) {
    later();
    List<BitSet> copy = new ArrayList<>();
    visible.forEach(rows -> copy.add((BitSet) rows.clone()));
    questions.put(asked.moment(), copy);
  }

  private void fill() {
    Fill present = fill;
    if (present == null) {
      int table = random.nextInt(TABLES);
      VersionVector captured =
          versions.capture(List.of(versions.tag(TableTag.Scope.RELATION, table)));
      fill = captured == null ? null : new Fill(table, captured, null);
    } else if (present.rows() == null) {
      BitSet rows = (BitSet) visible.get(present.table()).clone();
      fill = new Fill(present.table(), present.captured(), rows);
    } else {
      EntryOwner owner = (event, weight) -> {};
      CacheEntry entry =
          new CacheEntry(new CachedResult(1), present.captured(), Long.MAX_VALUE, owner);
      kept.add(new Kept(entry, present.table(), present.rows()));
      fill = null;
    }
  }

  private @Nullable String hit() {
    Hit begun = hit;
    if (kept.isEmpty()) {
      return null;
    }
    if (begun == null) {
      Kept one = kept.get(kept.size() - 1 - random.nextInt(Math.min(4, kept.size())));
      boolean current = fault == Fault.VALIDATE_FIRST && versions.isCurrent(one.entry());
      hit = new Hit(one, writes.fresh(), current);
      return null;
    }
    hit = null;
    long fresh = fault == Fault.VALIDATE_FIRST ? writes.fresh() : begun.fresh();
    boolean current =
        fault == Fault.VALIDATE_FIRST ? begun.current() : versions.isCurrent(begun.kept().entry());
    if (!current || fresh == FollowedWrites.NEVER) {
      return null;
    }
    hits++;
    BitSet missing = (BitSet) questions.get(fresh).get(begun.kept().table()).clone();
    known += missing.cardinality();
    missing.andNot(begun.kept().rows());
    return missing.isEmpty() ? null : "a hit lacks " + missing + ", which was visible";
  }

  /** Ends everything: what is current then is what the database has. */
  private @Nullable String quiescence() {
    if (writes.phase() == FollowedWrites.Phase.OFF) {
      writes.begun();
      read = log.size();
      noted = read;
    }
    question = null;
    answer = null;
    for (long id : List.copyOf(open.keySet())) {
      if (logged.add(id)) {
        log.add(new Commit(id, open.get(id)));
      }
      end(id);
    }
    while (noted < log.size()) {
      readLog();
    }
    flushed = log.size();
    for (int i = 0; i < 9; i++) {
      ask();
    }
    for (Kept each : kept) {
      if (versions.isCurrent(each.entry()) && !each.rows().equals(visible.get(each.table()))) {
        return "an entry stays that has " + each.rows() + ", not " + visible.get(each.table());
      }
    }
    return null;
  }
}
