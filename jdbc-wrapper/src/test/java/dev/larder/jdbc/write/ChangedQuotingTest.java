package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.ProtocolFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A text in which a backslash means something else when it runs than when it was prepared. */
final class ChangedQuotingTest extends ProtocolFixture {
  private static final String OFF = "SET standard_conforming_strings = off";

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWriteThatOnlyTheServerReadsIsSeen(boolean batch) throws SQLException {
    run(
        one,
        "CREATE FUNCTION writes() RETURNS text LANGUAGE plpgsql AS"
            + " $$ BEGIN UPDATE item SET name = 'written' WHERE id = 1; RETURN ''; END $$");
    fillBoth();
    String sql = "UPDATE other SET note = 'x\\' || ' || writes() --'";
    if (batch) {
      try (Statement statement = two.createStatement()) {
        statement.addBatch(sql);
        run(two, OFF);
        statement.executeBatch();
      }
    } else {
      try (PreparedStatement statement = two.prepareStatement(sql)) {
        run(two, OFF);
        statement.executeUpdate();
      }
    }
    LarderProbe.awaitCatalog(one);
    assertThat(rows(one, ITEMS)).containsExactly("written", "b");
  }

  private String readBehindAWrite(Connection connection) throws SQLException {
    run(past, "UPDATE item SET name = 'a' WHERE id = 1");
    String sql = "SELECT 'x\\' || ' || (SELECT name FROM item WHERE id = 1) --'\n FROM other";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      run(connection, OFF);
      String before = rows(query.executeQuery()) + "" + rows(query.executeQuery());
      run(two, "UPDATE item SET name = 'new' WHERE id = 1");
      return before + rows(query.executeQuery());
    }
  }

  @Test
  void aTableThatOnlyTheServerReadsIsReadAnew() throws SQLException {
    LarderProbe.awaitCatalog(one);
    assertThat(readBehindAWrite(one)).isEqualTo(readBehindAWrite(past)).contains("new");
  }
}
