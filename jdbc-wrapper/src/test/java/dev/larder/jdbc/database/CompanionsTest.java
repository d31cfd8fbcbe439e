package dev.larder.jdbc.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class CompanionsTest {
  @Test
  void theyLiveAsLongAsAConnection() throws SQLException {
    try (TestDatabase database = TestDatabase.create();
        Connection open = LarderProbe.connect(database)) {
      Companions before = Companions.behind(database.url());
      assertThat(before).isNotNull();
      int identity = System.identityHashCode(before);
      before = null;
      collectGarbage();
      Companions after = Companions.behind(database.url());
      assertThat(after).as("companions of %s", open).isNotNull();
      assertThat(System.identityHashCode(after)).isEqualTo(identity);
    }
  }

  private static void collectGarbage() {
    WeakReference<Object> nobody = new WeakReference<>(new Object());
    Waiting.until(
        "garbage is collected",
        () -> {
          System.gc();
          return nobody.refersTo(null);
        });
  }
}
