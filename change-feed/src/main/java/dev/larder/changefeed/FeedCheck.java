package dev.larder.changefeed;

import dev.larder.changefeed.coverage.CoverageWatch;
import dev.larder.changefeed.coverage.Publication;
import dev.larder.changefeed.coverage.PublishedTables;
import dev.larder.changefeed.coverage.PublishedTables.Table;
import dev.larder.changefeed.server.ServerNeeds;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/**
 * Says what a server lacks for {@code larder.feed=wal}, and the statements that cure it, before
 * anything is switched on. It changes nothing: {@code java -cp … dev.larder.changefeed.FeedCheck
 * jdbc:postgresql://… [PUBLICATION]}. Ends with 0 where nothing is missing, else with 1, and with 2
 * where the server cannot be asked.
 */
public final class FeedCheck {
  private static final int MISSING = 1;
  private static final int UNKNOWN = 2;

  private final String url;
  private final String publication;
  private final PrintStream out;
  private boolean missing;

  private FeedCheck(String url, String publication, PrintStream out) {
    this.url = url;
    this.publication = publication;
    this.out = out;
  }

  /**
   * Checks, and ends the JVM.
   *
   * @param arguments the URL, and the name of the publication where it is not {@code larder}
   */
  public static void main(String[] arguments) {
    System.exit(run(System.out, arguments));
  }

  /** Checks, and returns how the JVM is to end. */
  static int run(PrintStream out, String... arguments) {
    if (arguments.length < 1 || arguments.length > 2) {
      out.println("Usage: FeedCheck jdbc:postgresql://HOST/DATABASE?user=… [PUBLICATION]");
      return UNKNOWN;
    }
    String url = arguments[0].replaceFirst("^jdbc:larder:", "jdbc:");
    FeedCheck check = new FeedCheck(url, arguments.length == 2 ? arguments[1] : "larder", out);
    try (Connection connection = DriverManager.getConnection(url)) {
      check.check(connection);
    } catch (SQLException e) {
      out.println("The server cannot be asked: " + e.getMessage());
      return UNKNOWN;
    }
    return check.missing ? MISSING : 0;
  }

