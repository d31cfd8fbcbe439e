package dev.larder.jdbc.postgresql;

import java.sql.SQLException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Errors as the server and the driver would have raised them, had they been asked. Stateless. */
public final class ServerErrors {
  /** Fields as of the protocol, each ended by a zero. */
  private static final String CANCELLED =
      "SERROR\0VERROR\0C57014\0Mcanceling statement due to user request\0";

  private ServerErrors() {}

  /** Returns the error of a statement that was cancelled. */
  public static SQLException cancelled() {
    return new PSQLException(new ServerErrorMessage(CANCELLED));
  }
}
