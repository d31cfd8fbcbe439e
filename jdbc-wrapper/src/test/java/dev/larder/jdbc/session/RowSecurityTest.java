package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.engine.Database;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nobody sees a row that they may not see, and nobody goes on seeing what was taken from them. */
@Tag("each-server")
final class RowSecurityTest {
  private static final String DOCUMENTS = "SELECT title FROM document ORDER BY title";

  /** Within the period in which the catalog is compared, on a machine that does other things. */
  private static final Duration FOUND = Database.CATALOG_POLL_PERIOD.plusSeconds(10);

  private TestDatabase database;
  private String ann;
  private String bob;
  private Connection one;
  private Connection two;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.create();
    ann = database.name() + "_ann";
    bob = database.name() + "_bob";
    database.execute(
        "CREATE ROLE " + ann,
        "CREATE ROLE " + bob,
        "CREATE TABLE document (title text, owner text, tenant text)",
        "CREATE TABLE member (name text, tenant text)",
        "INSERT INTO document VALUES ('a', '" + ann + "', 'x'), ('b', '" + bob + "', 'y')",
        "INSERT INTO member VALUES ('" + ann + "', 'x'), ('" + bob + "', 'y')",
        "GRANT ALL ON document, member TO " + ann + ", " + bob);
    one = LarderProbe.connect(database);
    two = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    two.close();
    for (String role : List.of(ann, bob)) {
      database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
    database.close();
  }

  private void ddl(String... statements) throws SQLException {
    run(one, statements);
    LarderProbe.awaitCatalog(one);
  }

  private void roles() throws SQLException {
    run(one, "SET ROLE " + ann);
    run(two, "SET ROLE " + bob);
  }

