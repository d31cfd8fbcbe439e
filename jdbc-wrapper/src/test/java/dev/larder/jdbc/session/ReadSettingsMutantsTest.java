package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.LeftOut;
import dev.larder.store.ProtocolStep;
import java.sql.SQLException;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A session gets another's rows when the settings of any kind of reader are left out of keys. */
@Tag("mutants")
final class ReadSettingsMutantsTest {
  private static final int WORLDS = 60;
  private static final int PROGRAMS = 8;
  private static final long SEED = Long.getLong("larder.proof.seed", 1);

  @AfterEach
  void takeEveryStep() {
    LeftOut.leaveOut(null);
  }

  @ParameterizedTest
  @EnumSource(from = "NAME_SETTINGS_OF_POLICIES", to = "NAME_SETTINGS_OF_UNNAMED")
  void isNoticedIfLeftOut(ProtocolStep step) throws SQLException {
    LeftOut.leaveOut(step);
    try (ReaderHunt hunt = new ReaderHunt(new Random(SEED))) {
      for (int i = 1; i <= WORLDS; i++) {
        hunt.next();
        if (isWrong(hunt)) {
          System.out.printf("proof: without %s: another's row in world %d%n", step, i);
          System.out.println("proof: mutants killed=1");
          return;
        }
      }
    }
    assertThat(step).as("seed %d", SEED).isNull();
  }

  private static boolean isWrong(ReaderHunt hunt) throws SQLException {
    try {
      for (int i = 0; i < PROGRAMS; i++) {
        hunt.program();
      }
      return false;
    } catch (AssertionError e) {
      return true;
    }
  }
}
