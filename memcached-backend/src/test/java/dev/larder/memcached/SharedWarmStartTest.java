package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.ask;
import static dev.larder.memcached.LarderInstance.askUntilHit;
import static dev.larder.memcached.LarderInstance.count;
import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that has shared its results asks again after its restart for what was hot. */
@NeedsProgram(Program.MEMCACHED)
class SharedWarmStartTest extends TwoInstances {
  private static final String FOLDER = "larder.warmup.folder";

  @TempDir private Path folder;

  @BeforeEach
  void allowTheFolder() {
    System.setProperty(FOLDER, folder.toString());
  }

  @AfterEach
  void allowNone() {
    System.clearProperty(FOLDER);
  }

  @Test
  void afterARestartTheFirstReadIsAHitOfWhatIsThereNow() throws Exception {
    Path file = folder.resolve("warm");
    String warm = url() + "&larder.warmup.file=" + file;
    try (LarderInstance before = new LarderInstance(warm)) {
      assertThat(askUntilHit(before.connect(), READ)).isEqualTo("a");
    }
    Waiting.until("the queries were noted", () -> Files.exists(file));
    run(second, "UPDATE t SET v = 'b' WHERE id = 1");
    assertThat(askUntilHit(first, READ)).isEqualTo("b"); // So it is in memcached.
    try (LarderInstance after = new LarderInstance(warm)) {
      Connection connection = after.connect();
      Waiting.until("they were asked again", () -> count(connection, "warmup_asked") > 0);
      long hits = count(connection, "hits");
      assertThat(ask(connection, READ)).isEqualTo("b");
      assertThat(count(connection, "hits")).isEqualTo(hits + 1);
    }
  }
}
