package dev.larder.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * A connection through Larder and one of the driver's for each test, over one database for all
 * tests of the class: what these compare they undo. It has the table item, with the names a and b.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BesideTheDriver {
  protected TestDatabase database;
  protected Connection larder;
  protected Connection bare;

  @BeforeAll
  protected final void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a'), (2, 'b')");
    createMore();
  }

  /** Creates what else is in the database. */
  protected abstract void createMore() throws SQLException;

  @BeforeEach
  protected final void connect() throws SQLException {
    bare = database.connect();
    larder = LarderProbe.connect(database);
    begin();
  }

  /** Prepares the two connections. */
  protected abstract void begin() throws SQLException;

  @AfterEach
  protected final void disconnect() throws SQLException {
    larder.close();
    bare.close();
  }

  @AfterAll
  protected final void drop() throws SQLException {
    database.close();
  }
}
