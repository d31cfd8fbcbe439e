package dev.larder.lexer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.Token.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names are folded by {@link Tokens#fold} and nowhere else, and as the server folds them. */
@Tag("regression")
final class FoldingTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("..");

  private static final Pattern OTHER_WAYS =
      Pattern.compile("to(Lower|Upper)Case\\(|[eE]qualsIgnoreCase|CASE_INSENSITIVE|_ORDER\\b");

  /** What these fold is no name of the database's. */
  private static final Set<String> NO_NAMES =
      Set.of(
          // words of options
          "OptionText.java",
          "OptionType.java",
          "RemoteBackends.java",
          "MemcachedSettings.java",
          "MemcachedOptions.java",
          "Publication.java",
          "CachePolicy.java",
          "SetCommands.java",
          // constants of enums, and numbers
          "CacheBean.java",
          "CacheStatus.java",
          "FeedTable.java",
          "LarderCache.java",
          "LarderCommands.java",
          "LogPosition.java",
          "ReadAnalyzer.java",
          "RefusedPart.java",
          // values that the server shows
          "FactQueries.java",
          "Isolation.java",
          "TransactionState.java",
          // constants in texts
          "ArrayText.java",
          "BorrowedStatus.java",
          "LocalSettings.java",
          "PoolerQueries.java",
          "StatementShape.java",
          "MessageText.java",
          // the one place
          "OwnSql.java", // Texts of its own, in ASCII.
          "Tokens.java");

  @Test
  void namesAreFoldedInOnePlace() throws IOException {
    List<String> found = new ArrayList<>();
    for (String module : List.of("core", "jdbc-wrapper", "memcached-backend", "change-feed")) {
      try (Stream<Path> sources = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
        for (Path source : sources.filter(each -> each.toString().endsWith(".java")).toList()) {
          String name = source.getFileName().toString();
          boolean folds = OTHER_WAYS.matcher(Files.readString(source, UTF_8)).find();
          if (folds && !NO_NAMES.contains(name)) {
            found.add(name);
          }
        }
      }
    }
    assertThat(found).as("use Tokens.fold").isEmpty();
  }

  @Test
  void lettersBeyondAsciiStayAsTheyAre() {
    assertThat(Tokens.fold("MANDANT_Ä")).isEqualTo("mandant_Ä");
    assertThat(Tokens.fold("\u0130I\u212aK")).isEqualTo("\u0130i\u212ak");
    assertThat(name("MANDANT_Ä", LexOptions.STATEMENT).name()).isEqualTo("mandant_Ä");
    assertThat(name("\"MANDANT_Ä\"", LexOptions.STATEMENT).name()).isEqualTo("MANDANT_Ä");
  }

  /** What the locale folds is the server's to read. */
  @Test
  void nameThatIsFoldedByLocaleIsUnclear() {
    for (LexOptions options : LexOptions.values()) {
      Kind capital = options.singleByte() ? Kind.UNICODE_NAME : Kind.WORD;
      assertThat(name("MANDANT_Ä", options).kind()).isEqualTo(capital);
      assertThat(name("mandant_ä", options).kind()).isEqualTo(Kind.WORD);
      assertThat(name("MANDANT", options).name()).isEqualTo("mandant");
      assertThat(name("\"MANDANT_Ä\"", options).kind()).isEqualTo(Kind.QUOTED_NAME);
    }
  }

  @Test
  void foldedLooselyIsWhateverTheServerMayFoldToTheSame() {
    assertThat(Tokens.foldLoosely("ÄΣ.x")).isEqualTo(Tokens.foldLoosely("ä") + "σ.x");
    assertThat(Tokens.foldLoosely("\u0130")).isEqualTo("i");
  }

  private static Token name(String text, LexOptions options) {
    return Tokens.of(text, options).get(0);
  }
}
