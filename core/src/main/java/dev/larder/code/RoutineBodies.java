package dev.larder.code;

import dev.larder.lexer.Tokens;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the bodies of users' routines tell: which may run DDL, so that the catalog has to be
 * compared after a write that runs them, which write nothing, and which may change settings,
 * whatever the user declares of what they write. Complete once the catalog is loaded.
 *
 * <p>Nothing at the server tells cheaply whether a transaction has changed the catalog: the locks
 * on the catalogs are given back at once, CREATE FUNCTION and GRANT leave none on a relation, what
 * a transaction did to system tables is known within it alone, where a statement in autocommit has
 * ended, and an event trigger would be an object of ours in the user's database. But DDL needs a
 * keyword, or dynamic SQL, and a body shows both. A routine may run DDL if such a word stands
 * anywhere in its body, comments and strings included; if its body is not SQL or PL/pgSQL and it is
 * VOLATILE; or if its body names such a routine.
 *
 * <p>A routine writes nothing if it is not VOLATILE, so that the server refuses writes of its own,
 * and its body, in SQL or PL/pgSQL, has no dynamic SQL and names no routine that may write.
 *
 * <p>A routine may change settings if its body calls set_config, names pg_settings, begins a
 * statement with SET or RESET, creates what may be temporary, or has dynamic SQL; or if it is
 * neither SQL nor PL/pgSQL nor C.
 *
 * <p>An IMMUTABLE routine depends on more than its arguments if its body, or that of a routine that
 * it names, says so ({@link BodyReads}), or if it calls what is declared so ({@link Disbelief}).
 *
 * <p>Where a routine that may do so runs without being named, behind a trigger, a rule, an
 * expression of the catalog, an operator or a cast, any routine may reach it.
 */
public final class RoutineBodies {
  /** Takes the place of a body that is too long to be read. */
  public static final String MAY_DO_ANYTHING = "execute";

  /** Begins the body of a routine that has a custom setting of its own, in whatever language. */
  public static final String SETS_CUSTOM = "/*set_config*/";

  private final Set<String> relations = new HashSet<>();
  private final Set<Long> readers = new HashSet<>();

  /** Those that may read any setting, as nobody knows their code. */
  private final Set<Long> untold = new HashSet<>();

  private final SettingReaders settingReaders = new SettingReaders();
  private final Map<Long, Set<String>> targets = new HashMap<>();
  private final Set<Long> users = new HashSet<>();
  private final Set<Long> changers = new HashSet<>();
  private final Set<Long> writers = new HashSet<>();
  private final Set<Long> settingChangers = new HashSet<>();

  /** Those of which a text says that they change settings. */
  private final Set<Long> setters = new HashSet<>();

  /** Those that may write, and whose bodies say nothing. */
  private final Set<Long> unread = new HashSet<>();

  private final Set<Long> hidden = new HashSet<>();
  private final Set<Long> hiddenInReads = new HashSet<>();
  private final Set<Long> immutable = new HashSet<>();

  /** Those that tell who the user is. */
  private final Set<Long> userReaders = new HashSet<>();

  private final RoutineTexts texts;
  private final CallGraph calls = new CallGraph();
  private final Disbelief disbelief = new Disbelief(calls);
  private final Set<String> symbols;

  /** Those that may write, be it by what is called where they read. */
  private Set<Long> writersByReads = writers;

  /** Those that may change settings, be it by what is called where they read. */
  private Set<Long> settingChangersByReads = settingChangers;

  private PlannedReads planned = PlannedReads.NONE;
  private boolean rules;

  /**
   * Reads the bodies of {@code rows}.
   *
   * @param relations the names of all tables and views
   * @param used what bodies may use besides
   */
  public RoutineBodies(
      List<RoutineRow> rows, Collection<String> relations, Collection<UsedInBodies> used) {
    relations.forEach(name -> this.relations.add(Tokens.foldLoosely(name)));
    texts = new RoutineTexts(rows);
    symbols =
        used.stream()
            .filter(UsedInBodies::symbol)
            .map(UsedInBodies::name)
            .collect(Collectors.toSet());
    used.forEach(disbelief::use);
    rows.forEach(this::add);
    spread();
  }

