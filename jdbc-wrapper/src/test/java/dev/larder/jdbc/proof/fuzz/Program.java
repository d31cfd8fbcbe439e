package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.proof.fuzz.Schema.Relation;
import dev.larder.jdbc.proof.fuzz.Step.Way;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;

/**
 * A schema and what is done in it.
 *
 * @param schema what there is
 * @param mode the driver's parameters
 * @param invalidation the option of Larder's
 * @param steps what is done, by {@link #SESSIONS} sessions in turn
 */
record Program(Schema schema, String mode, String invalidation, List<Step> steps) {
  static final int SESSIONS = 2;

  /** A statement must not change its format from one execution to the next. */
  private static final List<String> MODES =
      List.of(
          "prepareThreshold=0",
          "preferQueryMode=simple",
          "prepareThreshold=-1&preparedStatementCacheQueries=0");

  private static final int SCHEMA_CHOICES = 150;
  private static final int STEP_CHOICES = 45;
  private static final int STEPS = 80;

  static Arbitrary<Program> programs() {
    Arbitrary<Integer> number =
        Arbitraries.integers()
            .between(0, Choices.BOUND - 1)
            .withDistribution(RandomDistribution.uniform());
    Arbitrary<List<Integer>> schema = number.list().ofMinSize(100).ofMaxSize(SCHEMA_CHOICES);
    Arbitrary<List<Integer>> step = number.list().ofMinSize(25).ofMaxSize(STEP_CHOICES);
    Arbitrary<List<List<Integer>>> steps =
        step.list().ofMaxSize(STEPS).withSizeDistribution(RandomDistribution.uniform());
    return Combinators.combine(schema, steps).as(Program::of).withoutEdgeCases();
  }

  static Program of(List<Integer> schemaChoices, List<List<Integer>> stepChoices) {
    Choices choices = new Choices(schemaChoices);
    String mode = choices.of(MODES);
    int source = choices.below(20);
    boolean corpus = source >= 9 && source < 13;
    boolean keyed = source >= 13;
    String invalidation = "larder.invalidation=" + (keyed ? "key" : choices.of("key", "table"));
    Schema schema =
        corpus
            ? CorpusGrammar.SCHEMA
            : keyed ? KeyedSchema.schema(choices) : SchemaGrammar.schema(choices);
    List<Step> steps = new ArrayList<>();
    for (List<Integer> numbers : stepChoices) {
      Choices each = new Choices(numbers);
      steps.add(keyed ? keyed(each, schema) : step(each, schema, corpus));
    }
    return new Program(schema, mode, invalidation, steps);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(mode).append(' ').append(invalidation).append('\n');
    schema.ddl().forEach(sql -> text.append(sql).append(";\n"));
    steps.forEach(step -> text.append(step).append('\n'));
    return text.toString();
  }

  private static Step step(Choices choices, Schema schema, boolean corpus) {
    int session = choices.percent(25) ? 1 : 0;
    SessionGrammar sessions = new SessionGrammar(choices, schema);
    int kind = choices.below(20);
    if (corpus && (kind < 14 || kind == 19)) {
      return kind < 8
          ? CorpusGrammar.read(choices, session)
          : CorpusGrammar.write(choices, session);
    }
    return switch (kind) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> read(choices, schema, session);
      case 8, 9, 10, 11 -> write(choices, schema, session);
      case 12 -> jdbcWrite(choices, schema, session);
      case 13 -> ddl(choices, schema, session);
      case 14, 15, 16 -> sessions.transaction(session);
      case 17, 18 -> sessions.setting(session);
      default ->
          choices.percent(30) ? sessions.temporary(session) : bound(choices, schema, session);
    };
  }

  /** A step of a program whose tables have keys. */
  private static Step keyed(Choices choices, Schema schema) {
    int session = choices.percent(25) ? 1 : 0;
    return switch (choices.below(20)) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> new KeyedGrammar(choices, schema, session).read();
      case 8, 9, 10, 11, 12, 13 -> new KeyedGrammar(choices, schema, session).write();
      case 14 -> read(choices, schema, session);
      case 15 -> write(choices, schema, session);
      case 16, 17, 18 -> new SessionGrammar(choices, schema).transaction(session);
      default -> new KeyedGrammar(choices, schema, session).ddl();
    };
  }

  private static Step read(Choices choices, Schema schema, int session) {
    Way way =
        choices.of(Way.QUERY, Way.EXECUTE, Way.PREPARED, Way.PREPARED_EXECUTE, Way.SCROLLABLE);
    way = choices.percent(5) ? Way.MAX_ROWS : way;
    QueryGrammar.Query query = new QueryGrammar(choices, schema).query();
    return new Step(session, way, query.sql(), List.of(), query.ordered(), true);
  }

  /** A prepared read or write with parameters. */
  private static Step bound(Choices choices, Schema schema, int session) {
    Relation table = choices.of(schema.writable());
    List<Object> binds =
        List.of(choices.of(1, 2, 3), choices.of("s1", "now", "it's", "\u00e9", "{}"));
    return switch (choices.below(5)) {
      case 0, 1 ->
          new Step(
              session,
              Way.PREPARED,
              "SELECT * FROM " + choices.of(schema.readable()).name() + " WHERE id = ? OR s = ?",
              binds,
              false,
              true);
      case 2 ->
          new Step(
              session,
              Way.PREPARED,
              "SELECT n + ?, s || ?::text FROM "
                  + choices.of(schema.readable()).name()
                  + " ORDER BY 1, 2",
              binds,
              true,
              true);
      case 3 ->
          new Step(
              session,
              Way.PREPARED_EXECUTE,
              "UPDATE " + table.name() + " SET n = ?, s = ? WHERE id < 3",
              binds,
              false,
              false);
      default ->
          new Step(
              session,
              Way.PREPARED_BATCH,
              "UPDATE " + table.name() + " SET n = n + ?, s = ? WHERE id < 3",
              binds,
              false,
              false);
    };
  }

  private static Step write(Choices choices, Schema schema, int session) {
    Way way =
        choices.of(Way.EXECUTE, Way.UPDATE, Way.PREPARED_EXECUTE, Way.BATCH, Way.KEYS, Way.QUERY);
    String sql = new WriteGrammar(choices, schema).write();
    return new Step(session, way, sql, List.of(), false, false);
  }

  private static Step jdbcWrite(Choices choices, Schema schema, int session) {
    Relation table = choices.of(schema.writable());
    WriteGrammar writes = new WriteGrammar(choices, schema);
    return switch (choices.below(3)) {
      case 0 ->
          new Step(
              session,
              Way.COPY_IN,
              "COPY " + table.name() + " (id, n, s) FROM STDIN",
              List.copyOf(writes.rows()),
              false,
              false);
      case 1 ->
          new Step(
              session,
              Way.COPY_OUT,
              "COPY (" + writes.insert(table) + " RETURNING id) TO STDOUT",
              List.of(),
              false,
              false);
      default ->
          new Step(
              session,
              Way.BATCH,
              writes.update(table) + ";;" + writes.insert(table),
              List.of(),
              false,
              false);
    };
  }

  private static Step ddl(Choices choices, Schema schema, int session) {
    return new Step(
        session,
        choices.of(Way.EXECUTE, Way.UPDATE),
        new WriteGrammar(choices, schema).ddl(),
        List.of(),
        false,
        false);
  }
}
