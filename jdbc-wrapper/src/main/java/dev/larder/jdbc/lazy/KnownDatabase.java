package dev.larder.jdbc.lazy;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;

/** What each connection of a pool says of its driver and database, without asking the server. */
record KnownDatabase(
    String url, String user, Versioned product, Versioned driver, int jdbcMajor, int jdbcMinor) {

  /** Something with a name and a version. */
  record Versioned(String name, String version, int major, int minor) {}

  static KnownDatabase of(DatabaseMetaData one) throws SQLException {
    return new KnownDatabase(
        one.getURL(),
        one.getUserName(),
        new Versioned(
            one.getDatabaseProductName(),
            one.getDatabaseProductVersion(),
            one.getDatabaseMajorVersion(),
            one.getDatabaseMinorVersion()),
        new Versioned(
            one.getDriverName(),
            one.getDriverVersion(),
            one.getDriverMajorVersion(),
            one.getDriverMinorVersion()),
        one.getJDBCMajorVersion(),
        one.getJDBCMinorVersion());
  }
}
