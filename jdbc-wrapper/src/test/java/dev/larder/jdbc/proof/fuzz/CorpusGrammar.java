package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.proof.fuzz.Schema.Column;
import dev.larder.jdbc.proof.fuzz.Schema.Relation;
import dev.larder.jdbc.proof.fuzz.Step.Way;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Chooses among statements that were written by hand, one a line, for a schema of their own. */
final class CorpusGrammar {
  private static final List<Column> COLUMNS = List.of(new Column("id", "int"));

  /** What settings and DDL may name beside the statements of the corpus. */
  private static final List<Relation> TABLES =
      List.of(new Relation("cust", COLUMNS), new Relation("item", COLUMNS));

  static final Schema SCHEMA =
      new Schema(
          List.of(resource("corpus-schema.sql").split(";;\\s*", -1)),
          TABLES,
          TABLES,
          List.of(),
          List.of());

  private static final List<String> QUERIES =
      resource("corpus-queries.sql").lines().filter(line -> !line.startsWith("#")).toList();
  private static final List<String> WRITES = resource("corpus-writes.sql").lines().toList();

  private CorpusGrammar() {}

  private static String resource(String name) {
    try (InputStream in = CorpusGrammar.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Step read(Choices choices, int session) {
    Way way = choices.of(Way.QUERY, Way.EXECUTE);
    return new Step(session, way, choices.of(QUERIES), List.of(), false, true);
  }

  static Step write(Choices choices, int session) {
    String sql =
        choices
            .of(WRITES)
            .replace("{n}", String.valueOf(choices.below(40)))
            .replace("{s}", String.valueOf(1 + choices.below(12)));
    Way way = choices.of(Way.EXECUTE, Way.BATCH, Way.UPDATE);
    return new Step(session, way, sql, List.of(), false, false);
  }
}
