package dev.larder.jdbc.postgresql;

import dev.larder.sql.OwnSql;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgConnection;

/**
 * The settings that ALTER ROLE and ALTER DATABASE had a session begin with, compared with those of
 * the sessions that its user opens later. Confined to the thread that uses the connection.
 */
public final class Beginning {
  private static final String QUESTION =
      OwnSql.pinned(
          """
          SELECT string_agg(concat_ws(' ', setdatabase, setrole, setconfig::text), ' '
                            ORDER BY setdatabase, setrole)
            FROM pg_db_role_setting
           WHERE (setdatabase = 0 OR setdatabase =
                   (SELECT oid FROM pg_database WHERE datname = current_database()))
             AND (setrole = 0 OR setrole =
                   (SELECT oid FROM pg_roles WHERE rolname = session_user))""");

  private final PgConnection driver;
  private final String settings;

  /** The catalog in which the server was asked last. */
  private @Nullable Object askedIn;

  private boolean asNew;

  private Beginning(PgConnection driver) throws SQLException {
    this.driver = driver;
    this.settings = ask(driver);
  }

  /** Returns that of a session that was just opened: one round trip, no BEGIN. */
  public static Beginning of(PostgresSession session) throws SQLException {
    return new Beginning(session.driver());
  }

  private static String ask(PgConnection driver) throws SQLException {
    return OwnStatements.ask(
        driver, QUESTION, row -> row.next() ? String.valueOf(row.getString(1)) : "");
  }

  /**
   * Returns whether sessions that are opened now begin with the same. Asks the server once in each
   * catalog.
   *
   * @param catalogMark of the current catalog
   */
  @SuppressWarnings("ReferenceEquality") // Marks are compared so.
  public boolean isAsNow(Object catalogMark) throws SQLException {
    if (askedIn != catalogMark) {
      asNew = ask(driver).equals(settings);
      askedIn = catalogMark;
    }
    return asNew;
  }
}
