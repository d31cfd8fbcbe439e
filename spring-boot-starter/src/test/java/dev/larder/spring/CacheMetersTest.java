package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

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
      connect(database, "tenant_0").close();
      assertThat(names()).contains("used", "tenant_0");
      for (int i = 1; i <= 100; i++) {
        connect(database, "tenant_" + i).close();
      }
      assertThat(names()).contains("used", "tenant_100").doesNotContain("tenant_0").hasSize(33);
      assertThat(registry.getMeters())
          .extracting(meter -> meter.getId().getTag("cache"))
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
}
