package dev.larder.spring;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.springframework.beans.factory.DisposableBean;

/**
 * The counts of the caches as meters: {@code cache.*} as Micrometer names them for every cache, and
 * {@code larder.*}. Caches of one name add up. A meter is worked out when it is read, so that a hit
 * costs nothing more. Thread-safe.
 */
final class CacheMeters implements MeterBinder, DisposableBean {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private static final List<Count> STANDARD =
      List.of(
          new Count("cache.puts", "admissions", "Results that were kept"),
          new Count("cache.evictions", "evictions", "Results that made room for others"));

  private static final List<Count> OWN =
      List.of(
          new Count("larder.rejections", "rejections", "Results of misses that were not kept"),
          new Count(
              "larder.invalidations",
              "invalidations",
              "Results that were found to be of before a write"),
          new Count("larder.expirations", "expirations", "Results that became too old"),
          new Count(
              "larder.flight.waits",
              "flight_waits",
              "Executions that waited for another of the same query"),
          new Count("larder.flight.hits", "flight_hits", "Of these, those that were hits then"),
          new Count(
              "larder.stale.hits", "stale_hits", "Hits outdated for less than the declared time"),
          new Count("larder.warmup.asked", "warmup_asked", "Queries asked again after the start"),
          new Count(
              "larder.warmup.failed", "warmup_failed", "Of these, the server refused so many"),
          new Count(
              "larder.warmup.skipped",
              "warmup_skipped",
              "Queries that were not asked again, as they are not cached any more"),
          new Count("larder.setting.questions", "setting_questions", "Questions for settings"),
          new Count("larder.held.back", "held_back", "Settings that were not sent at once"),
          new Count("larder.held.back.sent", "held_back_sent", "Of these, those sent later"),
          new Count(
              "larder.unpooled.hits",
              "unpooled_hits",
              "Hits that needed no connection of the pool"));

  private static final List<Count> SHARED =
      List.of(
          new Count("larder.near.hits", "near_hits", "Hits in the memory of this JVM"),
          new Count("larder.remote.hits", "remote_hits", "Hits on what the JVMs share"),
          new Count("larder.outages", "outages", "How often what the JVMs share did not answer"),
          new Count(
              "larder.barrier.runs",
              "barrier_runs",
              "How often the primary was asked who is writing"),
          new Count(
              "larder.undecodable", "undecodable", "What the JVMs share that could not be read"));

  private static final List<Count> FEED =
      List.of(
          new Count("larder.feed.commits", "feed_commits", "Commits that the log told of"),
          new Count("larder.feed.losses", "feed_losses", "How often the feed was lost"),
          new Count(
              "larder.feed.too.old",
              "feed_too_old",
              "Results that were not used because it was not known what others have written"));

  private final List<Bound> all = new CopyOnWriteArrayList<>();
  private final Ticks ticks = new Ticks("larder-meters", PERIOD, this::countTables);

  @Override
  public void bindTo(MeterRegistry registry) {
    all.add(new Bound(registry));
    ticks.begin();
  }

  /** Looks which tables were written; which there are shows only while the application runs. */
  void countTables() {
    all.forEach(Bound::countTables);
  }

  @Override
  public void destroy() {
    ticks.end();
    all.forEach(bound -> bound.watch.close());
  }

  /**
   * A counter.
   *
   * @param column where its value is in {@link LarderCache#status()}
   */
  private record Count(String meter, String column, String description) {
    Meter bind(MeterRegistry registry, CacheGroup group, Tags tags) {
      return FunctionCounter.builder(meter, group, g -> g.sum(column))
          .tags(tags)
          .description(description)
          .register(registry);
    }
  }

  /** The meters in one registry, of those caches that there are: nothing keeps one that is gone. */
  private static final class Bound {
    private final MeterRegistry registry;

    /** By the names of the caches; guarded by this. */
    private final Map<String, Meters> meters = new HashMap<>();

    private final LarderCaches.Watch watch;

