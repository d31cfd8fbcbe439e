package dev.larder.radar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogVersion;
import dev.larder.watch.CatalogLoader;
import dev.larder.watch.RadarSample;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which tables the radar looks at. */
class WatchedTablesTest {
  private final Server server = new Server();
  private final Radar radar = new Radar(new Nobody());

  /** Says what it was asked, and knows the tables of {@code there}. */
  private static final class Server implements CatalogLoader {
    final Set<Long> there = new TreeSet<>();
    Set<Long> asked = Set.of();

    @Override
    public CatalogVersion load() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String fingerprint() {
      throw new UnsupportedOperationException();
    }

    @Override
    public RadarSample sample(String announcement, String name, Collection<Long> tables) {
      asked = Set.copyOf(tables);
      List<RadarSample.Table> known =
          tables.stream()
              .filter(there::contains)
              .map(oid -> new RadarSample.Table(oid, 0, 0, Set.of()))
              .toList();
      return new RadarSample(1, 2, true, known, List.of(), Set.of(), Set.of());
    }

    @Override
    public void release() {}
  }

  private static final class Nobody implements Radar.Host {
    @Override
    public String group() {
      return Radar.SELF;
    }

    @Override
    public long version() {
      return 0;
    }

    @Override
    public Set<Long> underWay(long nanos) {
      return Set.of();
    }

    @Override
    public void found(Radar.Found found) {}
  }

  @Test
  void aTableThatIsGoneLeavesItsPlaceToOthers() throws Exception {
    server.there.add(1L);
    for (long table = 1; table <= 2_000; table++) {
      radar.watch(table);
    }
    assertThat(radar.look(server)).isTrue();
    assertThat(server.asked).hasSize(2_000);

    server.there.add(5_000L);
    radar.watch(5_000);
    assertThat(radar.look(server)).isTrue();
    assertThat(server.asked).containsExactlyInAnyOrder(1L, 5_000L);
    assertThat(radar.isBlind(5_000)).isTrue();
    assertThat(radar.look(server)).isTrue();
    assertThat(radar.look(server)).as("compares the look before").isTrue();
    assertThat(radar.isBlind(5_000)).isFalse();
  }
}
