package dev.larder.jdbc.proof.fuzz;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Two equal databases, one for Larder and one for the driver, and the sessions in them. */
final class Databases implements AutoCloseable {
  private final TestDatabase cached;
  private final TestDatabase bare;
  final List<Client> larder = new ArrayList<>();
  final List<Client> driver = new ArrayList<>();

  Databases(Program program) throws SQLException {
    this(program, "larder.verify=0");
  }

  /** As above, with an option of Larder's. */
  Databases(Program program, String option) throws SQLException {
    cached = database(program.schema());
    bare = TestDatabase.copyOf(cached);
    for (int i = 0; i < Program.SESSIONS; i++) {
      larder.add(
          new Client(LarderProbe.connect(cached, program.mode(), program.invalidation(), option)));
      driver.add(new Client(DriverManager.getConnection(bare.url() + "&" + program.mode())));
    }
  }

  /** Creates a database with {@code schema}, and the roles. */
  static TestDatabase database(Schema schema) throws SQLException {
    TestDatabase database = TestDatabase.create();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String role : SchemaGrammar.ROLES) {
        statement.execute(
            "DO $d$ BEGIN IF to_regrole('"
                + role
                + "') IS NULL THEN CREATE ROLE "
                + role
                + "; END IF; END $d$");
      }
      for (String sql : schema.ddl()) {
        try {
          create(sql, statement);
        } catch (SQLException e) {
          throw new SQLException(sql + "\n" + e.getMessage(), e.getSQLState(), e);
        }
      }
    }
    return database;
  }

  /**
   * Executes {@code sql}. A materialized view stays empty if it cannot be filled: since PostgreSQL
   * 17 it is filled with a search_path of its own, in which the body of a function may find
   * nothing.
   */
  private static void create(String sql, Statement statement) throws SQLException {
    try {
      statement.execute(sql);
    } catch (SQLException e) {
      if (!sql.startsWith("CREATE MATERIALIZED VIEW")) {
        throw e;
      }
      statement.execute(sql + " WITH NO DATA");
    }
  }

  /** Returns how many answers came from memory. */
  long hits() throws SQLException {
    return LarderProbe.hits(larder.get(0).connection);
  }

  /** Returns how many answers came from memory of queries that rest on some rows of tables. */
  long narrowedHits() throws SQLException {
    return LarderProbe.narrowedHits(larder.get(0).connection);
  }

  /** Returns how many look-ups there were of such queries. */
  long narrowedLookups() throws SQLException {
    return LarderProbe.narrowedLookups(larder.get(0).connection);
  }

  /** Returns a count of {@code SHOW larder.cache}. */
  long count(String column) throws SQLException {
    return LarderProbe.count(larder.get(0).connection, column);
  }

  /** Waits until the cache knows what the schema looks like. */
  void awaitCatalog() throws SQLException {
    LarderProbe.awaitCatalog(larder.get(0).connection);
  }

  @Override
  public void close() throws SQLException {
    for (Client client : larder) {
      client.close();
    }
    for (Client client : driver) {
      client.close();
    }
    cached.close();
    bare.close();
  }
}
