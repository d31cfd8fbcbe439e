package dev.larder.memcached.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Whose turn it is to ask the primary about a version: that of one JVM at a time, by an item beside
 * the version that expires. It spares the primary the same question by every JVM, and nothing rests
 * on it: two JVMs that ask, because the item was evicted or nobody answered, are as right as one. A
 * JVM that dies in its turn holds the others up for {@value #SECONDS} s. For one thread.
 */
public final class BarrierTurns {
  /** What becomes of a turn that nobody gives back; memcached counts whole seconds. */
  private static final int SECONDS = 3;

  /** For how long it certainly lasts, unless it is evicted. */
  private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(SECONDS - 1);

  private final VersionServer server;
  private final Map<String, Long> heldSince = new HashMap<>();

  /** Creates it without a turn; turns are kept on {@code server}. */
  public BarrierTurns(VersionServer server) {
    this.server = server;
  }

  /** Returns those of the versions {@code keys} about which this JVM is to ask now. */
  public Set<String> take(Collection<String> keys) {
    long now = System.nanoTime();
    heldSince.values().removeIf(since -> now - since >= HELD_NANOS);
    Set<String> mine = new HashSet<>(keys);
    mine.retainAll(heldSince.keySet());
    List<VersionRequest> takes = new ArrayList<>();
    for (String key : keys) {
      if (!mine.contains(key)) {
        takes.add(new VersionRequest.TakeTurn(key, SECONDS));
      }
    }
    List<VersionReply> replies = takes.isEmpty() ? List.of() : server.send(takes);
    for (int i = 0; i < replies.size(); i++) {
      VersionReply.Outcome outcome = replies.get(i).outcome();
      if (outcome != VersionReply.Outcome.NOT_STORED) {
        mine.add(takes.get(i).key()); // If nobody knows: to ask is never wrong.
      }
      if (outcome == VersionReply.Outcome.STORED) {
        heldSince.put(takes.get(i).key(), now);
      }
    }
    return mine;
  }

  /** Ends the turns of {@code keys}, about which there is nothing to be asked any more. */
  public void giveBack(Collection<String> keys) {
    List<VersionRequest> ends = new ArrayList<>();
    for (String key : keys) {
      if (heldSince.remove(key) != null) {
        ends.add(new VersionRequest.EndTurn(key));
      }
    }
    if (!ends.isEmpty()) {
      server.send(ends);
    }
  }
}
