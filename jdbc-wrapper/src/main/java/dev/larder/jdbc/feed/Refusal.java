package dev.larder.jdbc.feed;

import java.sql.SQLException;

/** A connection of Larder's own was refused, because of what it has reached or could not reach. */
public final class Refusal extends SQLException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** Why a connection was refused. */
  public enum Reason {
    NO_WAY(
        "no connection of the application has reached the primary itself",
        "name the primary in the URL of the application: behind a pooler, or on a standby, nothing"
            + " is cached"),
    NO_URL(
        "the data source of the application cannot open a connection that reads the log",
        "set larder.feed.url, with user and password"),
    SCARCE(
        "the server had no connection left for the application",
        "raise max_connections by one for each process with a feed"),
    UNIDENTIFIED(
        "the role may not ask which database it has reached",
        "GRANT EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint() TO the role"),
    OTHER_DATABASE(
        "it has reached another database",
        "set larder.feed.url to the database that the application uses"),
    STANDBY("it has reached a standby", "set larder.feed.url to the primary"),
    POOLER("it has reached a pooler", "set larder.feed.url to the server itself"),
    REPLACED("it has reached a server that another has replaced", "stop the old server");

    private final String words;
    private final String cure;

    Reason(String words, String cure) {
      this.words = words;
      this.cure = cure;
    }

    /** Returns what has happened, in words. */
    public String words() {
      return words;
    }

    /** Returns what to do about it, in words. */
    public String cure() {
      return cure;
    }
  }

  /** Creates a refusal. */
  public Refusal(Reason reason) {
    super("Larder's own connection: " + reason.words() + ".", "08001");
    this.reason = reason;
  }

  /** Returns why. */
  public Reason reason() {
    return reason;
  }
}