  @Test
  void aPolicyOfTheCurrentUserSeparatesRoles() throws SQLException {
    ddl(
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON document USING (owner = current_user)");
    roles();
    fill(one, DOCUMENTS);
    assertThat(rows(one, DOCUMENTS)).containsExactly("a");
    assertThat(rows(two, DOCUMENTS)).containsExactly("b");
    fill(two, DOCUMENTS);
    run(two, "SET ROLE " + ann);
    assertThat(isHit(two, DOCUMENTS)).isTrue();
    assertThat(rows(two, DOCUMENTS)).containsExactly("a");
  }

  @Test
  void aPolicyOfASettingSeparatesTenants() throws SQLException {
    ddl(
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON document USING (tenant = current_setting('app.tenant', true))");
    run(one, "SET ROLE " + ann);
    run(two, "SET ROLE " + ann);
    run(one, "SET app.tenant = 'x'");
    run(two, "SELECT set_config('app.tenant', 'y', false)");
    rows(one, DOCUMENTS);
    fill(one, DOCUMENTS);
    assertThat(rows(two, DOCUMENTS)).containsExactly("b");
    fill(two, DOCUMENTS);
    assertThat(rows(two, DOCUMENTS)).containsExactly("b");
    assertThat(rows(one, DOCUMENTS)).containsExactly("a");
    run(two, "RESET app.tenant");
    assertThat(rows(two, DOCUMENTS)).isEmpty();
    two.setAutoCommit(false);
    run(two, "SET LOCAL app.tenant = 'x'");
    assertThat(rows(two, DOCUMENTS)).containsExactly("a");
    two.commit();
    assertThat(rows(two, DOCUMENTS)).isEmpty();
  }

  @Test
  void aPolicyWithASubqueryDependsOnItsTable() throws SQLException {
    ddl(
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON document USING"
            + " (EXISTS (SELECT FROM member m WHERE m.name = current_user AND m.tenant = document.tenant))");
    roles();
    rows(one, DOCUMENTS);
    assertThat(rows(one, DOCUMENTS)).containsExactly("a");
    assertThat(rows(two, DOCUMENTS)).containsExactly("b");
    run(two, "UPDATE member SET tenant = 'y' WHERE name = '" + ann + "'");
    assertThat(rows(one, DOCUMENTS)).containsExactly("b");
    run(two, "DELETE FROM member");
    assertThat(rows(one, DOCUMENTS)).isEmpty();
  }

  @Test
  void theOwnerIsSubjectToForcedPoliciesOnly() throws SQLException {
    ddl(
        "ALTER TABLE document OWNER TO " + ann,
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON document USING (title = 'b')");
    run(two, "SET ROLE " + ann);
    fill(two, DOCUMENTS);
    assertThat(rows(two, DOCUMENTS)).containsExactly("a", "b");
    ddl("ALTER TABLE document FORCE ROW LEVEL SECURITY");
    assertThat(rows(two, DOCUMENTS)).containsExactly("b");
  }

  @Test
  void anAttributeOfTheRoleThatIsTakenAwayCounts() throws SQLException {
    ddl(
        "ALTER ROLE " + ann + " BYPASSRLS",
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON document USING (owner = current_user)");
    run(two, "SET ROLE " + ann);
    fill(two, DOCUMENTS);
    assertThat(rows(two, DOCUMENTS)).containsExactly("a", "b");
    ddl("ALTER ROLE " + ann + " NOBYPASSRLS");
    assertThat(rows(two, DOCUMENTS)).containsExactly("a");
  }

  @Test
  void rowSecurityOffRaisesTheServersError() throws SQLException {
    ddl(
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON document USING (owner = current_user)");
    run(two, "SET ROLE " + ann);
    fill(two, DOCUMENTS);
    run(two, "SET row_security = off");
    assertThatThrownBy(() -> rows(two, DOCUMENTS))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("row-level security");
  }

  @Test
  void securitySwitchedOnInATransactionHoldsAtOnceAfterItsCommit() throws SQLException {
    run(two, "SET ROLE " + ann);
    fill(two, DOCUMENTS);
    one.setAutoCommit(false);
    run(
        one,
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON document USING (owner = current_user)");
    // The catalog is read while the transaction is open, and looks as it did before.
    LarderProbe.awaitCatalog(one);
    one.commit();
    assertThat(rows(two, DOCUMENTS)).containsExactly("a");
    assertThat(rows(two, DOCUMENTS)).containsExactly("a");
    run(two, "RESET ROLE");
    run(two, "SET ROLE " + bob);
    assertThat(rows(two, DOCUMENTS)).containsExactly("b");
  }

  @Test
  void aPolicyCreatedInATransactionIsKnownAfterItsCommit() throws SQLException {
    ddl("ALTER TABLE document ENABLE ROW LEVEL SECURITY");
    one.setAutoCommit(false);
    run(one, "CREATE POLICY mine ON document USING (tenant = current_setting('app.tenant', true))");
    LarderProbe.awaitCatalog(one);
    one.commit();
    one.setAutoCommit(true);
    run(one, "SET ROLE " + ann, "SELECT set_config('app.tenant', 'x', false)");
    run(two, "SET ROLE " + ann, "SELECT set_config('app.tenant', 'y', false)");
    assertThat(rows(one, DOCUMENTS)).containsExactly("a");
    assertThat(rows(one, DOCUMENTS)).containsExactly("a");
    assertThat(rows(two, DOCUMENTS)).containsExactly("b");
  }

  // ---- privileges

  @Test
  void revokeThroughLarderHoldsAtOnce() throws SQLException {
    run(two, "SET ROLE " + ann);
    fill(two, DOCUMENTS);
    run(one, "REVOKE SELECT ON document FROM " + ann);
    assertThatThrownBy(() -> rows(two, DOCUMENTS)).hasMessageContaining("permission denied");
    LarderProbe.awaitCatalog(one);
    assertThatThrownBy(() -> rows(two, DOCUMENTS)).hasMessageContaining("permission denied");
  }

  @Test
  void revokeByAForeignConnectionIsFoundWithinThePollPeriod() throws Exception {
    run(two, "SET ROLE " + ann);
    fill(two, DOCUMENTS);
    database.execute("REVOKE SELECT ON document FROM " + ann);
    awaitDenied(DOCUMENTS);
  }

  @Test
  @Tag("gate")
  void revokeOfAColumnByAForeignConnectionIsFoundToo() throws Exception {
    database.execute(
        "REVOKE ALL ON document FROM " + ann, "GRANT SELECT (title) ON document TO " + ann);
    ddl("COMMENT ON TABLE document IS 'x'");
    run(two, "SET ROLE " + ann);
    fill(two, DOCUMENTS);
    database.execute("REVOKE SELECT (title) ON document FROM " + ann);
    awaitDenied(DOCUMENTS);
  }

  @Test
  @Tag("gate")
  void securityForcedByAForeignConnectionIsFoundToo() throws Exception {
    ddl(
        "ALTER TABLE document OWNER TO " + ann,
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY mine ON document USING (title = 'b')");
    run(two, "SET ROLE " + ann);
    fill(two, DOCUMENTS);
    database.execute("ALTER TABLE document FORCE ROW LEVEL SECURITY");
    Waiting.until(FOUND, () -> "a row too many", () -> rows(two, DOCUMENTS).size() <= 1);
    assertThat(rows(two, DOCUMENTS)).containsExactly("b");
  }

  @Test
  @Tag("gate")
  void revokeOfARoleByAForeignConnectionIsFoundToo() throws Exception {
    database.execute("REVOKE ALL ON document FROM " + ann, "GRANT " + bob + " TO " + ann);
    ddl("COMMENT ON TABLE document IS 'x'");
    run(two, "SET ROLE " + ann);
    fill(two, DOCUMENTS);
    database.execute("REVOKE " + bob + " FROM " + ann);
    awaitDenied(DOCUMENTS);
  }

  @Test
  @Tag("gate")
  void revokeOfASchemaByAForeignConnectionIsFoundToo() throws Exception {
    database.execute(
        "CREATE SCHEMA s",
        "CREATE TABLE s.t (x int)",
        "GRANT USAGE ON SCHEMA s TO " + ann,
        "GRANT SELECT ON s.t TO " + ann);
    ddl("COMMENT ON TABLE document IS 'x'");
    run(two, "SET ROLE " + ann);
    fill(two, "SELECT x FROM s.t");
    database.execute("REVOKE USAGE ON SCHEMA s FROM " + ann);
    awaitDenied("SELECT x FROM s.t");
  }

  /** Asks on until the server's refusal is seen, but not for longer than the catalog may be old. */
  private void awaitDenied(String sql) {
    Waiting.until(FOUND, () -> "still readable: " + sql, () -> isDenied(sql));
  }

  private boolean isDenied(String sql) {
    try {
      rows(two, sql);
      return false;
    } catch (SQLException e) {
      assertThat(e.getMessage()).contains("permission denied");
      return true;
    }
  }

  @Test
  void aViewReadsWithItsOwnersRights() throws SQLException {
    ddl(
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY a ON document TO " + ann + " USING (title = 'a')",
        "CREATE POLICY b ON document TO " + bob + " USING (title = 'b')",
        "CREATE VIEW titles AS SELECT title FROM document",
        "ALTER VIEW titles OWNER TO " + bob,
        "GRANT SELECT ON titles TO " + ann);
    String sql = "SELECT title FROM titles";
    run(two, "SET ROLE " + ann);
    assertThat(rows(two, sql)).containsExactly("b");
    assertThat(rows(two, sql)).containsExactly("b");
    ddl("ALTER VIEW titles SET (security_invoker = true)");
    assertThat(rows(two, sql)).containsExactly("a");
    assertThat(rows(two, sql)).containsExactly("a");
  }

  @Test
  void aFunctionReadsWithTheRightsOfItsOwnerIfItIsDeclaredSo() throws SQLException {
    ddl(
        "CREATE FUNCTION titles() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER"
            + " AS 'SELECT title FROM document'",
        "ALTER FUNCTION titles() OWNER TO " + bob,
        "GRANT SELECT ON document TO " + bob,
        "ALTER TABLE document ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY a ON document TO " + ann + " USING (title = 'a')",
        "CREATE POLICY b ON document TO " + bob + " USING (title = 'b')");
    String sql = "SELECT titles()";
    run(two, "SET ROLE " + ann);
    assertThat(rows(two, sql)).containsExactly("b");
    assertThat(rows(two, sql)).containsExactly("b");
    ddl("ALTER FUNCTION titles() SECURITY INVOKER");
    assertThat(rows(two, sql)).containsExactly("a");
    assertThat(rows(two, sql)).containsExactly("a");
  }
}
