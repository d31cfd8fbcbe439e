package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements as Hibernate, jOOQ, MyBatis, Spring Data and pgbench write them, one a line. */
class CorpusTest {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z_0-9]*");

  /** What stands before a table. */
  private static final Pattern SOURCE =
      Pattern.compile("(?i)(?<!distinct\\s)\\b(from|join|table)\\s+(only\\s+)?\"?$");

  static List<String> read(String resource) {
    try (InputStream in =
            Objects.requireNonNull(CorpusTest.class.getResourceAsStream(resource), resource);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  static List<String> queries() {
    return read("corpus-queries.sql");
  }

  static List<String> writes() {
    return read("corpus-writes.sql");
  }

  static List<String> all() {
    return Stream.of(queries(), writes()).flatMap(List::stream).toList();
  }

  @ParameterizedTest
  @MethodSource("queries")
  void queriesAreCacheableByTheirText(String sql) {
    StatementFacts facts = SqlAnalyzerTest.facts(sql);
    assertThat(facts.bypass()).isNull();
    assertThat(facts.kind()).isEqualTo(StatementKind.QUERY);
    assertThat(facts.writesUnknown()).isFalse();
    assertThat(facts.targets()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("writes")
  void writesNameTheirTarget(String sql) {
    StatementFacts facts = SqlAnalyzerTest.facts(sql);
    assertThat(facts.kind()).isEqualTo(StatementKind.DML);
    assertThat(facts.writesUnknown()).isFalse();
    assertThat(facts.targets()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyNameIsAnIdentifierAndARelationUnlessItIsPlainlyAColumn(String sql) {
    StatementFacts facts = SqlAnalyzerTest.facts(sql);
    String plain =
        sql.replaceAll("/\\*.*?\\*/|--.*$", " ")
            .replaceAll("\\$q\\$.*?\\$q\\$|\\$\\$.*?\\$\\$", "''")
            .replaceAll("(\\b[ENBXenbx])?'[^']*'", "''")
            .replaceAll("\"[^\"]* [^\"]*\"", "''")
            .replaceAll("(?i)\\bAT\\s+TIME\\s+ZONE\\b", " ");
    Matcher matcher = NAME.matcher(plain);
    while (matcher.find()) {
      boolean quoted = matcher.start() > 0 && plain.charAt(matcher.start() - 1) == '"';
      boolean number = matcher.start() > 0 && Character.isDigit(plain.charAt(matcher.start() - 1));
      boolean positional = matcher.start() > 0 && plain.charAt(matcher.start() - 1) == '$';
      String word = matcher.group();
      String name = quoted ? word : word.toLowerCase(Locale.ROOT);
      if (number || positional || (!quoted && new Token(Kind.WORD, name, name).isReserved())) {
        continue;
      }
      assertThat(facts.identifiers()).as(sql).contains(name);
      boolean attribute =
          matcher.start() > 1
              && ").].".contains(plain.substring(matcher.start() - 2, matcher.start()));
      if (attribute) {
        continue;
      }
      boolean relation = facts.relations().stream().anyMatch(each -> each.name().equals(name));
      boolean source = SOURCE.matcher(plain.substring(0, matcher.start())).find();
      assertThat(relation || (facts.columns().contains(name) && !source)).as(sql).isTrue();
    }
  }

  @Test
  void corpusIsLargeEnough() {
    assertThat(all()).hasSizeGreaterThanOrEqualTo(300).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("all")
  void analysisDoesNotDependOnCommentsAndWhiteSpace(String sql) {
    String spaced = "/* trace=1 */ " + sql.replace(", ", " /* , */ ,\n ") + " -- end";
    assertThat(SqlAnalyzerTest.facts(spaced)).isEqualTo(SqlAnalyzerTest.facts(sql));
  }
}