  private void add(RoutineRow row) {
    boolean runsQueries = !row.users() && BuiltinRoutines.RUN_QUERIES.contains(row.name());
    if (row.body() == null) {
      disbelief.add(row, null, false);
    }
    if (row.users()) {
      users.add(row.oid());
      note(immutable, row, row.volatility() == 'i');
      note(userReaders, row, row.readsUsers());
      calls.says(row.oid(), read(row));
    }
    if (row.users() || runsQueries) {
      calls.named(row.oid(), BodyText.wordOf(row.name()));
    }
    // Bodies show it by its name, but not where it is part of an aggregate.
    note(readers, row, BuiltinRoutines.showsSetting(row.oid()));
    note(untold, row, BuiltinRoutines.showsSetting(row.oid()) || row.isUntold());
    note(changers, row, runsQueries);
    note(writers, row, runsQueries);
    boolean sets = !row.users() && BuiltinRoutines.CHANGE_SETTINGS.contains(row.name());
    note(settingChangers, row, runsQueries || sets);
    note(setters, row, sets);
    calls.consistsOf(row.oid(), row.support());
  }

  private void spread() {
    calls.complete(
        relations.stream()
            .map(BodyText::wordOf)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet()));
    unread.addAll(writers);
    unread.removeAll(targets.keySet());
    List.of(changers, settingChangers, unread, readers, untold, userReaders).forEach(calls::spread);
    calls.spreadUnnamed(writers);
    calls.spreadUnnamed(setters);
    settingReaders.spread(calls, readers);
    disbelief.spread(readers);
  }

  /** Notes what the routine may do by itself; returns the words of its body. */
  private Set<String> read(RoutineRow row) {
    if (KnownLibraries.changesSettings(row.library(), row.volatility())) {
      settingChangers.add(row.oid());
    }
    String body = row.body();
    if (!row.support().isEmpty() || KnownLibraries.writesNothing(row.library())) {
      return Set.of();
    }
    if (body == null) {
      note(writers, row, row.volatility() != 'i');
      // What is written in C says nothing, and what the user declares of it is believed.
      note(settingChangers, row, !row.language().equals("c"));
      note(changers, row, row.volatility() == 'v');
      return Set.of();
    }
    try {
      return read(row, Tokens.foldLoosely(body));
    } catch (StackOverflowError e) {
      return read(row, MAY_DO_ANYTHING);
    }
  }

  private Set<String> read(RoutineRow row, String text) {
    BodyText said = new BodyText(text);
    boolean ddl = said.runsDdl();
    note(changers, row, ddl || (row.language().equals("sql") && said.selectsInto()));
    note(writers, row, row.volatility() == 'v' || said.hidesCalls());
    note(settingChangers, row, said.setsSettings());
    note(setters, row, said.setsSettings());
    note(userReaders, row, said.namesUsers());
    targets.put(row.oid(), said.targets());
    Set<String> words = said.words(symbols);
    // The server refuses what a routine that is not VOLATILE writes itself.
    boolean hides = words.contains("execute") || text.contains("u&");
    disbelief.add(row, words, hides || (ddl && row.volatility() == 'v'));
    BodyReads reads = BodyReads.of(text, words, relations);
    note(readers, row, reads.anything());
    reads.settings().forEach(name -> settingReaders.add(name, row.oid()));
    return words;
  }

  private static void note(Set<Long> found, RoutineRow row, boolean may) {
    if (may) {
      found.add(row.oid());
    }
  }

  private static boolean meets(Collection<Long> some, Set<Long> others) {
    return some.stream().anyMatch(others::contains);
  }

  /** Returns those bodies that are understood, statement by statement. */
  public RoutineTexts texts() {
    return texts;
  }

  /**
   * Says that the routine runs without being named.
   *
   * @param read whether by a query too
   */
  public void runsHidden(long routine, boolean read) {
    hidden.add(routine);
    if (read) {
      hiddenInReads.add(routine);
    }
  }

  /**
   * Says what a read of a relation reads and calls: the query of a view, and the conditions of
   * policies.
   */
  public void isRead(long relation, String name, Set<Long> relations, Set<Long> routines) {
    calls.relation(relation, BodyText.wordOf(name), relations, routines);
    hidden.addAll(routines);
  }

  /** Finds out what follows from all that was said. */
  public void complete() {
    writersByReads = new HashSet<>(writers);
    calls.spreadUnnamed(writersByReads);
    settingChangersByReads = new HashSet<>(settingChangers);
    calls.spread(settingChangersByReads);
    planned = PlannedReads.of(immutable, settingReaders.all(), userReaders);
    calls.complete(Set.of());
  }

  /** Says that there are rules, whose actions are not looked at. */
  public void rules() {
    rules = true;
  }

  /**
   * Returns what stands in the body where the target of a write stands. No proof: words that are no
   * relations are among it, and what is written otherwise is not.
   */
  public Set<String> targets(long routine) {
    return targets.getOrDefault(routine, Set.of());
  }

  /** Returns whether a call of the routine may run DDL. */
  public boolean mayChangeCatalog(long routine) {
    return changers.contains(routine) || mayAllChangeCatalog();
  }

  /** Returns whether a call of any routine may run DDL. */
  public boolean mayAllChangeCatalog() {
    return meets(hidden, changers) || (rules && !changers.isEmpty());
  }

  /**
   * Returns whether a call of the routine may change settings of the session.
   *
   * @param reader whether it {@linkplain #writesNothing writes nothing}, so that it does not reach
   *     what runs behind a write alone
   */
  public boolean mayChangeSettings(long routine, boolean reader) {
    return reader
        ? settingChangersByReads.contains(routine) || meets(hiddenInReads, settingChangersByReads)
        : settingChangers.contains(routine) || meets(hidden, settingChangers);
  }

  /** Returns whether what runs without being named may change settings. */
  public boolean mayAllChangeSettings() {
    return meets(hidden, settingChangers);
  }

  /** Returns whether its body, or that of a routine that it names, changes settings. */
  public boolean setsItself(long routine) {
    return setters.contains(routine);
  }

  /**
   * Returns whether a call of the routine changes no settings, though nothing is declared of it.
   * What is written in C is not believed. DDL runs event triggers and the scripts of extensions,
   * and what is written is not seen to fire a rule.
   */
  public boolean keepsSettings(long routine) {
    return targets.containsKey(routine)
        && !rules
        && Stream.of(changers, settingChangers, unread)
            .noneMatch(found -> found.contains(routine) || meets(hidden, found));
  }

  /**
   * Returns whether the body of the routine, or that of one that it names, reads a table, the clock
   * or the like, whatever the routine is declared.
   */
  public boolean readsMore(long routine) {
    return disbelief.readsMore(routine);
  }

  /** Returns whether a call of the routine may write although it is declared IMMUTABLE. */
  public boolean mayWrite(long routine) {
    return disbelief.mayWrite(routine);
  }

  /** Returns whether the routine, or one that it names, has code that nobody knows. */
  public boolean readsAnySetting(long routine) {
    return untold.contains(routine);
  }

  /** Returns whether the {@link #settings} are all that the routine reads, as its body says. */
  public boolean readsSettingsAlone(long routine) {
    return targets.containsKey(routine) && !readers.contains(routine) && !untold.contains(routine);
  }

  /** Returns the settings that the bodies of the routine, and of those that it names, read. */
  public Set<String> settings(long routine) {
    return settingReaders.of(routine);
  }

  /** Returns what is read by routines that are declared to read nothing. */
  public PlannedReads planned() {
    return planned;
  }

  /** Returns the settings that any body names. */
  public Set<String> namedSettings() {
    return Collections.unmodifiableSet(settingReaders.all().keySet());
  }

  /** Returns whether a user's routine is proven to write nothing. */
  public boolean writesNothing(long routine) {
    return users.contains(routine)
        && !writersByReads.contains(routine)
        && !meets(hiddenInReads, writersByReads);
  }
}
