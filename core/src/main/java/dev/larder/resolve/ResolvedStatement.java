package dev.larder.resolve;

import dev.larder.bypass.BypassReason;
import dev.larder.store.RowAccount;
import dev.larder.store.TableTag;
import dev.larder.store.WriteSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a text means in one catalog, for one search path. Immutable and thread-safe.
 *
 * @param bypass why it cannot be cached, or null where it can
 * @param clock whether it reads the clock
 * @param readTags the tags that a cached result depends on; complete where {@code bypass} is null,
 *     or {@code clock} is {@link Clock#ALONE}
 * @param relations the relations read, views and all, by oid, and for the partitions or inheriting
 *     tables below a relation its oid negated; may hold too much. A result of it may be hit in a
 *     REPEATABLE READ transaction once {@code locks} of statements that ran at the server hold all
 *     of them
 * @param tables the names of the tables read or written, schema-qualified, for statistics, include
 *     and exclude lists and time-to-live lists
 * @param writes what it may write, triggers, rules, cascades and partitions included
 * @param reloadsCatalog whether the catalog may look different afterwards
 * @param changesSettings whether it may change the session's settings in ways that its text does
 *     not tell (an unknown routine or trigger)
 * @param settingsTold whether those settings change that the calls of its text say, and no others
 * @param taintsSession whether it may create temporary objects that shadow others
 * @param keySettings settings, besides those that are in every key, that what it reads or calls
 *     reads; with {@link dev.larder.store.KeySettings#ANY} where that may be any
 * @param locks the relations that the server has locked once it has run the statement, in the terms
 *     of {@code relations}; partitions that the planner may leave out are not among them
 * @param rows what it adds to the server's counts of changed rows
 * @param target the only table that it names as written, by oid, where nothing that follows writes
 *     that table too; else 0
 * @param told whether all that it reads is told by its text and the catalog: it calls nothing of
 *     users, and nothing that might read tables; nor do defaults, constraints and triggers
 * @param keys which rows it reads and writes
 */
public record ResolvedStatement(
    @Nullable BypassReason bypass,
    Clock clock,
    List<TableTag> readTags,
    Set<Long> relations,
    Set<String> tables,
    WriteSet writes,
    boolean reloadsCatalog,
    boolean changesSettings,
    boolean settingsTold,
    boolean taintsSession,
    Set<String> keySettings,
    Set<Long> locks,
    RowAccount rows,
    long target,
    boolean told,
    StatementKeys keys) {
  /** Whether a statement reads the clock. */
  public enum Clock {
    /** It does not. */
    UNREAD,
    /** It is a query that reads the clock, and could be cached if it did not. */
    ALONE,
    /** It may, or it may do what is not known. */
    UNKNOWN
  }

  public ResolvedStatement {
    readTags = List.copyOf(readTags);
    relations = Set.copyOf(relations);
    tables = Set.copyOf(tables);
    keySettings = Set.copyOf(keySettings);
    locks = Set.copyOf(locks);
  }

  /** A query that does nothing but read, of which nobody has found out what. */
  public static final ResolvedStatement READING =
      effects(BypassReason.SEEN_ONCE, WriteSet.NONE, false, false);

  /** Returns a statement that reads nothing and whose rows nobody counts. */
  static ResolvedStatement effects(
      BypassReason reason, WriteSet writes, boolean reloadsCatalog, boolean changesSettings) {
    return new ResolvedStatement(
        reason,
        Clock.UNKNOWN,
        List.of(),
        Set.of(),
        Set.of(),
        writes,
        reloadsCatalog,
        changesSettings,
        false,
        false,
        Set.of(),
        Set.of(),
        writes.isEmpty() ? RowAccount.NONE : RowAccount.UNKNOWN,
        0,
        false,
        StatementKeys.NONE);
  }

  /** Returns whether it changes rows of known tables at most, and nothing else. */
  public boolean changesRowsOnly() {
    return !writes.unknown() && !changesSettings && !taintsSession && !reloadsCatalog;
  }

  /** Returns what this and {@code other} do, as statements of one text. */
  ResolvedStatement and(ResolvedStatement other) {
    return new ResolvedStatement(
        BypassReason.MULTIPLE_STATEMENTS,
        Clock.UNKNOWN,
        List.of(),
        Set.of(),
        union(tables, other.tables),
        writes.union(other.writes),
        reloadsCatalog || other.reloadsCatalog,
        changesSettings || other.changesSettings,
        false,
        taintsSession || other.taintsSession,
        Set.of(),
        union(locks, other.locks),
        rows.and(other.rows).withoutCount(),
        0,
        false,
        StatementKeys.NONE);
  }

  /** Returns a statement that may be this one or {@code other}. */
  public ResolvedStatement or(ResolvedStatement other) {
    ResolvedStatement both = and(other);
    return both.with(both.clock, told && other.told, both.keys);
  }

  /** Returns this statement with its keys. */
  public ResolvedStatement withKeys(StatementKeys found) {
    return with(clock, told, found);
  }

  ResolvedStatement with(Clock found) {
    return with(found, told, keys);
  }

  private ResolvedStatement with(Clock clock, boolean told, StatementKeys keys) {
    return new ResolvedStatement(
        bypass,
        clock,
        readTags,
        relations,
        tables,
        writes,
        reloadsCatalog,
        changesSettings,
        settingsTold,
        taintsSession,
        keySettings,
        locks,
        rows,
        target,
        told,
        keys);
  }

  static <T> Set<T> union(Set<T> some, Set<T> others) {
    Set<T> all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }
}
