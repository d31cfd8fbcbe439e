package dev.larder.benchmarks.shapes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {
  @TempDir private Path directory;

  @Test
  void isTheShareOfAllFiles() {
    assertThat(PageCache.resident(List.of("4096  8192", "    0 24576"))).isEqualTo(0.125);
    assertThat(PageCache.resident(List.of("0 8192"))).isZero();
  }

  @Test
  void whatCannotBeDroppedIsWarm() throws Exception {
    assertThat(PageCache.drop(List.of(directory.resolve("missing")))).isEqualTo(1);
    assertThat(PageCache.resident(List.of())).isEqualTo(1);
  }
}
