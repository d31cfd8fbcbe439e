package dev.larder.jdbc;

import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two sessions through Larder and one of the driver's, which the second is compared with. */
public abstract class ComparedSessions {
  public static final String NAME = "SELECT name FROM item WHERE id = 1";
  public static final String NAMES = "SELECT name FROM item ORDER BY id";

  protected TestDatabase database;
  protected Connection one;
  protected Connection two;
  protected Connection bare;
  protected String role = "";

  @BeforeEach
  protected final void open() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'first'), (2, 'second')");
    database.execute(more());
    one = LarderProbe.connect(database);
    two = LarderProbe.connect(database);
    bare = database.connect();
  }

  /** Returns what else is in the database. */
  protected String[] more() {
    return new String[0];
  }

  @AfterEach
  protected final void close() throws SQLException {
    one.close();
    two.close();
    run(bare, "RESET ROLE");
    if (!role.isEmpty()) {
      run(bare, "DROP OWNED BY " + role, "DROP ROLE " + role);
    }
    bare.close();
    database.close();
  }

  protected final void ddl(String... statements) throws SQLException {
    run(one, statements);
    LarderProbe.awaitCatalog(one);
  }

  protected final void both(String... statements) throws SQLException {
    run(two, statements);
    run(bare, statements);
  }

  /** Makes all three sessions act as a role that a policy with {@code condition} holds for. */
  protected final void policy(String condition) throws SQLException {
    role = database.name() + "_role";
    ddl(
        "CREATE ROLE " + role,
        "GRANT SELECT ON item TO " + role,
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY p ON item USING (" + condition + ")");
    run(one, "SET ROLE " + role);
    both("SET ROLE " + role);
  }

  public static String outcome(Connection connection, String sql) {
    try {
      return rows(connection, sql).toString();
    } catch (SQLException e) {
      return e.getSQLState() + ' ' + e.getMessage();
    }
  }

  protected final void assertSame(String sql) {
    assertThat(outcome(two, sql)).as(sql).isEqualTo(outcome(bare, sql));
  }
}