  private void check(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET search_path = pg_catalog");
    }
    ServerNeeds.Settings server = ServerNeeds.read(connection);
    checkPlace(connection);
    checkSettings(server);
    checkRoom(connection);
    checkRole();
    checkTables(connection, server.version());
    out.println(
        missing
            ? "Something is missing. Until then Larder goes on without the feed."
            : "Nothing is missing for larder.feed=wal.");
  }

  private void found(boolean good, String what, String cure) {
    missing |= !good;
    out.println((good ? "ok       " : "MISSING  ") + what);
    if (!good && !cure.isEmpty()) {
      out.println("         cure: " + cure);
    }
  }

  private void checkPlace(Connection connection) throws SQLException {
    boolean standby = ask(connection, "SELECT pg_is_in_recovery()").equals("t");
    found(
        !standby,
        standby ? "the server is a standby" : "the server is a primary",
        "name the primary");
    String process = ask(connection, "SELECT pg_backend_pid()");
    boolean pooled =
        connection.unwrap(PGConnection.class).getBackendPID() != Integer.parseInt(process);
    found(
        !pooled,
        pooled ? "a pooler is in between" : "no pooler is in between",
        "name the server itself in larder.feed.url");
  }

  private void checkSettings(ServerNeeds.Settings server) {
    found(
        server.isLogical(),
        "wal_level is " + server.walLevel(),
        "ALTER SYSTEM SET wal_level = logical, and restart the server");
    found(
        !server.takesAnyoneForAStandby(),
        server.standbys().isEmpty()
            ? "no standby is synchronous"
            : "synchronous_standby_names is " + server.standbys(),
        "name the standbys there, without *: a commit must not count on a feed");
  }

  private void checkRoom(Connection connection) throws SQLException {
    checkRoom(connection, "max_replication_slots", "SELECT count(*) FROM pg_replication_slots");
    checkRoom(connection, "max_wal_senders", "SELECT count(*) FROM pg_stat_get_wal_senders()");
    if (ask(connection, "SHOW max_slot_wal_keep_size").equals("-1")) {
      out.println(
          "note     max_slot_wal_keep_size is not set: a process that stops reading can fill the"
              + " disk until wal_sender_timeout");
    }
  }

  private void checkRoom(Connection connection, String setting, String used) throws SQLException {
    long most = Long.parseLong(ask(connection, "SHOW " + setting));
    long taken = Long.parseLong(ask(connection, used));
    found(
        taken < most,
        setting
            + " is "
            + most
            + ", and "
            + taken
            + " are in use; each process with a feed"
            + " takes one",
        "ALTER SYSTEM SET " + setting + " = " + (most + 10) + ", and restart the server");
  }

  /** Opens the very kind of connection that the feed needs. */
  private void checkRole() {
    Properties replication = new Properties();
    replication.put("replication", "database");
    replication.put("assumeMinServerVersion", "10");
    replication.put("preferQueryMode", "simple");
    try (Connection connection = DriverManager.getConnection(url, replication)) {
      found(connection.isValid(5), "the role may read the log", "");
    } catch (SQLException e) {
      found(
          false,
          "the role may not read the log: "
              + String.valueOf(e.getMessage()).strip().replace('\n', ' '),
          "ALTER ROLE … REPLICATION, and let it in by pg_hba.conf");
    }
  }

  private void checkTables(Connection connection, int version) throws SQLException {
    Collection<Table> tables = PublishedTables.read(connection, publication, version).values();
    List<Table> failing = tables.stream().filter(FeedCheck::wouldFail).toList();
    CoverageWatch watch = new CoverageWatch(publication, version);
    if (watch.begin(connection)) {
      found(true, "there is a publication " + publication, "");
      printGaps(watch);
    } else {
      found(false, "there is no publication " + publication, creation(tables, failing));
    }
    printFailing(failing);
  }

  private void printGaps(CoverageWatch watch) {
    out.println("ok       covered tables: " + watch.coverage().covered().size());
    watch.coverage().uncovered().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            each -> {
              out.println("note     " + each.getKey() + ": " + each.getValue().because());
              if (!each.getValue().cure().isEmpty()) {
                out.println("         cure: " + each.getValue().cure());
              }
            });
  }

  private String creation(Collection<Table> tables, Collection<Table> failing) {
    List<String> names = new ArrayList<>();
    for (Table table : tables) {
      boolean logged = "rp".contains(table.kind()) && table.persistence().equals("p");
      if (logged && table.parents().isEmpty() && !failing.contains(table)) {
        names.add(table.quoted());
      }
    }
    return names.isEmpty()
        ? "create tables first"
        : Publication.creation(publication, String.join(", ", names)) + ";";
  }

  /** Returns whether UPDATE and DELETE fail once the table is in a publication. */
  private static boolean wouldFail(Table table) {
    boolean plain = table.kind().equals("r") && table.persistence().equals("p");
    return plain
        && (table.identity().equals("n") || (table.identity().equals("d") && !table.keyed()));
  }

  private void printFailing(List<Table> failing) {
    List<Table> inside = failing.stream().filter(Table::published).toList();
    List<Table> outside = failing.stream().filter(table -> !table.published()).toList();
    if (!inside.isEmpty()) {
      found(
          false,
          "UPDATE and DELETE fail (55000), for want of a replica identity: " + names(inside),
          identities(inside));
    }
    if (!outside.isEmpty()) {
      out.println(
          "note     UPDATE and DELETE would begin to fail (55000) in a publication: "
              + names(outside));
      out.println("         cure before: " + identities(outside));
    }
  }

  private static String names(List<Table> tables) {
    return tables.stream().map(Table::name).sorted().collect(Collectors.joining(", "));
  }

  private static String identities(List<Table> tables) {
    return tables.stream()
        .map(table -> "ALTER TABLE " + table.quoted() + " REPLICA IDENTITY FULL;")
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
