package dev.larder.jdbc.session;

import static dev.larder.jdbc.LarderProbe.hits;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Compares sessions that read a {@link ReaderWorld} through Larder, each with settings of its own,
 * with sessions that read it without. Confined to a thread.
 */
final class ReaderHunt implements AutoCloseable {
  private static final int SESSIONS = 3;
  private static final int STEPS = 40;

  /** Server version of functions with a body in standard SQL. */
  private static final int STANDARD_BODIES = 14;

  private final Random random;
  private final TestDatabase database = TestDatabase.create();
  private final String reader = database.name() + "_reader";
  private final List<Connection> cached = new ArrayList<>();
  private final List<Connection> bare = new ArrayList<>();
  private final boolean standardBodies;
  private ReaderWorld world;

  /** How many rows were compared, and how many answers came from memory. */
  long reads;

  long hits;

  ReaderHunt(Random random) throws SQLException {
    this.random = random;
    database.execute("CREATE ROLE " + reader);
    for (int i = 0; i < SESSIONS; i++) {
      cached.add(
          LarderProbe.connect(database, "larder.functions.readOnly=" + ReaderWorld.DECLARED));
      bare.add(database.connect());
    }
    standardBodies = bare.get(0).getMetaData().getDatabaseMajorVersion() >= STANDARD_BODIES;
    world = new ReaderWorld(random, reader, standardBodies);
  }

  /** Makes another world in place of the last. */
  void next() throws SQLException {
    world = new ReaderWorld(random, reader, standardBodies);
    Connection maker = cached.get(0);
    run(
        maker,
        "RESET ALL",
        "RESET ROLE",
        "DROP SCHEMA IF EXISTS " + ReaderWorld.SCHEMA + " CASCADE");
    run(maker, world.made().toArray(String[]::new));
    for (int i = 0; i < SESSIONS; i++) {
      both(i, "RESET ALL");
      both(i, "RESET ROLE");
      both(i, "SET search_path TO " + ReaderWorld.SCHEMA);
    }
    LarderProbe.awaitCatalog(maker);
  }

  /** Has each session set something or read at random, and compares all rows. */
  void program() throws SQLException {
    long before = hits(cached.get(0));
    List<String> done = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      int session = random.nextInt(SESSIONS);
      if (random.nextInt(4) == 0) {
        String sets = sets();
        done.add(session + ": " + sets);
        both(session, sets);
      } else {
        String query = world.queries().get(random.nextInt(world.queries().size()));
        done.add(session + ": " + query);
        assertThat(rows(cached.get(session), query))
            .as("%s%n%s", String.join(";\n", world.made()), String.join("\n", done))
            .isEqualTo(rows(bare.get(session), query));
        reads++;
      }
    }
    hits += hits(cached.get(0)) - before;
  }

  private String sets() {
    String name = ReaderWorld.SETTINGS.get(random.nextInt(ReaderWorld.SETTINGS.size()));
    String value = ReaderWorld.VALUES.get(random.nextInt(ReaderWorld.VALUES.size()));
    return switch (random.nextInt(6)) {
      case 0 -> "SET ROLE " + reader;
      case 1 -> "RESET ROLE";
      case 2 -> "SELECT set_config('" + name + "', '" + value + "', false)";
      default -> "SET " + name + " = '" + value + "'";
    };
  }

  private void both(int session, String sql) throws SQLException {
    run(cached.get(session), sql);
    run(bare.get(session), sql);
  }

  @Override
  public void close() throws SQLException {
    for (int i = 0; i < SESSIONS; i++) {
      cached.get(i).close();
      bare.get(i).close();
    }
    database.execute("DROP OWNED BY " + reader, "DROP ROLE " + reader);
    database.close();
  }
}
