package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderCaches;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Meters come and go with the caches. */
class CacheMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Set<String> names() {
    return registry.find("cache.gets").tag("cache.manager", "larder").meters().stream()
        .map(meter -> String.valueOf(meter.getId().getTag("cache")))
        .collect(Collectors.toSet());
  }

  private static Connection connect(ShopDatabase database, String name) throws SQLException {
    return DriverManager.getConnection(database.larderUrl() + "&larder.name=" + name);
  }

  @Test
  void metersOfCachesThatAreGoneLeave() throws SQLException {
    ShopDatabase database = ShopDatabase.withBooks();
    CacheMeters meters = new CacheMeters();
    meters.bindTo(registry);
    try (Connection used = connect(database, "used")) {
      assertThat(used.isClosed()).isFalse();
      Set<String> others = names();
      others.remove("used");
      connect(database, "tenant_0").close();
      assertThat(names()).contains("used", "tenant_0");
      for (int i = 1; i <= 100; i++) {
        connect(database, "tenant_" + i).close();
      }
      assertThat(names()).contains("used", "tenant_100").doesNotContain("tenant_0");
      assertThat(names())
          .filteredOn(name -> !others.contains(name))
          .as("the used one, and the last 32 that nobody uses")
          .hasSize(33);
      assertThat(registry.getMeters())
          .extracting(meter -> meter.getId().getTag("cache"))
          .filteredOn(Objects::nonNull)
          .isSubsetOf(names());
      connect(database, "tenant_0").close();
      assertThat(names()).contains("tenant_0");
    } finally {
      meters.destroy();
    }
    int bound = registry.getMeters().size();
    connect(database, "late").close();
    assertThat(registry.getMeters()).hasSize(bound);
  }

  @Test
  void metersOfCachesThatAreThereStay() throws SQLException {
    CacheMeters meters = new CacheMeters();
    meters.bindTo(registry);
    try (Connection connection = connect(ShopDatabase.withBooks(), "staying")) {
      assertThat(connection.isClosed()).isFalse();
      // A meter refers to what it measures only weakly.
      WeakReference<Object> garbage = new WeakReference<>(new Object());
      while (garbage.get() != null) {
        System.gc();
      }
      assertThat(registry.get("larder.enabled").tag("cache", "staying").gauge().value())
          .isEqualTo(1);
    } finally {
      meters.destroy();
    }
  }

  @Test
  @NeedsProgram(Program.MEMCACHED)
  void cachesThatShareTheirResultsHaveMeters() throws Exception {
    CacheMeters meters = new CacheMeters();
    meters.bindTo(registry);
    try (MemcachedProcess memcached = MemcachedProcess.start();
        Connection own = connect(ShopDatabase.withBooks(), "own")) {
      assertThat(own.isClosed()).isFalse();
      ShopDatabase database = ShopDatabase.withBooks();
      String shared = "shared" + memcached.options();
      try (Connection connection = connect(database, shared);
          Connection sibling = connect(database, shared + "&larder.maxResultRows=10")) {
        assertThat(sibling.isClosed()).isFalse(); // Its memcached is the same.
        SingleConnectionDataSource source = new SingleConnectionDataSource(connection, true);
        JdbcTemplate jdbc = new JdbcTemplate(source);
        ShopDatabase.untilHit(
            source, () -> jdbc.queryForObject("SELECT title FROM book WHERE id = 1", String.class));
        double near =
            registry.get("larder.near.hits").tag("cache", "shared").functionCounter().count();
        double remote =
            registry.get("larder.remote.hits").tag("cache", "shared").functionCounter().count();
        assertThat(near + remote).isEqualTo(ShopDatabase.hits(source)).isPositive();
        assertThat(sharedMeter("larder.barrier.runs")).isPositive();
        assertShowsStatus("larder.breaker", s -> "closed".equals(s.get("breaker")) ? 0L : 1L);
        assertShowsStatus("larder.outages", s -> s.get("outages"));
        assertShowsStatus("larder.barrier.runs", s -> s.get("barrier_runs"));
        assertShowsStatus("larder.versions.unsettled", s -> s.get("unsettled_versions"));
        assertThat(
                registry.get("larder.undecodable").tag("cache", "shared").functionCounter().count())
            .isZero();
      }
      assertThat(registry.find("larder.near.hits").tag("cache", "own").meters()).isEmpty();
    } finally {
      meters.destroy();
    }
  }

  /**
   * Compares while nothing happens: what is shown is the same before the meter is read and after.
   */
  private void assertShowsStatus(String meter, Function<Map<String, ?>, Object> shown) {
    Object before;
    double measured;
    do {
      before = shown.apply(sharedStatus());
      measured = sharedMeter(meter);
    } while (!before.equals(shown.apply(sharedStatus())));
    assertThat(measured).as(meter).isEqualTo(((Long) before).doubleValue());
  }

  private double sharedMeter(String name) {
    return registry.get(name).tag("cache", "shared").meter().measure().iterator().next().getValue();
  }

  private static Map<String, ?> sharedStatus() {
    return LarderCaches.all().stream()
        .filter(cache -> cache.name().equals("shared"))
        .findFirst()
        .orElseThrow()
        .status();
  }

  @Test
  void tablesThatAreWrittenHaveMeters() throws Exception {
    CacheMeters meters = new CacheMeters();
    meters.bindTo(registry);
    try (Connection connection = connect(ShopDatabase.withBooks(), "written")) {
      SingleConnectionDataSource source = new SingleConnectionDataSource(connection, true);
      JdbcTemplate jdbc = new JdbcTemplate(source);
      ShopDatabase.untilHit(
          source, () -> jdbc.queryForObject("SELECT title FROM book WHERE id = 1", String.class));
      meters.countTables();
      double before =
          registry
              .find(TableMeters.NAME)
              .tag("cache", "written")
              .tag("table", "public.book")
              .functionCounters()
              .stream()
              .mapToDouble(FunctionCounter::count)
              .sum();
      jdbc.update("UPDATE book SET title = title WHERE id = 1");
      meters.countTables();
      assertThat(
              registry
                  .get(TableMeters.NAME)
                  .tag("cache", "written")
                  .tag("table", "public.book")
                  .functionCounter()
                  .count())
          .isEqualTo(before + 1);
    } finally {
      meters.destroy();
    }
  }

  private double writes(CacheMeters meters, String cache) {
    meters.countTables();
    return registry.find(TableMeters.NAME).tag("cache", cache).functionCounters().stream()
        .mapToDouble(FunctionCounter::count)
        .sum();
  }

  /** They have the tables in common, with their writes. */
  @Test
  void aWriteIsOneHoweverManyCachesOfTheDatabaseHaveTheName() throws Exception {
    CacheMeters meters = new CacheMeters();
    meters.bindTo(registry);
    ShopDatabase database = ShopDatabase.withBooks();
    try (Connection one = connect(database, "twice");
        Connection other = connect(database, "twice&larder.maxResultRows=10")) {
      for (Connection connection : List.of(one, other)) {
        SingleConnectionDataSource source = new SingleConnectionDataSource(connection, true);
        JdbcTemplate jdbc = new JdbcTemplate(source);
        ShopDatabase.untilHit(
            source, () -> jdbc.queryForObject("SELECT title FROM book WHERE id = 1", String.class));
      }
      double before = writes(meters, "twice");
      new JdbcTemplate(new SingleConnectionDataSource(one, true))
          .update("UPDATE book SET title = title WHERE id = 1");
      assertThat(writes(meters, "twice")).isEqualTo(before + 1);
    } finally {
      meters.destroy();
    }
  }

  /** As is done where the next state of a table is built beside it. */
  @Test
  void aTableThatIsMadeAgainIsCountedOn() throws Exception {
    CacheMeters meters = new CacheMeters();
    meters.bindTo(registry);
    try (Connection connection = connect(ShopDatabase.withBooks(), "again")) {
      SingleConnectionDataSource source = new SingleConnectionDataSource(connection, true);
      JdbcTemplate jdbc = new JdbcTemplate(source);
      jdbc.queryForObject("SELECT price FROM book WHERE id = 2", Double.class);
      ShopDatabase.untilHit(
          source, () -> jdbc.queryForObject("SELECT title FROM book WHERE id = 1", String.class));
      for (int i = 0; i < 5; i++) {
        jdbc.update("UPDATE book SET title = title WHERE id = 1");
      }
      double before = writes(meters, "again");
      jdbc.execute("CREATE TABLE next AS SELECT * FROM book");
      jdbc.execute("DROP TABLE book");
      jdbc.execute("ALTER TABLE next RENAME TO book");
      ShopDatabase.untilHit(
          source, () -> jdbc.queryForObject("SELECT title FROM book WHERE id = 1", String.class));
      jdbc.update("UPDATE book SET title = title WHERE id = 1");
      assertThat(writes(meters, "again")).isEqualTo(before + 1);
      assertThat(writes(meters, "again")).isEqualTo(before + 1);
    } finally {
      meters.destroy();
    }
  }

  @Test
  void troublesOfTheStarterAreCountedBesideThoseOfTheCaches() {
    CacheMeters meters = new CacheMeters();
    meters.bindTo(registry);
    try {
      for (InstallationTrouble trouble : InstallationTrouble.values()) {
        double before = troubles(trouble.code());
        trouble.count();
        assertThat(troubles(trouble.code())).isEqualTo(before + 1);
      }
      assertThat(LarderCaches.troubles()).isNotEmpty();
      assertThat(registry.find("larder.troubles").meters())
          .hasSize(LarderCaches.troubles().size() + InstallationTrouble.values().length);
    } finally {
      meters.destroy();
    }
  }

  private double troubles(String code) {
    return registry.get("larder.troubles").tag("code", code).functionCounter().count();
  }
}