    Bound(MeterRegistry registry) {
      this.registry = registry;
      this.watch = LarderCaches.watch(cache -> follow());
      for (String code : allTroubles().keySet()) {
        FunctionCounter.builder("larder.troubles", this, bound -> troubles(code))
            .tag("code", code)
            .description("Trouble of this JVM, by its code")
            .register(registry);
      }
    }

    private static double troubles(String code) {
      return allTroubles().getOrDefault(code, 0L);
    }

    private static Map<String, Long> allTroubles() {
      Map<String, Long> troubles = new HashMap<>(LarderCaches.troubles());
      troubles.putAll(InstallationTrouble.counts());
      return troubles;
    }

    private synchronized void follow() {
      Set<String> names = new HashSet<>();
      for (LarderCache cache : LarderCaches.all()) {
        names.add(cache.name());
        meters.computeIfAbsent(cache.name(), name -> metersOf(name, cache));
      }
      meters
          .entrySet()
          .removeIf(
              bound -> {
                boolean gone = !names.contains(bound.getKey());
                if (gone) {
                  bound.getValue().meters().forEach(registry::remove);
                  bound.getValue().tables().remove();
                }
                return gone;
              });
    }

    private synchronized void countTables() {
      meters.values().forEach(each -> each.tables().count(each.group().invalidations()));
    }

    private Meters metersOf(String name, LarderCache cache) {
      CacheGroup group = new CacheGroup(name);
      List<Meter> made = new ArrayList<>();
      bindStandard(registry, group, made);
      bindOwn(registry, group, Tags.of("cache", name), made);
      bindWrites(registry, group, Tags.of("cache", name), made);
      bindVerified(registry, group, Tags.of("cache", name), made);
      bindBypasses(registry, group, cache.bypasses().keySet(), made);
      if (cache.status().containsKey(CacheGroup.BREAKER)) {
        bindShared(registry, group, Tags.of("cache", name), made);
      }
      if (cache.status().containsKey(CacheGroup.FEED)) {
        bindFeed(registry, group, Tags.of("cache", name), made);
      }
      return new Meters(group, made, new TableMeters(registry, name));
    }
  }

  /** A group with its meters, which themselves refer to it only weakly. */
  private record Meters(CacheGroup group, List<Meter> meters, TableMeters tables) {}

  /** The tags are those that Spring Boot gives to other caches: a meter must have the same. */
  private static void bindStandard(MeterRegistry registry, CacheGroup group, List<Meter> made) {
    Tags tags = Tags.of("cache", group.name(), "name", group.name(), "cache.manager", "larder");
    Count hits = new Count("cache.gets", "hits", "Queries that were answered from memory");
    Count misses =
        new Count("cache.gets", "misses", "Queries that could have been in the cache but were not");
    made.add(hits.bind(registry, group, tags.and("result", "hit")));
    made.add(misses.bind(registry, group, tags.and("result", "miss")));
    STANDARD.forEach(count -> made.add(count.bind(registry, group, tags)));
    made.add(
        gauge("cache.size", tags, group, g -> g.sum("entries"))
            .description("Results that are kept")
            .register(registry));
  }

  private static void bindOwn(
      MeterRegistry registry, CacheGroup group, Tags tags, List<Meter> made) {
    OWN.forEach(count -> made.add(count.bind(registry, group, tags)));
    made.add(
        gauge("larder.size", tags, group, g -> g.sum("size_bytes"))
            .baseUnit("bytes")
            .description("Memory that the results take")
            .register(registry));
    made.add(
        gauge("larder.size.max", tags, group, g -> g.max("max_bytes"))
            .baseUnit("bytes")
            .description("Memory that results may take")
            .register(registry));
    made.add(
        gauge("larder.hit.ratio", tags, group, CacheGroup::hitRatio)
            .description("Hits by hits and misses")
            .register(registry));
    made.add(
        gauge("larder.enabled", tags, group, CacheGroup::enabled)
            .description("1 while every cache of the name is switched on")
            .register(registry));
    made.add(
        TimeGauge.builder("larder.saved.time", group, TimeUnit.NANOSECONDS, CacheGroup::savedNanos)
            .tags(tags)
            .description("Time at the database that hits have saved")
            .register(registry));
  }

