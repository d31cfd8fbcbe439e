package dev.larder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.examples.followed.Followed;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes without memcached see each other's writes. */
@Tag("gate")
final class FollowedTest {
  @Test
  void theOthersAnswerWithWhatOneHasWritten() throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      Followed.main(new String[0]);
    } finally {
      System.setOut(console);
    }
    String output = said.toString(StandardCharsets.UTF_8);
    assertThat(output).contains("No answer was older than a second");
    assertThat(output.lines().filter(line -> line.matches("[12] +400 .* 0\\.\\d{4} +0")))
        .as(output)
        .hasSize(2);
  }
}
