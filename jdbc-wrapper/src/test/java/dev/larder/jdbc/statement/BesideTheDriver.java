package dev.larder.jdbc.statement;

import dev.larder.jdbc.TestDatabase;
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
abstract class BesideTheDriver {
  TestDatabase database;
  Connection larder;
  Connection bare;

  @BeforeAll
  final void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a'), (2, 'b')");
    createMore();
  }

  /** Creates what else is in the database. */
  abstract void createMore() throws SQLException;

  @BeforeEach
  final void connect() throws SQLException {
    bare = database.connect();
    larder = LarderProbe.connect(database);
    begin();
  }

  /** Prepares the two connections. */
  abstract void begin() throws SQLException;

  @AfterEach
  final void disconnect() throws SQLException {
    larder.close();
    bare.close();
  }

  @AfterAll
  final void drop() throws SQLException {
    database.close();
  }
}
