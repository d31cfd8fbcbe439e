package dev.larder.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.ModelWriter.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The protocol of {@link TableVersions}, tried in every interleaving of its atomic steps: two
 * readers, one or two writers, two tables, a database with snapshots, commits that succeed, fail,
 * or are left to a server process whose client is gone. What announces, publishes, captures and
 * validates is the production code.
 *
 * <p>No hit may return a row that had been overwritten when its read began, acknowledged or not:
 * this implies that no read is older than an acknowledged commit, and that reads are monotonic
 * within a reader and between them. In a REPEATABLE READ transaction every read returns what the
 * server would, and a table once read never changes.
 */
@Tag("mutants")
class ProtocolModelTest {
  private static final int T0 = 0b01;
  private static final int T1 = 0b10;
  private static final int KEY_0 = 0;
  private static final int KEY_1 = 1;
  private static final int KEY_BOTH = 2;
  private static final List<Outcome> ALL_OUTCOMES = List.of(Outcome.values());

  private final ModelCounts counts = new ModelCounts();

  @ParameterizedTest
  @EnumSource
  void protocolHolds(Scenario scenario) {
    assertThat(explore(scenario, ModelMutant.NONE)).isNull();

    assertThat(counts.states).as("the exploration covers what it did").isGreaterThan(50_000);
    assertThat(counts.fastHits).isPositive();
    assertThat(counts.announceHits).isPositive();
    assertThat(counts.slowHits).isPositive();
    assertThat(counts.puts).isPositive();
    assertThat(counts.repeatableReadHits > 0).isEqualTo(scenario.repeatableRead);
    System.out.println("proof: states explored=" + counts.states);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void mutantViolates(ModelMutant mutant) {
    String violation = explore(scenarioAgainst(mutant), mutant);

    assertThat(violation).as("violation by %s", mutant).isNotNull();
    System.out.println("proof: mutants killed=1");
  }

  private static Scenario scenarioAgainst(ModelMutant mutant) {
    return switch (mutant) {
      case BOOLEAN_IN_FLIGHT -> Scenario.TWO_WRITERS_OF_ONE_TABLE;
      case HIT_AS_FIRST_READ, PUT_WITHOUT_E0, HIT_WITHOUT_E0 ->
          Scenario.REPEATABLE_READ_AND_WRITER_OF_BOTH_TABLES;
      case HIT_WITHOUT_LOCK -> Scenario.REPEATABLE_READ_AND_TRUNCATE;
      case CATALOG_CHANGE_WIDENS_NOBODY,
          CATALOG_CHANGE_WIDENS_AFTER_ITS_PUBLISH,
          WRITER_DOES_NOT_LOOK_AT_THE_CATALOG_AGAIN ->
          Scenario.WRITE_AND_NEW_TRIGGER;
      default -> Scenario.TWO_READERS_ONE_WRITER_OF_BOTH_TABLES;
    };
  }

  private @Nullable String explore(Scenario scenario, ModelMutant mutant) {
    ModelProduction production = new ModelProduction();
    List<ModelActor> actors = new ArrayList<>();
    ModelReader first = new ModelReader(production, mutant, counts, 0, false, scenario.first);
    ModelReader second =
        new ModelReader(production, mutant, counts, 1, scenario.repeatableRead, scenario.second);
    actors.add(first);
    actors.add(second);
    for (ModelWriterSpec spec : scenario.writers) {
      actors.add(spec.writer(production, mutant, actors.size()));
    }
    if (scenario == Scenario.WRITE_AND_NEW_TRIGGER) {
      ModelWriter writer = (ModelWriter) actors.get(2);
      actors.add(new ModelCatalogChange(production, mutant, actors.size(), writer));
    }
    ModelState start = new ModelState(actors.size());
    first.begin(start);
    second.begin(start);
    return new ModelExplorer(actors, counts).explore(start);
  }

  /** Who takes part. */
  enum Scenario {
    TWO_READERS_ONE_WRITER_OF_BOTH_TABLES(
        new int[] {KEY_BOTH, KEY_0, KEY_BOTH},
        false,
        new int[] {KEY_BOTH, KEY_BOTH},
        ModelWriterSpec.of(T0 | T1)),
    TWO_WRITERS_OF_ONE_TABLE(
        new int[] {KEY_0, KEY_0},
        false,
        new int[] {KEY_0, KEY_0},
        ModelWriterSpec.of(T0),
        ModelWriterSpec.of(T0)),
    UNKNOWN_WRITE_AND_KNOWN_WRITE(
        new int[] {KEY_BOTH, KEY_BOTH},
        false,
        new int[] {KEY_BOTH, KEY_1},
        new ModelWriterSpec(T0 | T1, true, false, false, ALL_OUTCOMES),
        ModelWriterSpec.of(T1)),
    REPEATABLE_READ_AND_WRITER_OF_BOTH_TABLES(
        new int[] {KEY_0, KEY_BOTH},
        true,
        new int[] {KEY_0, KEY_BOTH, KEY_BOTH},
        ModelWriterSpec.of(T0 | T1)),
    REPEATABLE_READ_AND_TRUNCATE(
        new int[] {KEY_1},
        true,
        new int[] {KEY_0, KEY_1, KEY_1},
        new ModelWriterSpec(T1, false, true, false, ALL_OUTCOMES),
        new ModelWriterSpec(T0, false, false, false, List.of(Outcome.COMMITTED))),
    WRITE_AND_NEW_TRIGGER(
        new int[] {KEY_1, KEY_1},
        false,
        new int[] {KEY_1, KEY_BOTH},
        new ModelWriterSpec(T0, false, false, true, ALL_OUTCOMES));

    private final int[] first;
    private final boolean repeatableRead;
    private final int[] second;
    private final List<ModelWriterSpec> writers;

    Scenario(int[] first, boolean repeatableRead, int[] second, ModelWriterSpec... writers) {
      this.first = first;
      this.repeatableRead = repeatableRead;
      this.second = second;
      this.writers = List.of(writers);
    }
  }

  /** What a writer does, before it is bound to production objects. */
  private record ModelWriterSpec(
      int tables,
      boolean unknown,
      boolean truncates,
      boolean watchesCatalog,
      List<Outcome> outcomes) {
    static ModelWriterSpec of(int tables) {
      return new ModelWriterSpec(tables, false, false, false, ALL_OUTCOMES);
    }

    ModelWriter writer(ModelProduction production, ModelMutant mutant, int self) {
      return new ModelWriter(
          production, mutant, self, tables, unknown, truncates, watchesCatalog, outcomes);
    }
  }
}
