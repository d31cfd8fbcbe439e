package dev.larder.jdbc.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.Tag;

/**
 * No random script of three sessions shows a difference. What is found is shrunk, and printed as a
 * file of scripts has it. {@code -Djqwik.tries.default} says how many.
 */
@Tag("each-server")
class RandomScriptsTest {
  private static final Map<Way, Stage> STAGES = new EnumMap<>(Way.class);
  private static int scripts;
  private static long reads;
  private static long hits;

  @AfterContainer
  static void close() throws SQLException {
    for (Stage stage : STAGES.values()) {
      stage.close();
    }
    System.out.println("proof: scripts compared with the driver=" + scripts);
    System.out.println("proof: reads of scripts compared=" + reads);
    System.out.println("proof: hits in scripts=" + hits);
    assertThat(hits).as("hits of %d scripts", scripts).isGreaterThan(scripts);
  }

  @Property
  void noScriptShowsADifference(@ForAll("scenarios") Scenario scenario) throws SQLException {
    play(Way.ALL, scenario);
  }

  @Property
  void noneWhereSessionsGoOn(@ForAll("scenarios") Scenario scenario) throws SQLException {
    play(Way.POOLED, scenario);
  }

  @Property
  void noneWhereWholeTablesAreInvalidated(@ForAll("scenarios") Scenario scenario)
      throws SQLException {
    play(Way.TABLES, scenario);
  }

  @Property
  void noneWhereHitsNeedNoConnection(@ForAll("scenarios") Scenario scenario) throws SQLException {
    play(Way.LAZY, scenario);
  }

  private static void play(Way way, Scenario scenario) throws SQLException {
    Stage stage = STAGES.get(way);
    if (stage == null) {
      stage = new Stage(way);
      STAGES.put(way, stage);
    }
    Stage.Outcome outcome = stage.play(scenario);
    scripts++;
    reads += scenario.steps().stream().filter(step -> step.kind() == Step.Kind.READ).count() * 2;
    hits += outcome.hits();
    int last = steps(outcome.larder());
    assertThat(outcome.larder().subList(0, last))
        .as("%s", scenario.asText())
        .isEqualTo(outcome.bare().subList(0, last));
  }

  /** Returns how many steps can be compared: those before the first that Larder refuses. */
  private static int steps(List<String> trace) {
    for (int i = 0; i < trace.size(); i++) {
      if (trace.get(i).contains(Player.REFUSED)) {
        return i;
      }
    }
    return trace.size();
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return ScriptGrammar.scenarios();
  }
}
