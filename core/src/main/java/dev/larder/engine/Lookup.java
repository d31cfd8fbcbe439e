package dev.larder.engine;

import dev.larder.bypass.BypassReason;
import dev.larder.keys.Dependencies;
import dev.larder.remote.RemoteQuestion;
import dev.larder.remote.RemoteReading;
import dev.larder.remote.RemoteTokens;
import dev.larder.result.CachedResult;
import dev.larder.store.CacheEntry;
import dev.larder.store.Moment;
import dev.larder.store.QueryKey;
import dev.larder.store.Renewal;
import dev.larder.store.VersionVector;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the engine decided about one execution of a statement. */
public sealed interface Lookup {
  /** The answer is in memory and may be given. */
  record Hit(CachedResult result) implements Lookup {}

  /**
   * The statement must run, and its result may then be admitted.
   *
   * @param key the key, over the statement's own arrays: detached before it is kept
   * @param resolution what the statement reads
   * @param capture what the tables' versions were before anything was sent
   * @param clears how often the cache had been cleared before; nobody asks of what is shared
   * @param before what the session had seen by then; null where nobody needs to know
   * @param asked when the query is sent, if that matters for its result; else null
   */
  record Miss(
      QueryKey key,
      Resolution resolution,
      Capture capture,
      int clears,
      SessionReads.@Nullable Before before,
      @Nullable Asked asked)
      implements Lookup {
    Miss(QueryKey key, Resolution resolution, Capture capture, int clears) {
      this(key, resolution, capture, clears, null, null);
    }

    /** Returns whether the result may be admitted. */
    public boolean isAdmissible() {
      return capture.versions() != null;
    }
  }

  /**
   * When a query is about to be sent.
   *
   * @param sent a moment of {@link Moment}
   * @param ageNanos how old its result may become
   * @param byClock whether it is cached for nothing but an age that is declared
   */
  record Asked(long sent, long ageNanos, boolean byClock) {
    /** Returns how long its result may live from now on. */
    long leftNanos() {
      return ageNanos == Long.MAX_VALUE ? ageNanos : Math.max(1, ageNanos - (Moment.now() - sent));
    }
  }

  /**
   * A miss that others may wait for: whoever gets it must end the flight, whatever happens.
   *
   * @param miss what to do
   */
  record Leading(Miss miss, Flight flight) implements Lookup {}

  /**
   * A miss that something is measured by: the statement must run, though the cache might have
   * answered, or it stands for others.
   *
   * @param weight for how many executions the time of this one stands
   * @param expected what a hit would have returned; null where it would have been no hit
   */
  record Checked(Miss miss, int weight, @Nullable Expected expected) implements Lookup {}

  /**
   * The settings of the session must be known before anything can be decided.
   *
   * @param names settings that are not among those that are always read
   */
  record Unsettled(Set<String> names) implements Lookup {
    /** Where none of the settings is known. */
    static final Unsettled ALL = new Unsettled(Set.of());
  }

  /**
   * The versions under which a result may be kept, or why it may not.
   *
   * @param versions null where {@code refusal} is not
   * @param shared how the result is shared with other JVMs, or null where it is not
   * @param choices what it depends on besides, in one of two ways
   * @param columns of tables that it depends on by rows: see {@link CacheEntry#isUnchangedBeside};
   *     null for none
   * @param epoch was read before anything was captured; −1 where nobody needs it
   */
  record Capture(
      @Nullable VersionVector versions,
      @Nullable BypassReason refusal,
      @Nullable Sharing shared,
      List<CapturedChoice> choices,
      @Nullable VersionVector columns,
      long epoch) {
    static Capture of(VersionVector versions) {
      return of(versions, List.of(), null, -1);
    }

    static Capture of(
        VersionVector versions,
        List<CapturedChoice> choices,
        @Nullable VersionVector columns,
        long epoch) {
      return new Capture(versions, null, null, choices, columns, epoch);
    }

    /** Returns this capture, of a result that may be shared. */
    Capture with(Sharing sharing) {
      return new Capture(versions, refusal, sharing, choices, null, epoch);
    }

    static Capture refused(BypassReason refusal) {
      return new Capture(null, refusal, null, List.of(), null, -1);
    }
  }

  /**
   * A {@linkplain Dependencies.Choice choice} that is made once the result is there.
   *
   * @param otherwise the versions of what is known before; null while that is being written
   * @param epoch was read before anything was sent; −1 where nothing may be captured afterwards
   */
  record CapturedChoice(
      Dependencies.Choice choice, @Nullable VersionVector otherwise, long epoch) {}

  /**
   * What a hit would have returned.
   *
   * @param result what is in memory; null where nobody has captured it, so that the answer of the
   *     database is to be kept
   * @param versions under which {@code result} is there: it may be compared while they hold
   * @param bornNanos when it was put there, by {@link System#nanoTime}
   * @param weightBytes what it occupies there
   * @param sum of the versions under which it is there
   */
  record Expected(
      @Nullable CachedResult result,
      VersionVector versions,
      long bornNanos,
      long weightBytes,
      long sum) {
    static Expected of(CacheEntry entry) {
      VersionVector versions = entry.versions();
      return new Expected(
          entry.result(), versions, entry.admittedNanos(), entry.weightBytes(), versions.sum());
    }
  }

  /**
   * The versions outside of the JVM under which a result may be shared.
   *
   * @param tokens under which the result is kept that a hit would have returned; null for none
   */
  record Sharing(RemoteQuestion question, RemoteReading reading, @Nullable RemoteTokens tokens) {}

  /** The statement must run, and the cache, which only observes, has counted a hit. */
  record Counted() implements Lookup {
    /** The only one. */
    static final Counted ONE = new Counted();
  }

  /**
   * The statement must run, and the cache, which only observes, would then keep its result, but
   * does not need it.
   *
   * @param key the key, over the statement's own arrays
   * @param resolution what the statement reads
   * @param sum of the versions of what {@code kept} depends on before anything was sent: see {@link
   *     dev.larder.store.VersionVector#presentSum}
   * @param kept an earlier result, in whose place this one would be
   * @param renewal where the versions are noted
   */
  record Uncaptured(QueryKey key, Resolution resolution, long sum, CacheEntry kept, Renewal renewal)
      implements Lookup {}

  /** The statement must run and the cache has no part in it. */
  record Bypass(BypassReason reason) implements Lookup {
    private static final Map<BypassReason, Bypass> ALL = new EnumMap<>(BypassReason.class);

    static {
      for (BypassReason reason : BypassReason.values()) {
        ALL.put(reason, new Bypass(reason));
      }
    }

    /** Returns the one bypass of this reason. */
    public static Bypass of(BypassReason reason) {
      Bypass bypass = ALL.get(reason);
      if (bypass == null) {
        throw new IllegalStateException("no bypass for " + reason);
      }
      return bypass;
    }
  }
}