  private static void bindWrites(
      MeterRegistry registry, CacheGroup group, Tags tags, List<Meter> made) {
    for (String reason : List.of("at_once", "no_hit", "otherwise")) {
      made.add(
          FunctionCounter.builder("larder.borrows", group, g -> g.sum("borrows_" + reason))
              .tags(tags.and("reason", reason.replace('_', '-')))
              .description("Connections taken out of the pool, by why")
              .register(registry));
    }
    for (String reach : List.of("by_key", "by_unknown_key", "by_table", "of_everything")) {
      made.add(
          FunctionCounter.builder("larder.writes", group, g -> g.writes("writes_" + reach))
              .tags(tags.and("reach", reach.replace('_', '-')))
              .description("Writes, by how much they invalidate")
              .register(registry));
    }
  }

  private static void bindVerified(
      MeterRegistry registry, CacheGroup group, Tags tags, List<Meter> made) {
    for (String outcome : List.of("verified", "unverifiable", "wrong")) {
      Count count =
          new Count(
              "larder.verifications", outcome + "_hits", "Hits that the database answered, too");
      made.add(count.bind(registry, group, tags.and("outcome", outcome)));
    }
    made.add(
        gauge("larder.quarantined.tables", tags, group, g -> g.max("quarantined_tables"))
            .description("Tables of which wrong rows were found")
            .register(registry));
  }

  /** What only caches have that share their results with other JVMs. */
  private static void bindShared(
      MeterRegistry registry, CacheGroup group, Tags tags, List<Meter> made) {
    SHARED.forEach(count -> made.add(count.bind(registry, group, tags)));
    made.add(
        gauge("larder.breaker", tags, group, CacheGroup::breaker)
            .description("1 while what the JVMs share is left alone because it did not answer")
            .register(registry));
    made.add(
        gauge("larder.versions.unsettled", tags, group, g -> g.sum("unsettled_versions"))
            .description("Versions that wait until the transactions in progress have ended")
            .register(registry));
  }

  /** What only caches have that follow the writes of others. */
  private static void bindFeed(
      MeterRegistry registry, CacheGroup group, Tags tags, List<Meter> made) {
    FEED.forEach(count -> made.add(count.bind(registry, group, tags)));
    made.add(
        gauge("larder.feed.live", tags, group, CacheGroup::feedIsLive)
            .description("1 while all writes of others are followed within the bound")
            .register(registry));
    made.add(
        TimeGauge.builder(
                "larder.feed.lag", group, TimeUnit.MILLISECONDS, g -> g.max("feed_lag_millis"))
            .tags(tags)
            .description("How long ago everything that was visible was known")
            .register(registry));
    made.add(
        FunctionCounter.builder(
                "larder.feed.closed", group, g -> g.sum("feed_closed_millis") / 1_000)
            .tags(tags)
            .baseUnit("seconds")
            .description("For how long results were too old to be used, as far as somebody asked")
            .register(registry));
    made.add(
        gauge("larder.feed.pending", tags, group, g -> g.max("feed_pending"))
            .description("Commits that the log told of and that are not known to be visible")
            .register(registry));
  }

  private static void bindBypasses(
      MeterRegistry registry, CacheGroup group, Set<String> reasons, List<Meter> made) {
    for (String reason : reasons) {
      made.add(
          FunctionCounter.builder("larder.bypasses", group, g -> g.bypasses(reason))
              .tags("cache", group.name(), "reason", reason)
              .description("Executions that had nothing to do with the cache")
              .register(registry));
    }
  }

  private static Gauge.Builder<CacheGroup> gauge(
      String name, Tags tags, CacheGroup group, ToDoubleFunction<CacheGroup> value) {
    return Gauge.builder(name, group, value).tags(tags);
  }
}
