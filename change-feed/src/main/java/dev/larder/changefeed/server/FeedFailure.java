package dev.larder.changefeed.server;

import dev.larder.jdbc.feed.Refusal;
import dev.larder.log.CacheLog.Trouble;
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
  private static final String UNKNOWN_PARAMETER = "08P01";
  private static final String UNKNOWN_COMMAND = "42601";
  private static final String NO_DATABASE = "3D000";
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
    FeedFailure refused = step == Step.CONNECTING ? refused(said, thrown, state) : null;
    if (refused != null) {
      return refused;
    }
    if (state.equals(NO_CONNECTION) || (step == Step.MAKING_A_SLOT && state.equals(NO_SLOT))) {
      return new FeedFailure(
          Trouble.FEED_ROOM,
          said,
          "ALTER SYSTEM SET "
              + (state.equals(NO_SLOT) ? "max_replication_slots" : "max_wal_senders")
              + " = …, one for each process with a feed, and restart the server",
          thrown);
    }
    if (step == Step.MAKING_A_SLOT && state.equals(NO_PRIVILEGE)) {
      return new FeedFailure(Trouble.FEED_ROLE, said, "ALTER ROLE … REPLICATION", thrown);
    }
    if (step == Step.MAKING_A_SLOT && state.equals(UNKNOWN_COMMAND)) {
      return new FeedFailure(Trouble.FEED_SERVER, said, PAST_THE_POOLER, thrown);
    }
    if (step == Step.READING && state.equals(NO_OBJECT)) {
      return new FeedFailure(Trouble.FEED_PUBLICATION, said, "create it again", thrown);
    }
    return lost(thrown);
  }

  /** Returns what a connection was refused for; null for nothing that is known. */
  private static @Nullable FeedFailure refused(String said, SQLException thrown, String state) {
    return switch (state) {
      case WRONG_PASSWORD ->
          new FeedFailure(
              Trouble.FEED_ROLE,
              said,
              "give the present password to the pool, or to larder.feed.url if that names a role",
              thrown);
      case NO_PRIVILEGE, REFUSED ->
          new FeedFailure(
              Trouble.FEED_ROLE,
              said,
              "ALTER ROLE … REPLICATION, or larder.feed.url with another role; pg_hba.conf must let"
                  + " it in",
              thrown);
      // The server itself knows the parameter by which its log is asked for.
      case UNKNOWN_PARAMETER -> new FeedFailure(Trouble.FEED_SERVER, said, PAST_THE_POOLER, thrown);
      default -> null;
    };
  }

  /** Returns the same of a way to the server that the application does not take. */
  FeedFailure elsewhere() {
    boolean unreached =
        getCause() instanceof SQLException thrown
            && thrown.getSQLState() != null
            && (thrown.getSQLState().startsWith("08") || thrown.getSQLState().equals(NO_DATABASE));
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
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message.strip().replace('\n', ' ');
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
