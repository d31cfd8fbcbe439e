package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.LeftOut;
import dev.larder.store.ProtocolStep;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the server says shows when any of the rules of settings and of levels is left out. */
@Tag("mutants")
final class SettingMutantsTest {
  private static final int PROGRAMS = 3_000;
  private static final long SEED = Long.getLong("larder.proof.seed", 1);

  @AutoClose private static ScopePrograms programs;

  @BeforeAll
  static void create() throws SQLException {
    programs = new ScopePrograms();
  }

  @AfterEach
  void takeEveryStep() {
    LeftOut.leaveOut(null);
  }

  @ParameterizedTest
  @EnumSource(from = "KEEP_LOCAL_APART", to = "DOUBT_LEVEL_AFTER_FAILURE")
  void isNoticedIfLeftOut(ProtocolStep step) throws SQLException {
    LeftOut.leaveOut(step);
    Random random = new Random(SEED);
    for (int i = 1; i <= PROGRAMS; i++) {
      List<String> program = ScopePrograms.random(random);
      if (isWrong(program, random.nextBoolean())) {
        System.out.printf("proof: without %s: a wrong setting after %d programs%n", step, i);
        System.out.println("proof: mutants killed=1");
        return;
      }
    }
    assertThat(step).as("seed %d", SEED).isNull();
  }

  private static boolean isWrong(List<String> program, boolean autosave) throws SQLException {
    try {
      programs.run(program, autosave);
      return false;
    } catch (AssertionError e) {
      return true;
    }
  }
}
