package dev.larder.memcached.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The protocol between JVMs, tried in every interleaving of its atomic steps: two readers, two
 * writers, two tables, versions that are evicted, a server that loses everything, requests that are
 * lost or come late, clients that die and leave a server process behind, transactions prepared.
 * What announces, publishes, reads and settles is the production code.
 *
 * <p>No hit may return a row that had been overwritten when its read began, acknowledged or not.
 */
@Tag("mutants")
class VersionProtocolModelTest {
  private static final int T0 = 0b01;
  private static final int T1 = 0b10;
  private static final ModelReader.Query Q0 = ModelReader.Query.of(0, List.of("0"), T0);
  private static final ModelReader.Query Q_BOTH =
      ModelReader.Query.of(2, List.of("0", "1"), T0 | T1);
  private static final ModelReader.Query Q1_ALL = ModelReader.Query.of(1, List.of("2", "1"), T1);
  private static final ModelReader.Query Q0_ALL = ModelReader.Query.of(0, List.of("2", "0"), T0);

  // Rows 0 and 1 of table 0, which change apart from each other, in the place of two tables.
  private static final ModelReader.Query ROW_0 =
      ModelReader.Query.ofRows(0, ModelRows.OF_0, ModelRows.OF_0, T0);
  private static final ModelReader.Query ROW_1 =
      ModelReader.Query.ofRows(1, ModelRows.OF_1, ModelRows.OF_1, T1);
  private static final ModelReader.Query LATE_ROW_0 =
      ModelReader.Query.ofRows(0, null, ModelRows.OF_0, T0);
  private static final ModelReader.Query BOTH_ROWS = ModelReader.Query.of(2, List.of("0"), T0 | T1);

  private static final Setting NO_FAULTS = barriers();

  private final ModelCounts counts = new ModelCounts();

