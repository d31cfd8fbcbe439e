package dev.larder.jdbc.session;

import dev.larder.catalog.CatalogVersion;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.sql.StatementFacts;
import dev.larder.store.SessionFingerprint;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one session, and the isolation level of its transaction, as they are known: read
 * once, then followed by {@link SettingRules} through every statement that passes, in {@link
 * SettingScopes}. What cannot be followed is read again before it is needed. Confined to the thread
 * that uses the connection.
 */
public final class SessionTracker {
  private String namespace;
  private final SearchPaths paths;
  private final AskedPath askedPath = new AskedPath();
  private final Questions questions = new Questions();
  private final SettingNames names = new SettingNames();
  private final HeldSettings held = new HeldSettings(this);
  private final PooledSettings pooled;
  private boolean tooManyNames;
  private SettingScopes scopes = SettingScopes.of(null);

  /** The settings that hold, if they and the level of the transaction are known. */
  private @Nullable SessionFingerprint current;

  private Isolation level = Isolation.UNKNOWN;
  private boolean touched;
  private boolean askedInVain;
  private boolean asked;

  /** The settings when a transaction last ended. */
  private SettingScopes atLastEnd = SettingScopes.unknown(false);

  /** The mark of the present catalog, and of the last one while there is none. */
  private @Nullable Object present;

  private @Nullable Object latest;

  /** The mark of the catalog, where other sessions see the same. */
  private @Nullable Object shared;

  /** Makes one that knows nothing; {@code clean} is null where there is no pooler. */
  public SessionTracker(String namespace, SearchPaths paths, @Nullable CleanSettings clean) {
    this.namespace = namespace;
    this.paths = paths;
    this.pooled = new PooledSettings(clean);
  }

  /** Returns the settings, or null while they are unknown. */
  public @Nullable SessionFingerprint current() {
    return current;
  }

  /** Returns the level of the open transaction, or else of the next. */
  public Isolation isolation() {
    return level;
  }

  /** Returns whether every transaction of the session is SERIALIZABLE, not only one that asks. */
  public boolean isSerializableByDefault() {
    return atLastEnd.sessionLevel() == Isolation.SERIALIZABLE
        && scopes.sessionLevel() == Isolation.SERIALIZABLE;
  }

  /** Returns the settings, besides those of every key, that must be read. */
  public Set<String> customNames() {
    return names.all();
  }

  /** Returns what is known of the sessions behind a pooler. */
  PooledSettings pooled() {
    return pooled;
  }

  /** Returns whether the session has set more custom settings than are followed. */
  boolean hasTooManyNames() {
    return tooManyNames;
  }

  /** Returns what the transaction has set that the server was not sent. */
  public HeldSettings held() {
    return held;
  }

  SettingScopes scopes() {
    return scopes;
  }

  SettingRules rules() {
    return new SettingRules(paths, shared);
  }

  /** Follows from other scopes, and shows what was shown before. */
  void scopes(SettingScopes known) {
    scopes = known;
  }

  void become(SettingScopes next) {
    scopes = next;
    tooManyNames = names.areTooMany();
    level = next.level();
    touched = next.isTouched();
    Settings now = next.now();
    current =
        now != null
                && (latest == null || now.catalog() == latest)
                && !questions.isUnsteady()
                && !(next.isOpen() && level == Isolation.UNKNOWN)
            ? (asked ? now.fingerprint() : pooled.surely(now))
            : null;
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
    if (mark != present) {
      present = mark;
      questions.catalog(mark);
      if (mark != null) {
        latest = mark;
        become(scopes);
      }
    }
    Object seen = changedHere ? null : mark;
    if (shared != seen) {
      shared = seen; // Not every time: the collector has a fence for a reference in an old object.
    }
  }

  /** Shares results with the sessions of another namespace from now on. */
  public void moveTo(String other) {
    if (!namespace.equals(other)) {
      namespace = other;
      pooled.doubt();
      change(present -> SettingScopes.unknown(present.isOpen()));
    }
  }

  private void change(UnaryOperator<SettingScopes> rule) {
    held.change(rule);
    become(rule.apply(scopes));
  }

  // ---- what the server says

  /** Takes over what the session answered, while {@code catalog} was current. */
  public void read(SessionFacts facts, boolean inTransaction, @Nullable CatalogVersion catalog) {
    held.read(facts, inTransaction);
    List<String> path = facts.searchPath();
    SearchPaths.Setting asked = askedPath.taken(scopes);
    if (path == null) {
      become(scopes.unread());
      questions.refuse(null, inTransaction, catalog);
    } else {
      if (asked != null) {
        paths.learn(asked, facts, path, shared);
      }
      become(answered(facts, path, inTransaction, catalog));
      askedInVain = !scopes.keepsKnown(names.all(), latest);
    }
    questions.answered(facts, inTransaction);
  }

