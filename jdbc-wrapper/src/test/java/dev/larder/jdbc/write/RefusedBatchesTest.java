package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.ProtocolFixture;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A batch that Larder refuses before the driver has seen it is empty afterwards, as one is that the
 * server refuses: nothing of it runs later, when nobody announces it.
 */
@Tag("regression")
final class RefusedBatchesTest extends ProtocolFixture {
  private static final String UPDATE = "UPDATE item SET name = 'new' WHERE id = 1";

  private void assertNothingIsLeft(Statement batch) throws SQLException {
    assertThatThrownBy(batch::executeBatch)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("not known");
    assertThat(batch.executeBatch()).isEmpty();
    assertHit(two, ITEMS, "a", "b");
    assertThat(rows(past, ITEMS)).containsExactly("a", "b");
  }

  @Test
  void ofTexts() throws SQLException {
    fillBoth();
    try (Statement batch = one.createStatement()) {
      batch.addBatch(UPDATE);
      batch.addBatch("SHOW larder.nonsense");
      assertNothingIsLeft(batch);
      batch.addBatch(UPDATE);
      assertThat(batch.executeBatch()).containsExactly(1);
    }
    assertThat(rows(two, ITEMS)).containsExactly("new", "b");
  }

  @Test
  void whereSeveralAreSentAfterwards() throws SQLException {
    fillBoth();
    try (Statement batch = one.createStatement()) {
      batch.addBatch(UPDATE);
      batch.addBatch("SHOW larder.nonsense");
      assertThatThrownBy(batch::executeLargeBatch).isInstanceOf(SQLException.class);
      batch.addBatch("UPDATE other SET note = 'y'");
      assertThat(batch.executeLargeBatch()).containsExactly(1);
    }
    assertHit(two, ITEMS, "a", "b");
    assertThat(rows(past, ITEMS)).containsExactly("a", "b");
    assertThat(rows(two, NOTES)).containsExactly("y");
  }

  @Test
  void anEmptiedOneHasNothingLeft() throws SQLException {
    fillBoth();
    try (PreparedStatement batch = one.prepareStatement(UPDATE)) {
      batch.addBatch();
      batch.clearBatch();
      assertThat(batch.executeBatch()).isEmpty();
    }
    assertHit(two, ITEMS, "a", "b");
  }
}
