package dev.larder.jdbc.attack;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A transaction makes a schema that stands in a search path. From then on the path means another
 * thing to this transaction, and to it alone. The schema decides which tenant one is.
 */
@Tag("regression")
final class SchemaMadeInATransactionTest {
  private static final String DOC = "SELECT v FROM public.doc";
  private static final String PATH = "search_path = tenant, public";

  private TestDatabase database;
  private String role;
  private Connection a;
  private Connection b;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    role = "owner_of_" + database.name();
    database.execute(
        "CREATE ROLE " + role + " LOGIN",
        "GRANT ALL ON DATABASE " + database.name() + " TO " + role,
        "CREATE TABLE doc (tenant text, v text)",
        "INSERT INTO doc VALUES ('public', 'of public'), ('tenant', 'of the tenant')",
        "GRANT SELECT ON doc TO " + role,
        "CREATE POLICY p ON doc USING (tenant = current_schema())",
        "ALTER TABLE doc ENABLE ROW LEVEL SECURITY");
    a = connect();
    b = connect();
  }

  private Connection connect() throws SQLException {
    Connection connection =
        java.sql.DriverManager.getConnection(
            database.larderUrl("larder.writers=this-jvm").replace("user=postgres", "user=" + role));
    awaitCatalog(connection);
    return connection;
  }

  @AfterEach
  void drop() throws SQLException {
    a.close();
    b.close();
    database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
    database.close();
  }

  @Test
  void theTransactionReadsByThePathAsItIsToItself() throws SQLException {
    run(a, "SET " + PATH);
    LarderProbe.fill(a, DOC);
    run(a, "BEGIN", "CREATE SCHEMA tenant");
    assertThat(rows(a, DOC)).containsExactly("of the tenant");
    run(a, "ROLLBACK");
  }

  @Test
  void nobodyElseReadsWhatTheTransactionRead() throws SQLException {
    run(a, "SET " + PATH);
    rows(a, "SELECT v || 'x' FROM doc");
    run(b, "SET " + PATH);
    run(a, "BEGIN", "CREATE SCHEMA tenant");
    assertThat(rows(a, DOC)).containsExactly("of the tenant");
    assertThat(rows(b, DOC)).containsExactly("of public");
    assertThat(isHit(b, DOC)).isTrue();
    run(a, "ROLLBACK");
    awaitCatalog(b);
    assertThat(rows(b, DOC)).as("after the rollback").containsExactly("of public");
  }

  @Test
  void nobodyElseLearnsWhatThePathMeansToTheTransaction() throws SQLException {
    rows(b, "SELECT v || 'x' FROM doc");
    run(a, "BEGIN", "CREATE SCHEMA tenant", "SET LOCAL " + PATH);
    assertThat(rows(a, DOC)).containsExactly("of the tenant");
    run(b, "SET " + PATH);
    assertThat(rows(b, DOC)).containsExactly("of public");
    run(a, "ROLLBACK");
  }
}