  private SettingScopes answered(
      SessionFacts facts,
      List<String> path,
      boolean inTransaction,
      @Nullable CatalogVersion catalog) {
    Settings settings = Settings.of(namespace, facts, path, catalog);
    asked = inTransaction && facts.temporary() == null;
    if (pooled.isThere() && !inTransaction) {
      return pooled.answered(settings, facts.leftBehind(), facts.namesOfModules());
    }
    SettingScopes asOfNow =
        inTransaction ? scopes.begun() : scopes.isOpen() ? SettingScopes.of(null) : scopes;
    return asOfNow.answered(settings, Isolation.of(facts.isolation()));
  }

  /** Returns whether the last answer is of no use once its transaction has ended. */
  public boolean isAskedInVain() {
    return askedInVain;
  }

  /** Returns whether the open transaction was asked, and nothing temporary is there. */
  boolean isAsked() {
    return asked;
  }

  /** Returns whether there is any use in asking. */
  Questions questions() {
    return questions;
  }

  /** Has the settings read again, though nothing was set. */
  public void reread() {
    change(SettingScopes::unread);
  }

  /** Makes everything unknown. */
  public void forget(boolean inTransaction) {
    pooled.doubt();
    become(SettingScopes.unknown(inTransaction));
  }

  /** Adds {@code others} to what is read, so that the settings are read again. */
  public void askFor(Set<String> others) {
    if (!others.isEmpty() && (scopes.isOpen() || !pooled.haveAsked(others))) {
      change(names.add(others) ? SettingScopes::unread : UnaryOperator.identity());
    }
  }

  // ---- what was sent

  /**
   * Notes that a cursor is open whose rows may set anything, some of them unseen: the settings are
   * unknown until the transaction has ended, and the cursor with it. One that outlives it has all
   * of its rows by then.
   */
  public void cursorMaySet() {
    questions.unsteady();
    become(scopes.begun().unclear());
  }

  /** Notes the level of the next transactions, which the driver has set outside of one. */
  public void sessionLevel(Isolation other) {
    pooled.doubt();
    become(scopes.set(settings -> settings.with(other), false));
  }

  /** Notes that the driver has begun a transaction. */
  void begun() {
    change(SettingScopes::begun);
  }

  /** Gives the savepoint that was set last the name that the driver has made for it. */
  public void named(String savepoint) {
    if (SettingRules.isPlain(savepoint)) {
      become(scopes.named(savepoint));
    }
  }

  /** Notes that the driver may have rolled back to a savepoint of its own. */
  void driverRolledBack() {
    if (touched) {
      questions.mayBeAnswered();
      become(scopes.lost().level(Isolation.UNKNOWN));
    }
  }

  /** Follows what was sent and has a definite outcome. */
  void follow(Sent sent) {
    boolean wasTouched = touched;
    boolean known = current != null;
    if (sent.setsTold()) {
      questions.touched(sent);
    }
    boolean read = !sent.setsTold() || names.addSet(sent);
    SettingScopes before = scopes;
    if (wasTouched && sent.mayUndo()) {
      questions.mayBeAnswered();
      asked = false; // What holds again may be from before the answer.
    }
    if (sent.before() != TransactionStatus.IDLE
        && (sent.after() == TransactionStatus.IDLE || sent.kinds().isChained())) {
      questions.transactionEnded(wasTouched);
    }
    resetNames(sent);
    SettingScopes after = rules().after(before, sent);
    become(pooled.after(before, read ? after : after.unclear()));
    askedPath.set(before, scopes, sent);
    questions.followed(known, current != null || askedPath.isPending());
    held.ran(sent);
  }

  private void resetNames(Sent sent) {
    StatementFacts only = sent.kinds().only();
    if (only != null && only.resetsAll() && sent.isAlone() && !sent.failed()) {
      names.clear();
    }
  }

  /** Notes that a transaction has ended, one of a single statement too. */
  void ended() {
    atLastEnd = scopes;
    if (asked) {
      asked = false;
      become(scopes);
    }
  }

  /** Notes that the driver has ended the transaction by itself. */
  void endedUnseen() {
    held.ended();
    questions.transactionEnded(true);
    pooled.doubt();
    become(SettingScopes.unknown(false));
  }

  /** Returns whether the transaction that is open has set anything, which its end may undo. */
  public boolean isTouched() {
    return touched;
  }
}
