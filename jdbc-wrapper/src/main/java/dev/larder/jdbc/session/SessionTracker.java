package dev.larder.jdbc.session;

import dev.larder.catalog.CatalogVersion;
import dev.larder.jdbc.postgresql.ServerSettings;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.sql.SessionCommand;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.store.SessionFingerprint;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one session as they are known: read once, then followed through every statement
 * that passes. What cannot be followed makes them unknown, and they are read again before they are
 * needed. A setting that a transaction made is undone when the transaction is. Confined to the
 * thread that uses the connection.
 */
public final class SessionTracker {
  /** A session with more custom settings than this is not cached until it resets them all. */
  private static final int MAX_CUSTOM_NAMES = 64;

  /** A timeout below this may end a question of Larder's own, in milliseconds. */
  private static final long SHORT_MILLIS = 1_000;

  /** How the transaction ended that touched settings. */
  enum End {
    COMMITTED,
    ROLLED_BACK,
    UNKNOWN
  }

  private String namespace;
  private final SearchPaths paths;
  private final Set<String> customNames = new TreeSet<>();
  private @Nullable SessionFingerprint current;
  private @Nullable SessionFingerprint atTransactionStart;
  private boolean touchedInTransaction;
  private boolean localInTransaction;
  private boolean tooManyNames;

  /** Whether the server would refuse the question again. */
  private boolean refused;

  /** Whether that was in a transaction, whose end may change it. */
  private boolean refusedInTransaction;

  /** When it may be asked again, though nothing has changed; null for never. */
  private @Nullable Long retryNanos;

  /** Whether a timeout of the application's may be short enough to end a question. */
  private boolean hurried;

  /** Whether a cursor that is open may set anything whenever rows are fetched from it. */
  private boolean unsteady;

  /** The version of the catalog with which it refused. */
  private @Nullable Object refusedWith;

  /** The version of the catalog that the settings were read with. */
  private @Nullable Object readWith;

  /** The version of the catalog, where other sessions see the same. */
  private @Nullable Object shared;

  /** What search_path was set to, where the settings are unknown for no other reason. */
  private SearchPaths.@Nullable Setting asked;

  public SessionTracker(String namespace, SearchPaths paths) {
    this.namespace = namespace;
    this.paths = paths;
  }

  /** Returns the settings, or null while they are unknown. */
  public @Nullable SessionFingerprint current() {
    return current;
  }

  /** Returns the settings, besides those of every key, that must be read. */
  public Set<String> customNames() {
    return customNames;
  }

  /** Returns whether the session has set more custom settings than are followed. */
  boolean hasTooManyNames() {
    return tooManyNames;
  }

  // ---- the catalog

  /**
   * Notes which version of the catalog is current. Another one than the settings were read with may
   * have other schemas, so that they are read again.
   *
   * @param changedHere whether this transaction may have changed what the catalog shows
   */
  void catalog(@Nullable CatalogVersion catalog, boolean changedHere) {
    Object mark = catalog == null ? null : catalog.mark();
    if (mark != null && mark != readWith) {
      current = null;
      atTransactionStart = null;
    }
    refused &= mark == refusedWith;
    Object seen = changedHere ? null : mark;
    if (shared != seen) {
      shared = seen; // Not every time: the collector has a fence for a reference in an old object.
    }
  }

  private static @Nullable Object markOf(@Nullable CatalogVersion catalog) {
    return catalog == null ? null : catalog.mark();
  }

  /** Shares results with the sessions of another namespace from now on. */
  public void moveTo(String other) {
    if (!namespace.equals(other)) {
      namespace = other;
      current = null;
      atTransactionStart = null;
    }
  }

  // ---- what the server says

  /** Takes over what the session answered, while {@code catalog} was current. */
  public void read(SessionFacts facts, boolean inTransaction, @Nullable CatalogVersion catalog) {
    List<String> path = facts.searchPath();
    SearchPaths.Setting setting = asked;
    if (path != null
        && setting != null
        && shared != null
        && setting.currentUser().equals(facts.currentUser())) {
      String shown = facts.settings().getOrDefault("search_path", "");
      paths.learn(setting, new SearchPaths.Meaning(shown, path), shared);
    }
    asked = null;
    readWith = markOf(catalog);
    if (path == null) {
      current = null;
      refused(null, inTransaction, catalog);
    } else {
      current = fingerprint(facts.sessionUser(), facts.currentUser(), path, facts.settings());
    }
    if (!inTransaction) {
      hurried = facts.timeoutMillis() > 0 && facts.timeoutMillis() < SHORT_MILLIS;
      atTransactionStart = null;
      touchedInTransaction = false;
      localInTransaction = false;
    }
  }

  private SessionFingerprint fingerprint(
      String sessionUser,
      String currentUser,
      List<String> searchPath,
      SortedMap<String, String> settings) {
    return new SessionFingerprint(namespace, sessionUser, currentUser, searchPath, settings)
        .intern();
  }

  /**
   * Notes that the server did not answer. It is not asked again until a statement has set
   * something, the transaction has ended that this was in, or the catalog changed.
   *
   * @param retry after how many nanoseconds it may be asked again nevertheless, or null
   */
  void refused(@Nullable Long retry, boolean inTransaction, @Nullable CatalogVersion catalog) {
    refused = true;
    refusedInTransaction = inTransaction;
    retryNanos = retry == null ? null : System.nanoTime() + retry;
    refusedWith = markOf(catalog);
  }

  /** Returns whether there is no use in asking: the server will not answer, or not for long. */
  boolean isRefused() {
    Long retry = retryNanos;
    return unsteady || (refused && (retry == null || System.nanoTime() - retry < 0));
  }

  /** Returns whether a timeout of the application's may end a question that is asked now. */
  boolean isHurried() {
    return hurried;
  }

