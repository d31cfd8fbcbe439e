package dev.larder.changefeed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.larder.changefeed.coverage.CoverageWatch;
import dev.larder.changefeed.coverage.Publication;
import dev.larder.changefeed.coverage.PublishedTables;
import dev.larder.changefeed.coverage.PublishedTables.Table;
import dev.larder.changefeed.server.ServerNeeds;
import dev.larder.log.MessageText;
import dev.larder.sql.OwnSql;
import java.io.PrintStream;
import java.net.URLDecoder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/**
 * Says what a server lacks for {@code larder.feed=wal}, and the statements that cure it, before
 * anything is switched on. It changes nothing: {@code java -cp … dev.larder.changefeed.FeedCheck
 * jdbc:postgresql://… [PUBLICATION]}. Larder's own URL will do as well, and may name the
 * publication. Ends with 0 where nothing is missing, else with 1, and with 2 where the server
 * cannot be asked.
 */
public final class FeedCheck {
  private static final int MISSING = 1;
  private static final int UNKNOWN = 2;
  private static final Pattern NAMED = Pattern.compile("[?&]larder\\.feed\\.publication=([^&]*)");

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
   * @param arguments the URL, and the name of the publication where it is neither in that nor
   *     {@code larder}
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
    String publication = arguments.length == 2 ? arguments[1] : named(url);
    FeedCheck check = new FeedCheck(url, publication, out);
    try (Connection connection = DriverManager.getConnection(url)) {
      check.check(connection);
    } catch (SQLException e) {
      out.println("The server cannot be asked: " + MessageText.of(e));
      return UNKNOWN;
    }
    return check.missing ? MISSING : 0;
  }

  private static String named(String url) {
    Matcher named = NAMED.matcher(url);
    return named.find() ? URLDecoder.decode(named.group(1), UTF_8) : "larder";
  }

  private void check(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET search_path = pg_catalog");
    }
    ServerNeeds.Settings server = ServerNeeds.read(connection);
    checkPlace(connection);
    checkSettings(server);
    checkRoom(connection);
    checkRole(ask(connection, "SELECT quote_ident(session_user)"));
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
        "connect Larder to the server itself: through a pooler nothing is cached");
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
  private void checkRole(String role) {
    Properties replication = new Properties();
    replication.put("replication", "database");
    replication.put("assumeMinServerVersion", "10");
    replication.put("preferQueryMode", "simple");
    try (Connection connection = DriverManager.getConnection(url, replication)) {
      boolean valid = connection.isValid(5);
      found(valid, valid ? "the role may read the log" : "nobody answers who sends the log", "");
    } catch (SQLException e) {
      boolean refused = "42501".equals(e.getSQLState());
      found(
          false,
          (refused ? "the role may not read the log: " : "the log cannot be read: ")
              + MessageText.of(e),
          refused
              ? "ALTER ROLE " + role + " REPLICATION, or larder.feed.url with another role"
              : "what the server says; pg_hba.conf must let " + role + " in");
    }
  }

  private void checkTables(Connection connection, int version) throws SQLException {
    Collection<Table> tables = PublishedTables.read(connection, publication, version).values();
    List<Table> failing = tables.stream().filter(Table::wouldFail).toList();
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
    Set<Long> withAbove = withAbove(tables, failing);
    List<String> names = new ArrayList<>();
    for (Table table : tables) {
      boolean logged = "rp".contains(table.kind()) && table.persistence().equals("p");
      if (logged && table.parents().isEmpty() && !withAbove.contains(table.oid())) {
        names.add(table.quoted());
      }
    }
    Collections.sort(names);
    return names.isEmpty()
        ? "create tables first"
        : Publication.creation(publication, String.join(", ", names)) + ";";
  }

  /** Returns {@code some}, and the tables above them: who publishes these publishes those. */
  private static Set<Long> withAbove(Collection<Table> tables, Collection<Table> some) {
    Map<Long, Table> byOid =
        tables.stream().collect(Collectors.toMap(Table::oid, Function.identity()));
    Set<Long> found = new HashSet<>();
    Deque<Table> open = new ArrayDeque<>(some);
    while (!open.isEmpty()) {
      Table table = open.remove();
      if (found.add(table.oid())) {
        table.parents().stream().map(byOid::get).filter(Objects::nonNull).forEach(open::add);
      }
    }
    return found;
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
        .map(table -> table.identityInFull() + ";")
        .sorted()
        .collect(Collectors.joining(" "));
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(OwnSql.pinned(sql))) {
      row.next();
      return row.getString(1);
    }
  }
}