  @ParameterizedTest
  @EnumSource
  void protocolHolds(Scenario scenario) {
    assertThat(explore(scenario, ModelMutant.NONE)).isNull();

    assertThat(counts.states).as("the exploration covers what it did").isGreaterThan(10_000);
    assertThat(counts.hits).isPositive();
    assertThat(counts.fills).isPositive();
    assertThat(counts.commits).isPositive();
    assertThat(counts.settled > 0).isEqualTo(scenario.setting.passes.length > 0);
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
      case BLIND_PUBLISH, DELETE_AFTER_COMMIT_ONLY, CAPTURE_AFTER_EXECUTE ->
          Scenario.TWO_WRITERS_OF_TWO_TABLES;
      case PUBLISH_FOR_WHO_HAS_NOT_FINISHED -> Scenario.TWO_THREADS;
      case DEAD_JVM_IS_DEAD_MARK, PUBLISH_OF_UNKNOWN_OUTCOME -> Scenario.CRASH;
      case COMMIT_WITHOUT_ACKNOWLEDGEMENT -> Scenario.LOST_REQUEST;
      case SIGHTING_OUTLIVES_EVICTION -> Scenario.EVICTION_WHILE_BARRIER_WAITS;
      case BARRIER_TAKES_LATER_MARKS -> Scenario.EVICTION_AND_TWO_WRITERS;
      case CATALOG_IS_NOT_CHECKED -> Scenario.NEW_TRIGGER;
      case CAS_ACROSS_LIVES -> Scenario.RESTART;
      case PREPARED_TRANSACTION_CHANGES_ITS_NAME -> Scenario.PREPARED;
      case LIFE_IS_NOT_RENEWED -> Scenario.ROWS_AND_EVICTION;
      case WHOLE_WRITE_LEAVES_THE_LIFE -> Scenario.ROWS_AND_TABLE;
      case MARK_WITH_BUCKETS_IS_NO_MARK, COUNTS_ARE_NOT_RAISED -> Scenario.ROWS;
      case LAYOUT_IS_NOT_COMPARED -> Scenario.ROWS_BY_OTHER_SCHEMES;
      case LATE_COUNTS_ARE_READ_LATER -> Scenario.LATE_ROWS;
      default -> Scenario.EVICTIONS;
    };
  }

  private @Nullable String explore(Scenario scenario, ModelMutant mutant) {
    Setting setting = scenario.setting;
    int size = scenario.readers.size() + scenario.writers.size() + setting.passes.length;
    ModelState start = new ModelState(size, scenario.writers.size());
    start.evictions = setting.evictions;
    start.restarts = setting.restarts;
    start.losses = setting.losses;
    start.crashes = setting.crashes;
    for (int key = 0; key < ModelState.KEYS && setting.ready; key++) {
      start.nextNumber = 2; // So that a number can come again after a restart.
      Token token = start.token();
      start.firstLife = key == 0 ? token : start.firstLife;
      start.store(key, VersionValue.ready(token, 1, List.of()));
    }
    List<ModelActor> actors = new ArrayList<>();
    for (List<ModelReader.Query> queries : scenario.readers) {
      int self = actors.size();
      ModelReader reader = new ModelReader(mutant, counts, self, self == 0, queries);
      start.actors[self] = reader.start(0);
      actors.add(reader);
    }
    for (int i = 0; i < scenario.writers.size(); i++) {
      Write write = scenario.writers.get(i);
      int self = actors.size();
      start.actors[self] = ModelWriter.start();
      actors.add(new ModelWriter(mutant, counts, self, i, write, setting.together));
    }
    for (int passes : setting.passes) {
      ModelBarrier barrier = new ModelBarrier(mutant, counts, actors.size(), setting.key);
      start.actors[actors.size()] = barrier.start(passes);
      actors.add(barrier);
    }
    actors.add(new ModelFaults(mutant));
    return new ModelExplorer(actors, counts, setting.restarts > 0).explore(start);
  }

  /**
   * What a writer does.
   *
   * @param fires whether it sets off the trigger, once there is one, and looks it up before
   */
  record Write(
      List<String> keys,
      Need need,
      int tables,
      boolean prepares,
      boolean createsTrigger,
      boolean fires) {
    Write(List<String> keys, int tables, boolean prepares, boolean creates, boolean fires) {
      this(keys, Need.WHOLE, tables, prepares, creates, fires);
    }

    private static Write row(Need need, int row) {
      return new Write(List.of("0"), need, row, false, false, false);
    }

    List<Announcement.Written> written(ModelMutant mutant) {
      return keys.stream()
          .map(key -> new Announcement.Written(key, ModelRows.written(need, mutant)))
          .toList();
    }

    static final Write ROW_0 = row(ModelRows.OF_0, T0);
    static final Write ROW_1 = row(ModelRows.OF_1, T1);
    static final Write ROW_0_BY_OTHERS = row(ModelRows.OF_0_BY_OTHERS, T0);
    static final Write OF_0 = new Write(List.of("0"), T0, false, false, false);
    static final Write OF_BOTH = new Write(List.of("0", "1"), T0 | T1, false, false, false);
    static final Write PREPARED_OF_0 = new Write(List.of("0"), T0, true, false, false);
    static final Write ELSEWHERE = new Write(List.of(), 0, false, false, false);
    static final Write UNKNOWN = new Write(List.of("2"), T0, false, false, false);
    static final Write CREATES_TRIGGER = new Write(List.of("2", "3"), 0, false, true, false);
    static final Write FIRES_TRIGGER = new Write(List.of("0"), T0, false, false, true);
  }

  private static List<List<ModelReader.Query>> reads(List<ModelReader.Query> first) {
    return List.of(first);
  }

  private static List<List<ModelReader.Query>> reads(
      List<ModelReader.Query> first, List<ModelReader.Query> second) {
    return List.of(first, second);
  }

  private static List<ModelReader.Query> read(ModelReader.Query... queries) {
    return List.of(queries);
  }

  private static List<Write> writes(Write... writes) {
    return List.of(writes);
  }

  /** Barriers of table 0, each with so many passes. */
  private static Setting barriers(int... passes) {
    return new Setting("0", passes, true, 0, 0, 0, 0, false);
  }

  private static Setting ofAll(int... passes) {
    return new Setting("2", passes, true, 0, 0, 0, 0, false);
  }

  /**
   * Who makes versions ready, whether they are at the start, what may go wrong how often, and
   * whether the writers are threads of one JVM.
   */
  private record Setting(
      String key,
      int[] passes,
      boolean ready,
      int evictions,
      int restarts,
      int losses,
      int crashes,
      boolean together) {
    Setting missing() {
      return new Setting(key, passes, false, evictions, restarts, losses, crashes, together);
    }

    Setting evictions(int most) {
      return new Setting(key, passes, ready, most, restarts, losses, crashes, together);
    }

    Setting restarts(int most) {
      return new Setting(key, passes, ready, evictions, most, losses, crashes, together);
    }

    Setting losses(int most) {
      return new Setting(key, passes, ready, evictions, restarts, most, crashes, together);
    }

    Setting crashes(int most) {
      return new Setting(key, passes, ready, evictions, restarts, losses, most, together);
    }

    Setting ofOneJvm() {
      return new Setting(key, passes, ready, evictions, restarts, losses, crashes, true);
    }
  }

  /** Who takes part, and what may go wrong how often. */
  enum Scenario {
    TWO_WRITERS_OF_TWO_TABLES(
        reads(read(Q_BOTH, Q_BOTH), read(Q_BOTH)), writes(Write.OF_BOTH, Write.OF_0), NO_FAULTS),
    TWO_THREADS(
        reads(read(Q_BOTH, Q_BOTH)), writes(Write.OF_BOTH, Write.OF_0), NO_FAULTS.ofOneJvm()),
    TWO_THREADS_AND_LOST_REQUEST(
        reads(read(ROW_0, ROW_0)),
        writes(Write.OF_0, Write.ROW_0),
        barriers().losses(1).ofOneJvm()),
    TWO_THREADS_AND_CRASH(
        reads(read(ROW_0, ROW_0)),
        writes(Write.ROW_0, Write.ROW_1),
        barriers(2).crashes(1).ofOneJvm()),
    EVICTIONS(reads(read(Q0, Q0), read(Q0)), writes(Write.OF_0), barriers(2).evictions(2)),
    EVICTION_AND_TWO_WRITERS(
        reads(read(Q0, Q0)), writes(Write.OF_0, Write.OF_0), barriers(2).evictions(1)),
    EVICTION_AND_TWO_BARRIERS(reads(read(Q0, Q0)), writes(Write.OF_0), barriers(2, 1).evictions(1)),
    EVICTION_WHILE_BARRIER_WAITS(
        reads(read(Q0, Q0, Q0, Q0)),
        writes(Write.OF_0, Write.ELSEWHERE),
        barriers(2).evictions(1).missing()),
    CRASH(reads(read(Q0, Q0)), writes(Write.OF_0, Write.OF_0), barriers(2).crashes(1)),
    CRASH_AND_EVICTION(
        reads(read(Q0, Q0), read(Q0)), writes(Write.OF_0), barriers(2).crashes(1).evictions(1)),
    LOST_REQUEST(reads(read(Q0, Q0)), writes(Write.OF_0, Write.OF_0), barriers(1).losses(1)),
    LOST_REQUEST_AND_EVICTION(
        reads(read(Q0, Q0)), writes(Write.OF_0), barriers(2).losses(1).evictions(1)),
    RESTART(reads(read(Q0, Q0, Q0)), writes(Write.OF_0, Write.OF_0), barriers(1).restarts(1)),
    PREPARED(reads(read(Q0, Q0)), writes(Write.PREPARED_OF_0), barriers(3).evictions(1)),
    UNKNOWN_WRITE(reads(read(Q0_ALL, Q0_ALL)), writes(Write.UNKNOWN), ofAll(2).evictions(1)),
    NEW_TRIGGER(
        reads(read(Q1_ALL, Q1_ALL)), writes(Write.FIRES_TRIGGER, Write.CREATES_TRIGGER), ofAll(2)),
    ROWS(
        reads(read(ROW_0, ROW_0), read(ROW_1, ROW_0)), writes(Write.ROW_0, Write.ROW_1), NO_FAULTS),
    ROWS_AND_TABLE(
        reads(read(ROW_0, ROW_0), read(BOTH_ROWS)), writes(Write.OF_0, Write.ROW_0), NO_FAULTS),
    ROWS_BY_OTHER_SCHEMES(
        reads(read(ROW_0, ROW_0, ROW_1)), writes(Write.ROW_0_BY_OTHERS, Write.ROW_1), NO_FAULTS),
    LATE_ROWS(
        reads(read(LATE_ROW_0, LATE_ROW_0), read(LATE_ROW_0)),
        writes(Write.ROW_0, Write.ROW_1),
        NO_FAULTS),
    ROWS_AND_EVICTION(
        reads(read(ROW_0, ROW_0), read(ROW_0)), writes(Write.ROW_0), barriers(2).evictions(1)),
    ROWS_AND_CRASH(
        reads(read(ROW_0, ROW_0)), writes(Write.ROW_0, Write.ROW_1), barriers(2).crashes(1)),
    ROWS_AND_LOST_REQUEST(
        reads(read(ROW_0, ROW_0)), writes(Write.ROW_0, Write.ROW_1), barriers(1).losses(1)),
    ROWS_AND_RESTART(
        reads(read(ROW_0, ROW_0)), writes(Write.ROW_0, Write.ROW_1), barriers(1).restarts(1)),
    COLD_START(reads(read(Q0, Q0, Q0), read(Q0)), writes(Write.OF_0), barriers(2).missing());

    private final List<List<ModelReader.Query>> readers;
    private final List<Write> writers;
    private final Setting setting;

    Scenario(List<List<ModelReader.Query>> readers, List<Write> writers, Setting setting) {
      this.readers = readers;
      this.writers = writers;
      this.setting = setting;
    }
  }
}
