package dev.larder.jdbc.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** The driver's COPY in both directions: it runs the text, and throws if that copies nothing so. */
@Tag("regression")
final class CopyBothWaysTest extends ProtocolFixture {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET name = 'z' WHERE id = 1",
        "COPY item FROM PROGRAM 'echo 3,z' (FORMAT csv)"
      })
  void whatTheTextWritesIsSeen(String sql) throws SQLException {
    fillBoth();
    assertHit(one, ITEMS, "a", "b");
    CopyManager copy = two.unwrap(PGConnection.class).getCopyAPI();
    assertThatThrownBy(() -> copy.copyDual(sql)).isInstanceOf(SQLException.class);
    assertThat(LarderProbe.rows(past, ITEMS)).contains("z");
    assertThat(LarderProbe.rows(one, ITEMS)).isEqualTo(LarderProbe.rows(past, ITEMS));
  }
}
