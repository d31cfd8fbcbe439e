package dev.larder.changefeed.server;

import dev.larder.jdbc.feed.Refusal;
import dev.larder.log.CacheLog.Trouble;
import dev.larder.log.MessageText;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The log cannot be followed, for now. */
final class FeedFailure extends Exception {
  private static final long serialVersionUID = 1;

  private static final String NO_PRIVILEGE = "42501";
  private static final String NO_CONNECTION = "53300";
  private static final String NO_SLOT = "53400";
  private static final String REFUSED = "28000";
  private static final String WRONG_PASSWORD = "28P01";

  /** The driver's, as where a password is wanted and there is none. */
  private static final String REJECTED = "08004";

  private static final String NO_DATABASE = "3D000";

  /** As where no slot may be made at all. */
  private static final String NOT_READY = "55000";

  private static final String UNKNOWN_PARAMETER = "08P01";
  private static final String UNKNOWN_COMMAND = "42601";
  private static final String PAST_THE_POOLER = Refusal.Reason.POOLER.cure();
  private static final String NO_OBJECT = "42704";

  private final Trouble trouble;
  private final String because;
  private final String cure;

  FeedFailure(Trouble trouble, String because, String cure, @Nullable Throwable thrown) {
    super(because, thrown);
    this.trouble = trouble;
    this.because = because;
    this.cure = cure;
  }

  /** What was being done as something was thrown. */
  enum Step {
    ASKING,
    CONNECTING,
    MAKING_A_SLOT,
    READING
  }

  /** Returns what {@code thrown} means. */
  static FeedFailure of(Step step, Throwable thrown) {
    if (thrown instanceof FeedFailure known) {
      return known;
    }
    if (thrown instanceof Refusal refusal) {
      return refused(refusal);
    }
    if (thrown instanceof SQLException failure && failure.getSQLState() != null) {
      return of(step, failure, failure.getSQLState());
    }
    return lost(thrown);
  }

  private static FeedFailure refused(Refusal refusal) {
    Refusal.Reason reason = refusal.reason();
    Trouble trouble = reason == Refusal.Reason.SCARCE ? Trouble.FEED_ROOM : Trouble.FEED_SERVER;
    return new FeedFailure(trouble, reason.words(), reason.cure(), refusal);
  }

  private static FeedFailure of(Step step, SQLException thrown, String state) {
    String said = said(thrown);
    return switch (state) {
      case REFUSED, WRONG_PASSWORD, REJECTED ->
          new FeedFailure(
              Trouble.FEED_ROLE,
              said,
              "check the user and the password, of the pool, or in larder.feed.url if it is set:"
                  + " the feed takes the present one; pg_hba.conf must let the role in",
              thrown);
      case NO_DATABASE ->
          new FeedFailure(Trouble.FEED_SERVER, said, Refusal.Reason.OTHER_DATABASE.cure(), thrown);
      case NO_CONNECTION -> new FeedFailure(Trouble.FEED_ROOM, said, roomFor(said), thrown);
      default -> byStep(step, thrown, state, said);
    };
  }

  private static String roomFor(String said) {
    // The name of a setting is the same in every language.
    return said.contains("max_wal_senders")
        ? raise("max_wal_senders")
        : "raise max_connections, or the CONNECTION LIMIT of the role or the database, by one for"
            + " each process with a feed";
  }

  private static String raise(String setting) {
    return "ALTER SYSTEM SET "
        + setting
        + " = …, one for each process with a feed, and restart the server";
  }

  private static FeedFailure byStep(Step step, SQLException thrown, String state, String said) {
    boolean making = step == Step.MAKING_A_SLOT;
    if ((making || step == Step.CONNECTING) && state.equals(NO_PRIVILEGE)) {
      return new FeedFailure(
          Trouble.FEED_ROLE,
          said,
          "ALTER ROLE … REPLICATION, or larder.feed.url with another role",
          thrown);
    }
    if (making && (state.equals(NO_SLOT) || state.equals(NOT_READY))) {
      return new FeedFailure(Trouble.FEED_ROOM, said, raise("max_replication_slots"), thrown);
    }
    // The server itself knows the parameter and the command by which its log is asked for.
    if (state.equals(making ? UNKNOWN_COMMAND : UNKNOWN_PARAMETER)
        && (making || step == Step.CONNECTING)) {
      return new FeedFailure(Trouble.FEED_SERVER, said, PAST_THE_POOLER, thrown);
    }
    if (step == Step.READING && state.equals(NO_OBJECT)) {
      return new FeedFailure(
          Trouble.FEED_PUBLICATION,
          said,
          "create it again: dev.larder.changefeed.FeedCheck prints how",
          thrown);
    }
    return lost(thrown);
  }

  /** Returns the same of a way to the server that the application does not take. */
  FeedFailure elsewhere() {
    boolean unreached =
        getCause() instanceof SQLException thrown
            && thrown.getSQLState() != null
            && thrown.getSQLState().startsWith("08");
    return trouble == Trouble.FEED_LOST && unreached
        ? new FeedFailure(
            Trouble.FEED_SERVER,
            because,
            "set larder.feed.url so that it reaches the server",
            getCause())
        : this;
  }

  static FeedFailure lost(Throwable thrown) {
    return new FeedFailure(Trouble.FEED_LOST, said(thrown), "", thrown);
  }

  private static String said(Throwable thrown) {
    return MessageText.of(thrown);
  }

  Trouble trouble() {
    return trouble;
  }

  String because() {
    return because;
  }

  String cure() {
    return cure;
  }
}
