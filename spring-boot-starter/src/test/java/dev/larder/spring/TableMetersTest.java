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

  private void written(Map<String, Long> counts) {
    tables.count(Map.of("1/5", counts));
  }

  private double count(String table) {
    return registry.get(TableMeters.NAME).tag("table", table).functionCounter().count();
  }

  @Test
  void tablesThatAreNotWrittenHaveNone() {
    written(Map.of("public.book", 0L, "public.author", 2L));
    assertThat(registry.getMeters()).hasSize(1);
    assertThat(count("public.author")).isEqualTo(2);
  }

  @Test
  void aCountDoesNotFall() {
    written(Map.of("public.book", 7L));
    written(Map.of());
    assertThat(count("public.book")).isEqualTo(7);
    written(Map.of("public.book", 8L));
    assertThat(count("public.book")).isEqualTo(8);
    written(Map.of("public.book", 3L));
    assertThat(count("public.book")).as("another table of the name").isEqualTo(8 + 3);
  }

  @Test
  void tablesOfSeveralDatabasesAddUpAndOneThatIsLeftKeepsItsShare() {
    tables.count(Map.of("1/5", Map.of("public.book", 7L), "1/6", Map.of("public.book", 20L)));
    assertThat(count("public.book")).isEqualTo(27);
    written(Map.of("public.book", 8L));
    assertThat(count("public.book")).isEqualTo(28);
  }

  @Test
  void beyondTheBoundTheyAreCountedTogether() {
    Map<String, Long> written = new HashMap<>();
    for (int i = 1; i <= TableMeters.MAX + 5; i++) {
      written.put("t" + i, (long) i);
    }
    written(written);
    assertThat(registry.getMeters()).hasSize(TableMeters.MAX + 1);
    assertThat(count("t" + (TableMeters.MAX + 5))).isEqualTo(TableMeters.MAX + 5);
    assertThat(count(TableMeters.OTHERS)).isEqualTo(1 + 2 + 3 + 4 + 5);

    written(Map.of("t1", 100L, "late", 10L));
    assertThat(registry.getMeters()).hasSize(TableMeters.MAX + 1);
    assertThat(count(TableMeters.OTHERS)).isEqualTo(100 + 2 + 3 + 4 + 5 + 10);

    tables.remove();
    assertThat(registry.getMeters()).isEmpty();
  }
}
