package dev.larder.jdbc.proof.workload;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.CrashingServer;
import dev.larder.jdbc.LarderXADataSource;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.proof.history.Line;
import dev.larder.jdbc.statement.CachingConnection;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the clients share: a database with the proof's schema, plain connections through Larder of
 * which some are slow, a small pool, and the pace of the rare kinds of writes. Thread-safe.
 */
public final class Arena implements AutoCloseable {
  private static final int PLAIN = 4;
  private static final int SLOW = 2;
  private static final int POOLED = 2;
  private static final int POPULAR = 48;

  private final TestDatabase database;
  private final SlowProxy slow;
  private final SlowProxy deadly;
  private final HikariDataSource pool;
  private final LarderXADataSource xaSource = new LarderXADataSource();
  private final BlockingQueue<Lease> plain = new ArrayBlockingQueue<>(PLAIN + SLOW);
  private final Map<WriteKind, Integer> weights;
  private final Map<WriteKind, AtomicLong> notBefore = new EnumMap<>(WriteKind.class);
  private final AtomicLong faults = new AtomicLong();
  private final Set<Integer> lostBackends = ConcurrentHashMap.newKeySet();
  private final boolean focused;
  private final boolean crashes;
  private final AtomicLong triggerSwitches = new AtomicLong();
  private final AtomicInteger schemeChanges = new AtomicInteger();
  private final AtomicInteger numbers = new AtomicInteger();
  private final Semaphore catalogChanger = new Semaphore(1);
  private final AtomicReference<@Nullable Line> catalogChanges = new AtomicReference<>();
  private final @Nullable Line favourite;
  private final String option;
  private final int pauses;
  private final Map<Object, Integer> sessions = new WeakHashMap<>();
  private volatile Query[] popular = {Query.ALL.get(0)};

  /** A connection in one client's hands. */
  record Lease(Connection connection, String url, boolean pooled) {}

  /**
   * Opens everything.
   *
   * @param focus the kinds of writes that are to happen more often than usual, without the other
   *     rare ones; empty for the usual mixture
   * @param favourite the line that is to be read more often than others, or null
   * @param option of Larder's, besides the usual ones, as {@code name=value}
   * @param pauses see {@link Client.Pace}
   */
  public Arena(Set<WriteKind> focus, @Nullable Line favourite, String option, int pauses)
      throws SQLException, IOException {
    this(TestDatabase.create(), focus, favourite, false, option, pauses);
  }

  /** Opens everything on a server that crashes, for the kinds of writes that expect it. */
  public Arena(CrashingServer server, Set<WriteKind> kinds) throws SQLException, IOException {
    this(server.createDatabase(), kinds, null, true, "larder.name=crash", 1);
  }

