package dev.larder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every example runs, hits, and sees what it has written. */
@Tag("gate")
final class ExamplesTest {
  private static final Pattern HITS = Pattern.compile("hits (?:of \\d+: )?(\\d+)");

  @ParameterizedTest
  @CsvSource({
    "PlainJdbc, after the update: 8.50",
    "PooledJdbc, after the delete: 9.90",
    "HibernateExample, after:  12.50",
    "JooqExample, after:  12.50",
    "MyBatisExample, after:  12.50"
  })
  void exampleHitsAndSeesItsOwnWrite(String name, String says) throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      Class.forName("dev.larder.examples." + name)
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(console);
    }
    String output = said.toString(StandardCharsets.UTF_8);
    assertThat(output).contains(says);
    Matcher hits = HITS.matcher(output);
    assertThat(hits.find()).as(output).isTrue();
    assertThat(Integer.parseInt(hits.group(1))).as(output).isGreaterThan(500);
  }
}
