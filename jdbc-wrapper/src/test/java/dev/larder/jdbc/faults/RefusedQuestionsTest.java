package dev.larder.jdbc.faults;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.PidRewritingProxy;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server refuses to tell Larder is no business of the application's transaction. */
@Tag("regression")
final class RefusedQuestionsTest {
  private static final String NAME = "SELECT name FROM item";

  private TestDatabase database;
  private String role;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    role = "tenant_of_" + database.name();
    database.execute(
        "CREATE TABLE item (name text)",
        "INSERT INTO item VALUES ('a')",
        "CREATE ROLE " + role,
        "GRANT SELECT ON item TO " + role,
        "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
  }

  @AfterEach
  void drop() throws SQLException {
    database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    database.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"never", "always", "conservative"})
  void theTransactionGoesOn(String autosave) throws SQLException {
    for (String mode : new String[] {"simple", "extended"}) {
      try (Connection connection =
          LarderProbe.connect(database, "autosave=" + autosave, "preferQueryMode=" + mode)) {
        connection.setAutoCommit(false);
        run(connection, "SAVEPOINT larder_facts", "SET LOCAL ROLE " + role);
        assertThat(rows(connection, NAME)).containsExactly("a");
        run(connection, "ROLLBACK TO SAVEPOINT larder_facts");
        connection.commit();
        connection.setAutoCommit(true);
        fill(connection, NAME);
      }
    }
  }

  @Test
  void itIsAskedOnceOnly() throws Exception {
    try (PidRewritingProxy proxy = new PidRewritingProxy(database.port(), false);
        Connection granting = LarderProbe.connect(database)) {
      String url = database.larderUrl("larder.writers=this-jvm");
      try (Connection one =
          DriverManager.getConnection(url.replace(":" + database.port(), ":" + proxy.port()))) {
        // Larder's own connections go where the newest one goes: not through the proxy that counts.
        LarderProbe.connect(database).close();
        LarderProbe.awaitCatalog(one);
        run(one, "SET ROLE " + role);
        rows(one, NAME);
        long before = proxy.roundTrips();
        rows(one, NAME);
        assertThat(proxy.roundTrips()).isEqualTo(before + 1);
        run(granting, "GRANT EXECUTE ON FUNCTION pg_control_system() TO " + role);
        LarderProbe.awaitCatalog(one);
        fill(one, NAME);
        assertThat(isHit(one, NAME)).isTrue();
      }
    }
  }
}
