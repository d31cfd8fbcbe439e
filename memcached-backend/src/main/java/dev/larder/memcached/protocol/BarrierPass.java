package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import dev.larder.remote.WritersInProgress;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to make a version ready that is RAW, of another server generation, or carries marks
 * that nobody takes away. Needs no clock. Immutable: in phase {@link Phase#LOOK} and {@link
 * Phase#SETTLE} {@link #request} says what to send to the version server, in phase {@link
 * Phase#ASK} the primary is to be asked; {@code accept} returns what follows.
 *
 * <p>A pass remembers as a <em>sighting</em> the marks that it saw and, asked after that, the
 * writers that the primary named. Once all of these have ended, in this pass or a later one,
 * everybody who had left those marks, or had left marks that were evicted before, has ended too:
 * such a writer was known to the primary before it left its mark. Whoever came later has its mark
 * at the version, for the version has been there since; it stays. If the version changes after the
 * last look, the swap fails, and another look follows at once, with the same sighting: whoever has
 * ended has ended for good, so that the primary need not be asked again.
 *
 * @param sighting what was seen first; null before
 * @param item what was seen last
 * @param cas the request of {@link Phase#SETTLE}
 */
public record BarrierPass(
    String key,
    Phase phase,
    @Nullable Sighting sighting,
    @Nullable VersionItem item,
    VersionRequest.@Nullable Cas cas) {
  /** What the pass waits for. */
  public enum Phase {
    LOOK,
    ASK,
    SETTLE,
    /** This pass has ended; the next one may have to go on. */
    WAIT,
    /** There is nothing to do any more. */
    DONE
  }

  /**
   * What was there when somebody began to wait.
   *
   * @param value without the marks that came later
   * @param inProgress whom the primary named afterwards; null before it was asked
   */
  record Sighting(VersionValue value, @Nullable WritersInProgress inProgress) {
    /** Returns whether all of them have ended. */
    boolean isOver() {
      return inProgress != null && inProgress.writers().isEmpty();
    }

    /** Returns whether every mark left since is at {@code now}, if it has not ended. */
    boolean lastsAt(VersionValue now) {
      return value.ready() ? now.ready() : !now.ready() && now.token().equals(value.token());
    }
  }

  /** Returns the first pass for {@code key}. */
  public static BarrierPass of(String key) {
    return new BarrierPass(key, Phase.LOOK, null, null, null);
  }

  /** Returns the pass after this one, which remembers what this one saw. */
  public BarrierPass next() {
    return new BarrierPass(key, Phase.LOOK, sighting, null, null);
  }

  /** Returns this pass as it ends where it has got no further. */
  BarrierPass givenUp() {
    return phase == Phase.DONE ? this : new BarrierPass(key, Phase.WAIT, sighting, null, null);
  }

  /** Returns what to send in this phase, or null if nothing is to be sent. */
  @Nullable VersionRequest request() {
    return phase == Phase.LOOK ? new VersionRequest.Gets(key) : cas;
  }

  /**
   * Returns the pass after {@code reply} to {@link #request}.
   *
   * @param fresh a token that was never used, and is not used again
   */
  BarrierPass accept(VersionReply reply, Token fresh) {
    VersionItem found = reply.item();
    if (phase == Phase.SETTLE) {
      return switch (reply.outcome()) {
        case STORED -> new BarrierPass(key, Phase.DONE, null, null, null);
        case CHANGED -> next();
        default -> givenUp();
      };
    }
    if (found == null) {
      boolean gone = reply.outcome() == VersionReply.Outcome.MISSING;
      return gone ? new BarrierPass(key, Phase.DONE, null, null, null) : givenUp();
    }
    WritersInProgress before = sighting == null ? null : sighting.inProgress();
    if (sighting != null && before != null && sighting.lastsAt(found.value())) {
      return sighting.isOver()
          ? settling(sighting, found, before.serverGeneration(), fresh)
          : new BarrierPass(key, Phase.ASK, sighting, found, null);
    }
    return new BarrierPass(key, Phase.ASK, new Sighting(found.value(), null), found, null);
  }

  private BarrierPass settling(
      Sighting over, VersionItem found, long serverGeneration, Token fresh) {
    Set<Token> gone = new HashSet<>(over.value().writers());
    if (found.value().isSettled(serverGeneration)
        && Collections.disjoint(gone, found.value().writers())) {
      return new BarrierPass(key, Phase.DONE, null, null, null);
    }
    VersionValue settled = found.value().settled(gone, fresh, serverGeneration);
    return new BarrierPass(key, Phase.SETTLE, over, null, new VersionRequest.Cas(found, settled));
  }

  /**
   * Returns the pass after the primary has answered.
   *
   * @param now null if it did not
   * @param fresh a token that was never used, and is not used again
   */
  BarrierPass accept(@Nullable WritersInProgress now, Token fresh) {
    if (now == null || sighting == null || item == null) {
      return givenUp();
    }
    WritersInProgress before = sighting.inProgress();
    if (before == null || before.serverGeneration() != now.serverGeneration()) {
      before = now;
    }
    Set<String> left = new HashSet<>(before.writers());
    left.retainAll(now.writers());
    if (left.isEmpty()) {
      WritersInProgress none = new WritersInProgress(now.serverGeneration(), Set.of());
      return settling(new Sighting(sighting.value(), none), item, now.serverGeneration(), fresh);
    }
    if (item.value().isReadable(now.serverGeneration())) {
      return new BarrierPass(key, Phase.DONE, null, null, null);
    }
    Sighting seen = new Sighting(sighting.value(), before);
    return new BarrierPass(key, Phase.WAIT, seen, null, null);
  }
}
