package dev.larder.benchmarks.shapes;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The accounts that are looked up after a restart, how their pages leave all memory, and how
 * pg_prewarm brings them back. Stateless.
 */
final class ColdAccounts {
  /** Of some 120 bytes, so that 61 share a page. */
  static final int ROWS = Integer.getInteger(Postgres.ROWS_OPTION, 1_000_000);

  /** So many are ever looked up, evenly spread, so that nearly every page is needed. */
  static final int LOOKED_UP = Math.min(30_000, ROWS);

  private static final int BALANCE = 7;
  private static final String LOOKUP = "SELECT abalance FROM account WHERE aid = ?";

  private static final String ITS_BUFFERS =
      " FROM pg_buffercache WHERE relfilenode IN"
          + " (pg_relation_filenode('account'), pg_relation_filenode('account_pkey'))"
          + " AND reldatabase ="
          + " (SELECT oid FROM pg_database WHERE datname = current_database())";

  private ColdAccounts() {}

  /** Makes the accounts; nothing but lookups will read their pages. */
  static void create(Postgres postgres) throws SQLException {
    postgres.execute(
        "CREATE EXTENSION pg_buffercache",
        "CREATE TABLE account (aid int, bid int, abalance int, filler char(84))"
            + " WITH (autovacuum_enabled = off)",
        "INSERT INTO account SELECT i, i % 100, i * "
            + BALANCE
            + ", 'x' FROM generate_series(1, "
            + ROWS
            + ") i",
        "ALTER TABLE account ADD PRIMARY KEY (aid)",
        "VACUUM (FREEZE, ANALYZE) account");
  }

  /** Looks one of the {@link #LOOKED_UP} accounts up, and throws if its row is wrong. */
  static void lookUp(Connection connection, int number) throws SQLException {
    int id = 1 + number * (ROWS / LOOKED_UP);
    try (PreparedStatement statement = connection.prepareStatement(LOOKUP)) {
      statement.setInt(1, id);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next() || row.getInt(1) != id * BALANCE || row.next()) {
          throw new SQLException("Account " + id + " is not the row that was inserted.");
        }
      }
    }
  }

  /**
   * Takes the pages of the table and its index out of the server's buffers, by the function that
   * pg_buffercache has from PostgreSQL 17 on, and out of the operating system's page cache.
   *
   * @return the share that stayed in the page cache, 0 to 1; 1 where nobody can tell
   */
  static double chill(Postgres postgres) throws SQLException, IOException, InterruptedException {
    try (Connection connection = postgres.direct();
        Statement statement = connection.createStatement()) {
      statement.execute("CHECKPOINT");
      statement.execute("SELECT count(pg_buffercache_evict(bufferid))" + ITS_BUFFERS);
      try (ResultSet row = statement.executeQuery("SELECT count(*)" + ITS_BUFFERS)) {
        row.next();
        if (row.getLong(1) > 0) {
          throw new SQLException(row.getLong(1) + " pages have stayed in the server's buffers.");
        }
      }
      return PageCache.drop(files(statement));
    }
  }

  private static List<Path> files(Statement statement) throws SQLException, IOException {
    List<Path> files = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT current_setting('data_directory'), pg_relation_filepath(name::regclass)"
                + " FROM unnest(ARRAY['account', 'account_pkey']) name")) {
      while (rows.next()) {
        Path first = Path.of(rows.getString(1), rows.getString(2));
        Path directory = requireNonNull(first.getParent());
        // A gigabyte each, and the two maps.
        String names = first.getFileName() + "{,.*,_*}";
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, names)) {
          all.forEach(files::add);
        }
      }
    }
    return files;
  }

  /** Makes pg_prewarm usable, and returns false if the server does not come with it. */
  static boolean canPrewarm(Postgres postgres) throws SQLException {
    try (Connection connection = postgres.direct();
        Statement statement = connection.createStatement()) {
      try (ResultSet row =
          statement.executeQuery("SELECT FROM pg_available_extensions WHERE name = 'pg_prewarm'")) {
        if (!row.next()) {
          return false;
        }
      }
      statement.execute("CREATE EXTENSION pg_prewarm");
      return true;
    }
  }

  /** Has the server read all pages into its buffers. */
  static void prewarm(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_prewarm('account'), pg_prewarm('account_pkey')");
    }
  }
}
