package dev.larder.jdbc.effects;

import dev.larder.catalog.CatalogVersion;
import dev.larder.engine.Database;
import dev.larder.engine.Plan;
import dev.larder.remote.RemoteCatalogVersion;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.sql.SettingCall;
import dev.larder.sql.StatementFacts;
import dev.larder.store.RowAccount;
import dev.larder.store.WriteSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What sending something to the server may do, as known before it is sent. Immutable.
 *
 * @param kinds the statements, and what they say of themselves
 * @param writes what may be written
 * @param mayEndTransaction whether a transaction that is open may be committed by it
 * @param reloadsCatalog whether the catalog may look different afterwards
 * @param settings what is set, beside what the statements say
 * @param taintsSession whether temporary objects may shadow others afterwards
 * @param locks the relations that are locked at the server once it has run
 * @param resolved the one statement that runs, or null for anything else
 * @param searchPath the schemas that names were looked up in, or null where none were
 * @param catalogVersion the catalogVersion of the catalog that this was found out with
 * @param remoteVersion what all JVMs tell that catalog from others by, or null where that is not
 *     known
 * @param rows what it adds to the server's counts of changed rows
 * @param keyed the one execution that it is, where its rows are known by key
 */
public record Effects(
    StatementKinds kinds,
    WriteSet writes,
    boolean mayEndTransaction,
    boolean reloadsCatalog,
    SettingChanges settings,
    boolean taintsSession,
    Set<Long> locks,
    @Nullable ResolvedStatement resolved,
    @Nullable List<String> searchPath,
    long catalogVersion,
    @Nullable RemoteCatalogVersion remoteVersion,
    RowAccount rows,
    @Nullable KeyedWrite keyed) {

  /** Returns the effects of something unknown. */
  public static Effects unknown(StatementKinds kinds, long catalogVersion) {
    List<StatementFacts> statements = kinds.all();
    return new Effects(
        kinds,
        statements.stream().anyMatch(StatementKinds::isShared)
            ? WriteSet.EVERYWHERE
            : WriteSet.UNKNOWN,
        true,
        statements.isEmpty() || !statements.stream().allMatch(StatementKinds::isData),
        SettingChanges.UNTOLD,
        true,
        Set.of(),
        null,
        null,
        catalogVersion,
        null,
        RowAccount.UNKNOWN,
        null);
  }

  /** Returns the effects of a call of the driver that is no SQL and writes {@code writes}. */
  public static Effects writing(WriteSet writes, long catalogVersion) {
    return plain(StatementKinds.NONE, writes, catalogVersion);
  }

  /**
   * Returns the effects of a query that does nothing but read.
   *
   * @param searchPath the schemas that it may be looked up in
   * @param remoteVersion of the catalog in which it does nothing else
   */
  public static Effects reading(
      @Nullable List<String> searchPath,
      long catalogVersion,
      @Nullable RemoteCatalogVersion remoteVersion) {
    return new Effects(
        StatementKinds.QUERY,
        WriteSet.NONE,
        false,
        false,
        SettingChanges.NONE,
        false,
        Set.of(),
        ResolvedStatement.READING,
        searchPath,
        catalogVersion,
        remoteVersion,
        RowAccount.NONE,
        null);
  }

  /** Returns the effects of what writes at most rows, and for which no names were looked up. */
  private static Effects plain(StatementKinds kinds, WriteSet writes, long catalogVersion) {
    RowAccount rows = writes.isEmpty() ? RowAccount.NONE : RowAccount.UNKNOWN;
    return new Effects(
        kinds,
        writes,
        kinds.mayEndTransaction(),
        false,
        SettingChanges.NONE,
        false,
        Set.of(),
        null,
        null,
        catalogVersion,
        null,
        rows,
        null);
  }

  /**
   * Returns the effects of a plan's statements. What a prepared transaction wrote is not known
   * before its commit is announced: until then the name may come to mean another one. Without a
   * catalog those are harmless that cannot write whatever their names mean.
   *
   * @param resolved what they mean in the catalog, or null where that is not known
   * @param searchPath the schemas in which they mean that
   * @param undoes whether the end of the transaction that is open undoes settings
   * @param remoteVersion of that catalog
   */
  static Effects of(
      StatementKinds kinds,
      @Nullable ResolvedStatement resolved,
      @Nullable List<String> searchPath,
      boolean undoes,
      Database database,
      long catalogVersion,
      @Nullable RemoteCatalogVersion remoteVersion) {
    WriteSet prepared = kinds.commitPrepared() ? WriteSet.UNKNOWN : WriteSet.NONE;
    boolean changing = resolved != null && resolved.changesSettings() && kinds.areSeveral();
    if (resolved == null || changing || kinds.mayMeanOthers(undoes)) {
      return kinds.areHarmless()
          ? plain(kinds, prepared, catalogVersion)
          : unknown(kinds, catalogVersion);
    }
    return new Effects(
        kinds,
        written(kinds, resolved, database).union(prepared),
        kinds.mayEndTransaction(),
        resolved.reloadsCatalog(),
        SettingChanges.untold(resolved.changesSettings()),
        resolved.taintsSession(),
        resolved.locks(),
        resolved,
        searchPath,
        catalogVersion,
        remoteVersion,
        prepared.isEmpty() ? resolved.rows() : RowAccount.UNKNOWN,
        null);
  }

  /** Sessions elsewhere look their search path up again only after a write of everything. */
  private static WriteSet written(
      StatementKinds kinds, ResolvedStatement resolved, Database database) {
    return kinds.createSchemas() && database.isHitElsewhere()
        ? WriteSet.UNKNOWN
        : resolved.writes();
  }

  /**
   * Returns these effects, which are a write of anything, for where the names mean something else.
   *
   * @param catalog where they may mean whatever is in it
   */
  public Effects whateverNamesMean(CatalogVersion catalog) {
    boolean reloads =
        kinds.all().stream().anyMatch(one -> catalog.mayChangeCatalog(one.routines()));
    return widened(writes, reloads || reloadsCatalog, taintsSession, resolved, null);
  }

  /**
   * Returns these effects with the rows that one execution can write, and what it sets, where that
   * is known.
   *
   * @param plan of the statement
   * @param binds its values, in the order of the parameters
   */
  public Effects ofExecution(Plan plan, @Nullable Object[] binds) {
    if (resolved == null || writes.unknown()) {
      return this;
    } else if (resolved.settingsTold()) {
      List<SettingCall> calls = plan.statements().get(0).settingCalls();
      return with(kinds, writes, SettingChanges.of(calls, plan.literals(), binds), null);
    }
    return resolved.keys().writes() == null
        ? this
        : with(
            kinds,
            resolved.keys().narrowed(writes, plan.literals(), binds, false),
            settings,
            new KeyedWrite(resolved.keys(), writes, plan.literals(), binds));
  }

  /** Returns these effects where the transaction has itself inserted all rows that they change. */
  public Effects ofOwnRows() {
    return keyed == null ? this : with(kinds, keyed.ofOwnRows(), settings, null);
  }

  /** Returns these effects for something of another name, or one that is yet to be made. */
  public Effects naming(@Nullable String name) {
    return with(kinds.naming(name), writes, settings, keyed);
  }

  private Effects with(
      StatementKinds others, WriteSet written, SettingChanges set, @Nullable KeyedWrite execution) {
    return new Effects(
        others,
        written,
        mayEndTransaction,
        reloadsCatalog,
        set,
        taintsSession,
        locks,
        resolved,
        searchPath,
        catalogVersion,
        remoteVersion,
        rows,
        execution);
  }

  /** Returns these effects with all that a routine may do that nobody has looked at. */
  public Effects withAnyRoutine() {
    return widened(writes.union(WriteSet.UNKNOWN), reloadsCatalog, true, null, searchPath);
  }

  private Effects widened(
      WriteSet wider,
      boolean reloads,
      boolean taints,
      @Nullable ResolvedStatement statement,
      @Nullable List<String> path) {
    return new Effects(
        kinds,
        wider,
        mayEndTransaction,
        reloads,
        SettingChanges.UNTOLD,
        taints,
        Set.of(),
        statement,
        path,
        catalogVersion,
        null,
        RowAccount.UNKNOWN,
        null);
  }

  /**
   * Returns the effects of several plans that are sent together.
   *
   * @param undoes whether the end of the transaction that is open undoes settings
   */
  public static Effects union(List<Effects> all, boolean undoes) {
    StatementKinds kinds =
        StatementKinds.of(all.stream().flatMap(one -> one.kinds.all().stream()).toList());
    long catalogVersion =
        all.stream().mapToLong(Effects::catalogVersion).min().orElse(Long.MAX_VALUE);
    if (all.stream().anyMatch(one -> one.settings.any()) || kinds.mayMeanOthers(undoes)) {
      return unknown(kinds, catalogVersion);
    }
    RemoteCatalogVersion remoteVersion = all.isEmpty() ? null : all.get(0).remoteVersion;
    return new Effects(
        kinds,
        all.stream().map(Effects::writes).reduce(WriteSet.NONE, WriteSet::union),
        all.stream().anyMatch(Effects::mayEndTransaction) || kinds.mayEndTransaction(),
        all.stream().anyMatch(Effects::reloadsCatalog),
        SettingChanges.NONE,
        all.stream().anyMatch(Effects::taintsSession),
        all.stream().flatMap(one -> one.locks.stream()).collect(Collectors.toSet()),
        null,
        all.stream().map(Effects::searchPath).filter(Objects::nonNull).findFirst().orElse(null),
        catalogVersion,
        all.stream().allMatch(one -> Objects.equals(one.remoteVersion, remoteVersion))
            ? remoteVersion
            : null,
        all.stream().map(Effects::rows).reduce(RowAccount.NONE, RowAccount::and),
        null);
  }

  /**
   * Returns whether this writes, or may do so by the time it runs: while it waits for a lock,
   * others may replace a function that it calls, or create a trigger or a view.
   */
  public boolean mayComeToWrite() {
    return !writes.isEmpty() || !kinds.areHarmless();
  }

  /**
   * Returns whether one statement reads or writes rows, in known tables, and nothing else changes.
   */
  public boolean arePlain() {
    return kinds.isRowsOnly()
        && !kinds.reloadConfiguration()
        && resolved != null
        && !reloadsCatalog
        && !settings.any()
        && !taintsSession;
  }

  /** Returns whether temporary objects may come or go by it, before the transaction ends. */
  public boolean mayChangeTemporary() {
    boolean unknown = writes.unknown() || settings.any() || taintsSession || reloadsCatalog;
    return unknown ? !kinds.needNoNames() || writes.unknown() : !kinds.areDataAlone();
  }

  /**
   * Returns whether the settings, and what names mean, may be others if it runs before or after
   * what another thread sends.
   */
  public boolean mayUnsettle() {
    return resolved == null
        || settings.any()
        || kinds.touchSettings()
        || taintsSession
        || reloadsCatalog
        || mayEndTransaction;
  }

  /** Returns whether a transaction that is open afterwards may be another than the one before. */
  public boolean mayRestartTransaction() {
    return kinds.areSeveral() && mayEndTransaction;
  }
}
