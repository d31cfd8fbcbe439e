package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A database may have any number of tables, a registry not. */
class TableMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final TableMeters tables = new TableMeters(registry, "shop");

  private double count(String table) {
    return registry.get(TableMeters.NAME).tag("table", table).functionCounter().count();
  }

  @Test
  void tablesThatAreNotWrittenHaveNone() {
    tables.count(Map.of("public.book", 0L, "public.author", 2L));
    assertThat(registry.getMeters()).hasSize(1);
    assertThat(count("public.author")).isEqualTo(2);
  }

  @Test
  void aCountDoesNotFall() {
    tables.count(Map.of("public.book", 7L));
    tables.count(Map.of());
    assertThat(count("public.book")).isEqualTo(7);
    tables.count(Map.of("public.book", 3L));
    assertThat(count("public.book")).isEqualTo(7);
    tables.count(Map.of("public.book", 8L));
    assertThat(count("public.book")).isEqualTo(8);
  }

  @Test
  void beyondTheBoundTheyAreCountedTogether() {
    Map<String, Long> written = new HashMap<>();
    for (int i = 1; i <= TableMeters.MAX + 5; i++) {
      written.put("t" + i, (long) i);
    }
    tables.count(written);
    assertThat(registry.getMeters()).hasSize(TableMeters.MAX + 1);
    assertThat(count("t" + (TableMeters.MAX + 5))).isEqualTo(TableMeters.MAX + 5);
    assertThat(count(TableMeters.OTHERS)).isEqualTo(1 + 2 + 3 + 4 + 5);

    tables.count(Map.of("t1", 100L, "late", 10L));
    assertThat(registry.getMeters()).hasSize(TableMeters.MAX + 1);
    assertThat(count(TableMeters.OTHERS)).isEqualTo(100 + 2 + 3 + 4 + 5 + 10);

    tables.remove();
    assertThat(registry.getMeters()).isEmpty();
  }
}