  private Arena(
      TestDatabase database,
      Set<WriteKind> focus,
      @Nullable Line favourite,
      boolean crashes,
      String option,
      int pauses)
      throws SQLException, IOException {
    this.favourite = favourite;
    this.option = option;
    this.pauses = pauses;
    this.database = database;
    this.crashes = crashes;
    ProofSchema.create(database);
    slow = new SlowProxy(database.port(), false);
    deadly = new SlowProxy(database.port(), true);
    for (int i = 0; i < PLAIN + SLOW; i++) {
      String url = url(i < PLAIN ? database.port() : slow.port());
      plain.add(new Lease(DriverManager.getConnection(url), url, false));
    }
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url(database.port()));
    config.setMaximumPoolSize(POOLED);
    pool = new HikariDataSource(config);
    xaSource.setUrl(url(database.port()));
    focused = !focus.isEmpty();
    weights = new EnumMap<>(WriteKind.class);
    for (WriteKind kind : WriteKind.values()) {
      int usual = crashes || (focused && kind.pauseMillis() > 0) ? 0 : kind.weight();
      weights.put(kind, focus.contains(kind) ? 100 : usual);
      notBefore.put(kind, new AtomicLong(System.nanoTime()));
    }
  }

  /** Opens a connection that no cache sees. */
  public Connection connectPast() throws SQLException {
    return retrying(database::connect);
  }

  /** Opens a connection through Larder. */
  public Connection connect() throws SQLException {
    return connectTo(url(database.port()));
  }

  private String url(int port) {
    return ProofSchema.url(database, port, option);
  }

  private Connection connectTo(String url) throws SQLException {
    return retrying(() -> DriverManager.getConnection(url));
  }

  /** A way to open a connection. */
  @FunctionalInterface
  private interface Opening {
    Connection open() throws SQLException;
  }

  /** Opens a connection as soon as a server that has crashed is there again. */
  private Connection retrying(Opening opening) throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        return opening.open();
      } catch (SQLException e) {
        if (!crashes || System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  /** Opens a connection through Larder that is lost when it commits. */
  Connection connectToDie() throws SQLException {
    return DriverManager.getConnection(url(deadly.port()));
  }

  /** Returns whether the server crashes, so that any connection may be lost. */
  boolean crashes() {
    return crashes;
  }

  /** Counts a fault that was injected. */
  public void faulted() {
    faults.incrementAndGet();
  }

  /** Returns how many faults were injected. */
  public long faults() {
    return faults.get();
  }

  /** Returns the source of connections for distributed transactions, through Larder. */
  LarderXADataSource xaSource() {
    return xaSource;
  }

  /** Ends a server process. */
  void terminate(int pid) throws SQLException {
    try (Connection past = connectPast();
        Statement statement = past.createStatement()) {
      statement.execute("SELECT pg_terminate_backend(" + pid + ')');
    }
  }

  /** Waits until a transaction has ended, and returns whether it was committed. */
  boolean hasCommitted(String transaction) throws SQLException {
    try (Connection past = connectPast();
        Statement statement = past.createStatement()) {
      while (true) {
        try (ResultSet row =
            statement.executeQuery("SELECT pg_xact_status('" + transaction + "')")) {
          row.next();
          String status = row.getString(1);
          if (!status.equals("in progress")) {
            return status.equals("committed");
          }
        }
      }
    } catch (SQLException e) {
      if (crashes && "22023".equals(e.getSQLState())) {
        return false; // After a crash the number is one of the future again.
      }
      throw e;
    }
  }

  /** Takes a connection of the pool, or a plain one. */
  Lease borrow(Random random) throws SQLException, InterruptedException {
    if (random.nextInt(PLAIN + SLOW + POOLED) < POOLED) {
      return new Lease(pool.getConnection(), "", true);
    }
    Lease lease = plain.poll(10, TimeUnit.SECONDS);
    if (lease == null) {
      throw new SQLException("no connection is free");
    }
    return lease;
  }

  /** Returns the number of the session of a connection, above 0. */
  int session(Connection connection) throws SQLException {
    Object physical = connection.unwrap(CachingConnection.class).physical();
    synchronized (sessions) {
      Integer known = sessions.get(physical);
      if (known == null) {
        known = numbers.incrementAndGet();
        sessions.put(physical, known);
      }
      return known;
    }
  }

  void giveBack(Lease lease) throws SQLException {
    if (lease.pooled()) {
      lease.connection().close();
    } else {
      Connection connection = lease.connection();
      boolean usable = !connection.isClosed();
      if (!usable) {
        connection.close(); // As pools do with one that has broken: it may hold more than a socket.
      }
      plain.add(usable ? lease : new Lease(connectTo(lease.url()), lease.url(), false));
    }
  }

  /** Chooses the queries that are asked most from now on, so that most are hits. */
  public void choosePopular(Random random) {
    Query[] chosen = new Query[POPULAR];
    for (int i = 0; i < POPULAR; i++) {
      Line preferred = i % 2 == 0 ? favourite : null;
      boolean keyed = i % 4 == 3 || favourite == Line.LISTED;
      do {
        chosen[i] = Query.ALL.get(random.nextInt(Query.ALL.size()));
      } while (preferred == null
          ? chosen[i].isKeyed() && !keyed
          : !chosen[i].reads(preferred.ordinal()));
    }
    popular = chosen;
  }

  /** Chooses what to read next. */
  Query chooseQuery(Random random) {
    Query[] now = popular;
    return random.nextInt(40) == 0
        ? Query.ALL.get(random.nextInt(Query.ALL.size()))
        : now[random.nextInt(now.length)];
  }

  /** Returns whether the trigger is to be switched on now: in turns. */
  boolean switchTrigger() {
    return (triggerSwitches.getAndIncrement() & 1) == 1;
  }

  /** Returns the number of a change of the catalog, from 0 on. */
  int nextCatalogChange() {
    return schemeChanges.getAndIncrement();
  }

  /** Notes that the catalog has been changed, which nobody else sees until the commit. */
  void catalogChanges(Line line) {
    catalogChanges.set(line);
  }

  /** Returns whether the caller may change the catalog under a slow write: one at a time may. */
  boolean beginCatalogChange() {
    return catalogChanger.tryAcquire();
  }

  /** Lets another change the catalog. */
  void endCatalogChange() {
    catalogChanges.set(null);
    catalogChanger.release();
  }

  /** Returns whether nobody has begun to write what the change is for. */
  boolean waitsForSlowWrite() {
    return catalogChanges.get() != null;
  }

  /** Returns the line that the caller should now write because the catalog changes, or null. */
  @Nullable Line takeCatalogChange() {
    return catalogChanges.get() == null ? null : catalogChanges.getAndSet(null);
  }

  /** Returns whether the line is the one that is read most. */
  boolean favours(Line line) {
    return favourite == line;
  }

  /** Chooses a line that statements can write as they like; often one that is read often. */
  Line plainLine(Random random) {
    Line preferred = favourite;
    return preferred != null && Writer.PLAIN.contains(preferred) && random.nextBoolean()
        ? preferred
        : Writer.PLAIN.get(random.nextInt(Writer.PLAIN.size()));
  }

  /** Chooses what to write next. */
  WriteKind choose(Random random) {
    int sum = weights.values().stream().mapToInt(Integer::intValue).sum();
    int left = random.nextInt(sum);
    for (Map.Entry<WriteKind, Integer> each : weights.entrySet()) {
      left -= each.getValue();
      if (left < 0) {
        return mayRun(each.getKey()) ? each.getKey() : WriteKind.DELETES;
      }
    }
    throw new IllegalStateException("the weights do not add up");
  }

  private boolean mayRun(WriteKind kind) {
    if (kind.pauseMillis() == 0) {
      return true;
    }
    long now = System.nanoTime();
    AtomicLong earliest = notBefore.get(kind);
    long seen = earliest.get();
    long pause =
        TimeUnit.MILLISECONDS.toNanos(
            (long) pauses
                * (focused && kind != WriteKind.TRIGGER && kind != WriteKind.SCHEME
                    ? kind.pauseMillis() / 3
                    : kind.pauseMillis()));
    return now - seen >= 0 && earliest.compareAndSet(seen, now + pause);
  }

  /** Notes a server process whose client has died and which may commit later. */
  void lost(int backend) {
    lostBackends.add(backend);
  }

  /** Waits until nothing can be committed any more for clients that have died. */
  public void awaitLost(Connection past) throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (deadly.isBusy() || arePresent(past)) {
      if (System.nanoTime() > deadline) {
        throw new SQLException("a lost server process has not ended within 30 s");
      }
      Thread.yield();
    }
    lostBackends.clear();
  }

  private boolean arePresent(Connection past) throws SQLException {
    if (lostBackends.isEmpty()) {
      return false;
    }
    String pids = lostBackends.toString().replace('[', '{').replace(']', '}');
    try (Statement statement = past.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = ANY ('" + pids + "'))")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  @Override
  public void close() throws SQLException, IOException {
    pool.close();
    for (Lease lease : plain) {
      lease.connection().close();
    }
    slow.close();
    deadly.close();
    awaitNoSession();
    database.close();
  }

  /** Waits until nobody is connected: Larder's own connection and its threads end by themselves. */
  private void awaitNoSession() throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    try (Connection past = connectPast();
        Statement statement = past.createStatement()) {
      while (true) {
        try (ResultSet row =
            statement.executeQuery(
                "SELECT count(*), (SELECT oid FROM pg_database WHERE datname = current_database()),"
                    + " string_agg(state || ' since ' || (now() - state_change) || ', open for '"
                    + " || (now() - backend_start) || ': ' || left(query, 80), '; ')"
                    + " FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()")) {
          row.next();
          String thread = "larder-outcomes-" + row.getString(2);
          boolean isThere =
              Thread.getAllStackTraces().keySet().stream()
                  .anyMatch(each -> each.getName().equals(thread));
          if (row.getLong(1) == 0 && !isThere) {
            return;
          }
          if (System.nanoTime() > deadline) {
            throw new SQLException(
                row.getLong(1) + " sessions or a thread are left after 30 s: " + row.getString(3));
          }
        }
      }
    }
  }
}
