package dev.larder.analysis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A command does the same to Larder with each of its options, in each spelling that the server
 * takes. {@code WordsOfCommandsTest} shows that it takes them.
 */
@Tag("regression")
final class OptionListsTest {
  record Command(String sql, StatementKind kind, String target, List<String> options) {}

  static Stream<Command> commands() throws IOException {
    try (InputStream file = OptionListsTest.class.getResourceAsStream("option-lists.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(OptionListsTest::command);
    }
  }

  private static Command command(String line) {
    List<String> parts = new ArrayList<>(List.of(line.split(" \\| ", 3)));
    String[] effect = parts.get(1).split(" ", -1);
    List<String> options =
        Stream.of(parts.get(2).split(" ", -1))
            .map(option -> option.replaceFirst(":[0-9]+", ""))
            .toList();
    return new Command(
        parts.get(0),
        StatementKind.valueOf(effect[0]),
        effect.length > 1 ? effect[1] : "",
        options);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void commandDoesTheSameInEachSpellingOfItsOptions(Command command) {
    for (String option : command.options()) {
      int end = option.indexOf('=');
      String name = end < 0 ? option : option.substring(0, end);
      String value = end < 0 ? "" : " " + option.substring(end + 1);
      for (String spelled : spellings(name)) {
        assertDoes(command, spelled + value);
        assertDoes(command, spelled + value + ", " + spelled + value);
        assertDoes(command, spelled);
        assertDoes(command, spelled + " off");
        assertDoes(command, spelled + " 'false'");
        assertDoes(command, spelled + " 0");
      }
    }
  }

  private static List<String> spellings(String name) {
    String escaped = String.format("U&\"\\%04x%s\"", (int) name.charAt(0), name.substring(1));
    return List.of(
        name,
        name.toUpperCase(Locale.ROOT),
        '"' + name + '"',
        escaped,
        escaped.replace('\\', '!') + " UESCAPE '!'",
        "/* a */ \"" + name + "\" -- b\n");
  }

  private static void assertDoes(Command command, String options) {
    String sql = command.sql().formatted(options);
    List<StatementFacts> statements =
        new SqlAnalyzer().analyze(SqlLexer.lex(sql, LexOptions.STATEMENT).shape()).statements();
    assertThat(statements).as(sql).hasSize(1);
    StatementFacts facts = statements.get(0);
    assertThat(facts.kind()).as(sql).isEqualTo(command.kind());
    List<String> targets =
        facts.targets().stream().map(target -> target.relation().name()).toList();
    if (command.target().isEmpty()) {
      assertThat(targets).as(sql).isEmpty();
    } else {
      assertThat(targets).as(sql).contains(command.target());
    }
  }

  @Test
  void listsAreRead() throws IOException {
    assertThat(commands().mapToInt(command -> command.options().size()).sum()).isGreaterThan(100);
  }
}
