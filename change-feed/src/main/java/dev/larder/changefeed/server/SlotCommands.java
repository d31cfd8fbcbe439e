package dev.larder.changefeed.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;

/** The commands for one slot, which is temporary: it ends with its connection. Immutable. */
record SlotCommands(String slot, String publication, int version) {
  private static final int STREAMING = 140000;

  /** Names a slot that nobody has. */
  static SlotCommands of(String publication, int version) {
    long random = ThreadLocalRandom.current().nextLong();
    return new SlotCommands("larder_" + Long.toHexString(random), publication, version);
  }

  /** Makes the slot: that waits for all transactions that have written something. */
  void make(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET statement_timeout = 0");
      statement.execute("SET lock_timeout = 0");
      statement.execute(
          "CREATE_REPLICATION_SLOT " + slot + " TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT");
    }
  }

  /** Returns whose log it is: the system identifier and the timeline. */
  String server(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("IDENTIFY_SYSTEM")) {
      row.next();
      return row.getString("systemid") + ':' + row.getInt("timeline");
    }
  }

  /**
   * Returns the command that reads. Large transactions come in parts, before they commit. Messages
   * of {@code pg_logical_emit_message} are not asked for: anybody may write them, of any size, and
   * the server's keepalives tell how far it has read.
   */
  String start() {
    return "START_REPLICATION SLOT "
        + slot
        + " LOGICAL 0/0 (proto_version '"
        + (version >= STREAMING ? "2', streaming 'on'" : "1'")
        + ", publication_names '"
        + ('"' + publication.replace("\"", "\"\"") + '"').replace("'", "''")
        + "')";
  }
}
