package dev.larder.changefeed.server;

import dev.larder.changefeed.coverage.CoverageWatch;
import dev.larder.changefeed.coverage.Publication;
import dev.larder.changefeed.pgoutput.PgoutputDecoder;
import dev.larder.changefeed.server.FeedFailure.Step;
import dev.larder.changefeed.server.Holdups.Holdup;
import dev.larder.feed.FeedSettings;
import dev.larder.feed.FollowedDatabase;
import dev.larder.feed.FollowedWrites;
import dev.larder.feed.LoggedTransaction;
import dev.larder.jdbc.feed.FeedConnections;
import dev.larder.log.CacheLog.Trouble;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * One life of a slot: from the opening of its connections until something fails. The thread that
 * {@linkplain #run runs} it reads; {@link Asker} asks. Whichever fails ends the other.
 */
final class FeedSession implements PgoutputDecoder.Sink, LogStream.Position {
  private final FeedSettings settings;
  private final FollowedDatabase followed;
  private final FeedConnections connections;
  private final FollowedWrites writes;

  private volatile Step step = Step.ASKING;
  private volatile boolean ended;
  private volatile @Nullable Connection following;
  private volatile @Nullable LogStream stream;
  private volatile @Nullable Asker asker;
  private volatile Holdup holdup = Holdup.NONE;
  private volatile String slot = "";
  private volatile boolean live;

  /** What failed first; guarded by this. */
  private @Nullable FeedFailure failure;

  FeedSession(FeedSettings settings, FollowedDatabase followed, FeedConnections connections) {
    this.settings = settings;
    this.followed = followed;
    this.connections = connections;
    this.writes = followed.writes();
  }

  /**
   * Follows the log until that fails, or until it is {@linkplain #end ended}.
   *
   * @param leftover the slot of the session before, whose process may still be at it; or empty
   */
  FeedFailure run(String leftover) {
    try {
      follow(leftover);
    } catch (Throwable t) {
      fail(step, t);
    }
    writes.stopped();
    end();
    Asker started = asker;
    if (started != null) {
      started.awaitEnd();
    }
    synchronized (this) {
      return failure == null ? FeedFailure.lost(new SQLException("It was closed.")) : failure;
    }
  }

  private void follow(String leftover) throws SQLException, FeedFailure {
    step = Step.CONNECTING;
    try (Connection asking = connections.ask()) {
      step = Step.ASKING;
      prepare(asking);
      ServerNeeds.Settings server = ServerNeeds.check(asking);
      if (!leftover.isEmpty()) {
        Holdups.end(asking, leftover);
      }
      CoverageWatch coverage = new CoverageWatch(settings.publication(), server.version());
      if (!coverage.begin(asking)) {
        throw noPublication();
      }
      followed.covered(coverage.coverage());
      read(asking, server.version(), coverage);
    }
  }

  private void read(Connection asking, int version, CoverageWatch coverage)
      throws SQLException, FeedFailure {
    step = Step.CONNECTING;
    try (Connection opened = connections.follow()) {
      following = opened;
      SlotCommands commands = SlotCommands.of(settings.publication(), version);
      slot = commands.slot();
      step = Step.MAKING_A_SLOT;
      asker = Asker.start(new Asker.Work(this, followed, settings, asking, version, coverage));
      commands.make(opened);
      followed.server(commands.server(opened));
      step = Step.READING;
      LogStream begun = new LogStream(opened, commands.start(), new PgoutputDecoder(this), this);
      stream = begun;
      holdup = Holdup.NONE;
      writes.begun();
      wake();
      begun.read();
    }
  }

  private static void prepare(Connection asking) throws SQLException {
    asking.setAutoCommit(true);
    try (Statement statement = asking.createStatement()) {
      statement.execute("SET search_path = pg_catalog");
      statement.execute("SET statement_timeout = '10s'");
      statement.execute("SET application_name = '" + ServerNeeds.APPLICATION + "'");
    }
  }

  FeedFailure noPublication() {
    String name = settings.publication();
    return new FeedFailure(
        Trouble.FEED_PUBLICATION,
        "there is no publication " + name,
        Publication.creation(name, "…") + "; dev.larder.changefeed.FeedCheck prints it in full",
        null);
  }

  // ---- how it ends

  /** Notes what has failed first, and ends this. */
  void fail(Step failed, Throwable thrown) {
    synchronized (this) {
      if (failure == null && !ended) {
        FeedFailure found = FeedFailure.of(failed, thrown);
        boolean elsewhere = failed == Step.CONNECTING && settings.url() != null;
        failure = elsewhere ? found.elsewhere() : found;
      }
    }
    end();
  }

  /** Ends it soon, without waiting. */
  void end() {
    ended = true;
    Asker started = asker;
    if (started == null) {
      abort(); // It has no slot yet.
    } else {
      started.wake();
    }
  }

  boolean isEnded() {
    return ended;
  }

  /** Has the reading thread read no more. */
  void abort() {
    Connection open = following;
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException e) {
        // It is closed already.
      }
    }
  }

  // ---- what the reading thread is told by the log

  @Override
  public LoggedTransaction begin() {
    return followed.begin();
  }

  @Override
  public void committed(int transaction, LoggedTransaction logged) {
    followed.committed(transaction, logged);
    if (writes.isPending()) {
      wake();
    }
  }

  @Override
  public void reached(long position) {
    writes.reached(position);
  }

  @Override
  public long reached() {
    return writes.position();
  }

  private void wake() {
    Asker started = asker;
    if (started != null) {
      started.wake();
    }
  }

  // ---- what is shown

  Step step() {
    return step;
  }

  boolean isReading() {
    return stream != null;
  }

  /** Says that everything is announced from now on. */
  void becameLive() {
    live = true;
    holdup = Holdup.NONE;
  }

  /** Returns whether everything was announced, for a time. */
  boolean wasLive() {
    return live;
  }

  /** Returns when something came last, by {@link System#nanoTime}. */
  long heardNanos() {
    LogStream begun = stream;
    return begun == null ? System.nanoTime() : begun.heardNanos();
  }

  long readBytes() {
    LogStream begun = stream;
    return begun == null ? 0 : begun.bytes();
  }

  boolean messagesAreForbidden() {
    Asker started = asker;
    return started != null && started.messagesAreForbidden();
  }

  String slot() {
    return slot;
  }

  Holdup holdup() {
    return holdup;
  }

  void waitsFor(Holdup found) {
    holdup = found;
  }
}
