package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What was held back survives an end of the transaction that the driver refuses by itself: the
 * transaction is open still, and the tenant that it has set is set.
 */
@Tag("regression")
final class EndThatIsRefusedTest {
  private static final String DOCUMENTS = "SELECT id FROM document ORDER BY id";
  private static final String TENANT = "SELECT current_setting('app.tenant')";

  @AutoClose private TestDatabase database;
  private String reader;
  private Connection connection;

  @BeforeEach
  void holdBack() throws SQLException {
    database = TestDatabase.create();
    reader = "reader_" + database.name();
    database.execute(
        "CREATE TABLE document (id int PRIMARY KEY, tenant text)",
        "INSERT INTO document VALUES (1, 't1'), (2, 't2')",
        "CREATE POLICY own ON document USING (tenant = current_setting('app.tenant', true))",
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE ROLE " + reader,
        "GRANT SELECT, INSERT ON document TO " + reader);
    connection = LarderProbe.connect(database);
    LarderProbe.run(connection, "SET ROLE " + reader);
    LarderProbe.run(connection, "SET app.tenant = 't2'");
    LarderProbe.fill(connection, DOCUMENTS);
    LarderProbe.run(connection, "SET app.tenant = 't1'");
    LarderProbe.fill(connection, DOCUMENTS);
    long held = LarderProbe.count(connection, "held_back");
    LarderProbe.run(connection, "BEGIN", "SET LOCAL app.tenant = 't2'");
    assertThat(LarderProbe.count(connection, "held_back")).isGreaterThan(held);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    database.execute("DROP OWNED BY " + reader, "DROP ROLE " + reader);
  }

  private void assertStillOfTheTenant() throws SQLException {
    long hits = LarderProbe.hits(connection);
    assertThat(LarderProbe.rows(connection, DOCUMENTS)).containsExactly("2");
    assertThat(LarderProbe.rows(connection, TENANT)).containsExactly("t2");
    assertThat(LarderProbe.rows(connection, DOCUMENTS)).containsExactly("2");
    assertThat(LarderProbe.hits(connection)).isGreaterThan(hits);
  }

  @Test
  void commitInAutocommit() throws SQLException {
    assertThatThrownBy(connection::commit).hasMessageContaining("autoCommit");

    assertStillOfTheTenant();
  }

  @Test
  void rollbackInAutocommit() throws SQLException {
    assertThatThrownBy(connection::rollback).hasMessageContaining("autoCommit");

    assertStillOfTheTenant();
  }

  @ParameterizedTest
  @ValueSource(strings = {"COMMIT", "ROLLBACK"})
  void endByAStatementThatIsClosedOutsideOfAutocommit(String end) throws SQLException {
    LarderProbe.run(connection, "ROLLBACK");
    connection.setAutoCommit(false);
    LarderProbe.run(connection, "SET LOCAL app.tenant = 't2'");
    Statement closed = connection.createStatement();
    closed.close();
    assertThatThrownBy(() -> closed.execute(end)).isInstanceOf(SQLException.class);

    assertStillOfTheTenant();
  }

  @ParameterizedTest
  @ValueSource(strings = {"COMMIT", "ROLLBACK"})
  void endByAStatementThatIsClosed(String end) throws SQLException {
    Statement closed = connection.createStatement();
    closed.close();
    assertThatThrownBy(() -> closed.execute(end)).isInstanceOf(SQLException.class);

    assertStillOfTheTenant();
  }
}
