package dev.larder.jdbc.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.Tag;

/**
 * No random script of three sessions shows a difference. What is found is shrunk, and printed as a
 * file of scripts has it. {@code -Djqwik.tries.default} says how many.
 */
@Tag("each-server")
class RandomScriptsTest {
  private static Stage stage;
  private static int scripts;
  private static long hits;

  @BeforeContainer
  static void create() throws SQLException {
    stage = new Stage();
  }

  @AfterContainer
  static void close() throws SQLException {
    stage.close();
    System.out.println("proof: scripts compared with the driver=" + scripts);
    System.out.println("proof: hits in scripts=" + hits);
    assertThat(hits).as("hits of %d scripts", scripts).isGreaterThan(scripts);
  }

  @Property
  void noScriptShowsADifference(@ForAll("scenarios") Scenario scenario) throws SQLException {
    Stage.Outcome outcome = stage.play(scenario);
    scripts++;
    hits += outcome.hits();
    assertThat(outcome.larder()).as("%s", scenario.asText()).isEqualTo(outcome.bare());
  }

  @Provide
  Arbitrary<Scenario> scenarios() {
    return ScriptGrammar.scenarios();
  }
}
