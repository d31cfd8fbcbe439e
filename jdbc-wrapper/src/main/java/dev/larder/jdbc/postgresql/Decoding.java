package dev.larder.jdbc.postgresql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PreferQueryMode;

/** How the drivers of two connections receive and decode values. Stateless. */
public final class Decoding {
  /** What the server reports and the driver decodes by. */
  private static final List<String> REPORTED =
      List.of("TimeZone", "DateStyle", "IntervalStyle", "standard_conforming_strings");

  private static final String SET = "SELECT pg_catalog.set_config(?, ?, false)";

  private Decoding() {}

  /**
   * Returns how often a text is executed before the driver asks for binary values; negative where
   * that is not what decides.
   */
  public static int binaryThreshold(PostgresSession session) {
    PgConnection driver = session.driver();
    return driver.getPreferQueryMode() != PreferQueryMode.EXTENDED || driver.getForceBinary()
        ? -1
        : driver.getPrepareThreshold();
  }

  /** Returns the query timeout of a new statement, in seconds; 0 for none. */
  public static int queryTimeout(PostgresSession session) {
    try {
      return session.driver().getQueryTimeout();
    } catch (NoSuchMethodError e) {
      return 0; // Older drivers have no such option.
    }
  }

  /**
   * Returns whether {@code one} decodes as {@code other} does, after it was set so where that is
   * possible.
   */
  public static boolean isMadeAlike(PostgresSession one, PostgresSession other)
      throws SQLException {
    for (String name : REPORTED) {
      String wanted = other.driver().getParameterStatus(name);
      if (wanted != null && !wanted.equals(one.driver().getParameterStatus(name))) {
        set(one.driver(), name, wanted);
      }
    }
    return one.protocolOptions().equals(other.protocolOptions())
        && REPORTED.stream()
            .allMatch(
                name ->
                    Objects.equals(
                        one.driver().getParameterStatus(name),
                        other.driver().getParameterStatus(name)));
  }

  private static void set(PgConnection driver, String name, String value) throws SQLException {
    try (PreparedStatement set = driver.prepareStatement(SET)) {
      set.setString(1, name);
      set.setString(2, value);
      set.execute();
    }
  }

  /** Returns the object identifier of the type that the driver finds by its name, or 0. */
  public static int typeNamed(PostgresSession session, String name) throws SQLException {
    return session.driver().getTypeInfo().getPGType(name);
  }

  /** Returns how long the driver waits for the server, in milliseconds; 0 for ever. */
  public static int networkTimeoutMillis(PostgresSession session) throws SQLException {
    return session.driver().getNetworkTimeout();
  }
}