  /** Makes the settings unknown. */
  void forget(boolean inTransaction) {
    asked = null;
    touch(inTransaction);
    localInTransaction |= inTransaction;
    current = null;
  }

  /** Adds {@code names} to what is read, so that the settings are read again. */
  public void askFor(Set<String> names) {
    if (!names.isEmpty() && names.stream().allMatch(this::add)) {
      current = null;
    }
  }

  private boolean add(String name) {
    if (customNames.size() < MAX_CUSTOM_NAMES || customNames.contains(name)) {
      customNames.add(name);
      return true;
    }
    tooManyNames = true;
    return false;
  }

  // ---- what statements set

  /**
   * Follows statements that may have set something.
   *
   * @param unclear whether they failed or were several, so that nobody knows which of them have run
   */
  void touched(List<StatementFacts> statements, boolean unclear) {
    refused = false; // The server may answer now.
    for (StatementFacts statement : statements) {
      SessionCommand command = statement.command();
      hurried |= SetCommands.mayHurry(statement.kind(), command);
      if (unclear
          && statement.kind() == StatementKind.SET
          && command != null
          && !ServerSettings.isIrrelevant(command.name())
          && !ServerSettings.isAlwaysRead(command.name())) {
        add(command.name());
      }
    }
  }

  /**
   * Notes that a cursor is open whose rows may set anything, some of them unseen: the settings are
   * unknown until the transaction has ended, and the cursor with it. One that outlives it has all
   * of its rows by then.
   */
  public void cursorMaySet() {
    forget(true);
    unsteady = true;
  }

  /** Follows a statement that succeeded. */
  void executed(StatementFacts statement, boolean inTransaction) {
    switch (statement.kind()) {
      case SET -> set(statement.command(), inTransaction);
      case RESET, DISCARD -> reset(statement.command(), inTransaction);
      case SET_TRANSACTION -> forget(inTransaction);
      // Triggers that were put off may set what those settings are that were read before.
      case ROLLBACK_TO, SET_CONSTRAINTS -> {
        if (touchedInTransaction) {
          current = null;
          asked = null;
          refused = false;
        }
      }
      default -> {}
    }
  }

  private void reset(@Nullable SessionCommand command, boolean inTransaction) {
    forget(inTransaction);
    if (!inTransaction && command != null && command.name().equals("all")) {
      customNames.clear();
      tooManyNames = false;
    }
  }

  private void set(@Nullable SessionCommand command, boolean inTransaction) {
    if (command == null) {
      forget(inTransaction);
      return;
    }
    String name = command.name();
    if (ServerSettings.isIrrelevant(name)) {
      return;
    }
    boolean read = ServerSettings.isAlwaysRead(name) || add(name);
    SessionFingerprint before = current;
    String value = command.value();
    if (name.equals("search_path") && before != null && SetCommands.isPlain(value)) {
      searchPath(command, before, inTransaction);
    } else if (!read || before == null || !SetCommands.isFollowed(command)) {
      forget(inTransaction);
    } else if (inTransaction || !command.local()) {
      String shownName = name.indexOf('.') > 0 ? name : "timezone";
      follow(command, before, before.searchPath(), shownName, String.valueOf(value), inTransaction);
    }
  }

  private void searchPath(
      SessionCommand command, SessionFingerprint before, boolean inTransaction) {
    if (command.local() && !inTransaction) {
      return;
    }
    SearchPaths.Setting setting =
        new SearchPaths.Setting(String.valueOf(command.value()), before.currentUser());
    SearchPaths.Meaning meaning = paths.find(setting, shared);
    if (meaning == null) {
      forget(inTransaction);
      asked = setting;
    } else {
      follow(command, before, meaning.schemas(), "search_path", meaning.shown(), inTransaction);
    }
  }

  /** Follows a SET whose value is known as the server shows it. */
  private void follow(
      SessionCommand command,
      SessionFingerprint before,
      List<String> searchPath,
      String name,
      String shown,
      boolean inTransaction) {
    touch(inTransaction);
    localInTransaction |= command.local();
    SortedMap<String, String> settings = new TreeMap<>(before.settings());
    settings.put(name, shown);
    current = fingerprint(before.sessionUser(), before.currentUser(), searchPath, settings);
  }

  // ---- transactions

  /** Returns whether the transaction that is open has set anything, which its end may undo. */
  public boolean isTouched() {
    return touchedInTransaction;
  }

  private void touch(boolean inTransaction) {
    if (inTransaction && !touchedInTransaction) {
      atTransactionStart = current;
      touchedInTransaction = true;
    }
  }

  /** Follows the end of a transaction. */
  void transactionEnded(End end) {
    if (touchedInTransaction) {
      switch (end) {
        case ROLLED_BACK -> current = restored(atTransactionStart);
        case COMMITTED -> current = localInTransaction ? null : current;
        case UNKNOWN -> current = null;
      }
      asked = null;
    }
    refused &= !touchedInTransaction && !refusedInTransaction;
    atTransactionStart = null;
    touchedInTransaction = false;
    localInTransaction = false;
    unsteady = false;
  }

  /**
   * Follows a text that may have ended a transaction and begun the next: what was set in the first
   * may be undone, and what the text set is set in the second.
   */
  void transactionRestarted() {
    if (touchedInTransaction) {
      current = null;
      atTransactionStart = null;
      localInTransaction = true;
      asked = null;
      refused = false;
    }
  }

  /** A setting that was unset before a transaction that was rolled back may be empty after it. */
  private static @Nullable SessionFingerprint restored(@Nullable SessionFingerprint before) {
    return before != null && before.settings().containsValue(ServerSettings.UNSET) ? null : before;
  }
}
