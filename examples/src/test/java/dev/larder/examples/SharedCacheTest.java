package dev.larder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.examples.shared.SharedCache;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes share a cache, and memcached is killed in the middle. */
@Tag("gate")
@Tag("regression")
final class SharedCacheTest {
  @Test
  @NeedsProgram(Program.MEMCACHED)
  void theOtherProcessIsServedFromMemcachedAndNeverSeesAnOlderPrice() throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      SharedCache.main(new String[0]);
    } finally {
      System.setOut(console);
    }
    assertThat(said.toString(StandardCharsets.UTF_8).lines().map(String::strip))
        .contains("the other:    10 from memcached", "once more:    10 from its own memory")
        .containsSubsequence(
            "this process has written 12",
            "the other:    12 from the database",
            "this process: 12 from the database",
            "the other:    12 from the database",
            "a write of 99 fails, with SQLState 40001",
            "this process has written 15",
            "the other:    15 from the database")
        .noneMatch(line -> line.contains("99 from"));
  }
}
