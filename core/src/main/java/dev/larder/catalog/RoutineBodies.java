package dev.larder.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the bodies of users' routines tell: which may run DDL, so that the catalog has to be
 * compared after a write that runs them, which write nothing, and which may change settings,
 * whatever the user declares of what they write. Found out once, when the catalog is loaded.
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
 * <p>Where a routine that may do so runs without being named, behind a trigger, a rule, an
 * expression of the catalog, an operator or a cast, any routine may reach it.
 */
final class RoutineBodies {
  private static final String NO_LETTER_BEFORE = "(?<![a-z_\\x80-\\uffff])";
  private static final String NO_LETTER_AFTER = "(?![a-z0-9_$\\x80-\\uffff])";
  private static final String DYNAMIC = "do(?!\\s+(?:nothing|update)\\b)|execute";

  private static final Pattern DDL =
      Pattern.compile(
          NO_LETTER_BEFORE
              + "(?:alter|analyse|analyze|cluster|comment|create|discard|drop|grant|import|load"
              + "|prepare|reassign|reindex|revoke|security|vacuum|"
              + DYNAMIC
              + ")"
              + NO_LETTER_AFTER
              + "|u&");

  private static final Pattern HIDES_CALLS =
      Pattern.compile(
          NO_LETTER_BEFORE + "(?:set_config|" + DYNAMIC + ")" + NO_LETTER_AFTER + "|u&");

  /**
   * SET and RESET begin a statement, or anything may stand before them. What is created may be
   * temporary, which sessions tell with their settings.
   */
  private static final Pattern CHANGES_SETTINGS =
      Pattern.compile(
          NO_LETTER_BEFORE
              + "(?:set_config|pg_settings|pg_reload_conf|discard|pg_temp\\w*|"
              + DYNAMIC
              + ")"
              + NO_LETTER_AFTER
              + "|"
              + NO_LETTER_BEFORE
              + "(?:create|replace|into|local|global)(?:\\s+(?:temp(?:orary)?|table|view|sequence)"
              + NO_LETTER_AFTER
              + "|\\s*(?:--|/\\*))"
              + "|(?:^|[;>/]|"
              + NO_LETTER_BEFORE
              + "(?:atomic|begin|else|loop|then))\\s*(?:re)?set"
              + NO_LETTER_AFTER
              + "|--[^\\n\\r]*[\\n\\r]\\s*(?:re)?set"
              + NO_LETTER_AFTER
              + "|u&");

  /** In LANGUAGE sql INTO makes a table, but for that of INSERT and MERGE. */
  private static final Pattern SELECT_INTO =
      Pattern.compile(
          "(?<!insert)(?<!merge)\\s+into" + NO_LETTER_AFTER + "|[^\\sa-z_]into" + NO_LETTER_AFTER);

  /** The relation that a statement of a body names as its target; or a word that is none. */
  private static final Pattern TARGET =
      Pattern.compile(
          NO_LETTER_BEFORE
              + "(?:insert\\s+into|merge\\s+into|delete\\s+from|update|truncate(?:\\s+table)?)\\s+"
              + "(?:only\\s+)?((?:[a-z_][a-z0-9_]*\\.)?[a-z_][a-z0-9_]*)");

  private static final Pattern WORD =
      Pattern.compile("[a-z_\\x80-\\uffff][a-z0-9_$\\x80-\\uffff]*");

  private final Map<String, List<Long>> byName = new HashMap<>();
  private final Map<Long, Set<String>> words = new HashMap<>();
  private final Map<Long, List<Long>> support = new HashMap<>();
  private final Map<Long, Set<String>> targets = new HashMap<>();
  private final Set<Long> changers = new HashSet<>();
  private final Set<Long> writers = new HashSet<>();
  private final Set<Long> settingChangers = new HashSet<>();
  private final Set<Long> unread = new HashSet<>();
  private final Set<Long> hidden = new HashSet<>();
  private final Set<Long> hiddenInReads = new HashSet<>();
  private boolean rules;

  RoutineBodies(List<CatalogBuilder.RoutineRow> rows) {
    for (CatalogBuilder.RoutineRow row : rows) {
      boolean users = row.oid() >= BuiltinRoutines.FIRST_USER_OID;
      if (users || BuiltinRoutines.runsQueries(row.name())) {
        byName
            .computeIfAbsent(row.name().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
            .add(row.oid());
      }
      if (users) {
        support.put(row.oid(), row.support());
        read(row);
      } else if (BuiltinRoutines.runsQueries(row.name())) {
        changers.add(row.oid());
        writers.add(row.oid());
        settingChangers.add(row.oid());
      } else if (BuiltinRoutines.changesSettings(row.name())) {
        settingChangers.add(row.oid());
      }
    }
    words.values().forEach(named -> named.retainAll(byName.keySet()));
    unread.addAll(writers);
    unread.removeAll(words.keySet());
    List.of(changers, writers, settingChangers, unread).forEach(this::spread);
  }

  private void read(CatalogBuilder.RoutineRow row) {
    if (KnownLibraries.changesSettings(row.library(), row.volatility())) {
      settingChangers.add(row.oid());
    }
    if (!row.support().isEmpty() || KnownLibraries.writesNothing(row.library())) {
      return;
    }
    boolean fickle = row.volatility() == 'v';
    String body = row.body();
    if (body == null) {
      if (row.volatility() != 'i') {
        writers.add(row.oid());
      }
      // What is written in C says nothing, and what the user declares of it is believed.
      if (!row.language().equals("c")) {
        settingChangers.add(row.oid());
      }
      if (fickle) {
        changers.add(row.oid());
      }
      return;
    }
    String text = body.toLowerCase(Locale.ROOT);
    boolean into = row.language().equals("sql") && SELECT_INTO.matcher(text).find();
    if (into || DDL.matcher(text).find()) {
      changers.add(row.oid());
    }
    if (fickle || HIDES_CALLS.matcher(text).find()) {
      writers.add(row.oid());
    }
    if (CHANGES_SETTINGS.matcher(text).find()) {
      settingChangers.add(row.oid());
    }
    Matcher target = TARGET.matcher(text);
    while (target.find()) {
      targets.computeIfAbsent(row.oid(), oid -> new TreeSet<>()).add(target.group(1));
    }
    Set<String> named = new HashSet<>();
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      named.add(word.group());
    }
    words.put(row.oid(), named);
  }

  /** Carries over from what is called to what calls, until nothing more is found. */
  private void spread(Set<Long> found) {
    boolean unusual = byName.keySet().stream().anyMatch(name -> !WORD.matcher(name).matches());
    boolean grown = true;
    while (grown) {
      grown = false;
      // No part of an aggregate is one itself, and what calls one comes next.
      for (Map.Entry<Long, List<Long>> aggregate : support.entrySet()) {
        if (aggregate.getValue().stream().anyMatch(found::contains)) {
          found.add(aggregate.getKey());
        }
      }
      for (Map.Entry<Long, Set<String>> routine : words.entrySet()) {
        boolean calls =
            unusual || routine.getValue().stream().anyMatch(name -> isOneOf(name, found));
        grown |= calls && found.add(routine.getKey());
      }
    }
  }

  private boolean isOneOf(String name, Set<Long> found) {
    return byName.getOrDefault(name, List.of()).stream().anyMatch(found::contains);
  }

  /**
   * Says that the routine runs without being named.
   *
   * @param read whether by a query too
   */
  void runsHidden(long routine, boolean read) {
    hidden.add(routine);
    if (read) {
      hiddenInReads.add(routine);
    }
  }

  /** Says that there are rules, whose actions are not looked at. */
  void rules() {
    rules = true;
  }

  /**
   * Returns what stands in a body where the target of a write stands, by routine. No proof: words
   * that are no relations are among it, and what is written otherwise is not.
   */
  Map<Long, Set<String>> targets() {
    return Map.copyOf(targets);
  }

  /** Returns the routines that may run DDL, or null where any may. */
  @Nullable Set<Long> catalogChangers() {
    boolean reached = hidden.stream().anyMatch(changers::contains);
    return reached || (rules && !changers.isEmpty()) ? null : Set.copyOf(changers);
  }

  /**
   * The routines that may change settings of the session.
   *
   * @param any those whose bodies say so, or null where any may
   * @param inReads the same for routines that write nothing: what runs behind a write alone they do
   *     not reach
   * @param none those that do not, though nothing is declared of them
   */
  record SettingChangers(@Nullable Set<Long> any, @Nullable Set<Long> inReads, Set<Long> none) {

    /** Returns whether a call may, of which the user declares what it writes. */
    boolean mayBe(Routine routine) {
      return any == null || any.contains(routine.oid());
    }

    /** Returns whether a call may that writes nothing. */
    boolean mayBeReader(Routine routine) {
      return inReads == null || inReads.contains(routine.oid());
    }

    /** Returns whether a call may of which nothing is declared. */
    boolean mayBeUndeclared(Routine routine) {
      return !none.contains(routine.oid());
    }
  }

  /** Returns the routines that may change settings of the session. */
  SettingChangers settingChangers(boolean eventTriggers) {
    return new SettingChangers(
        hidden.stream().anyMatch(settingChangers::contains) ? null : Set.copyOf(settingChangers),
        hiddenInReads.stream().anyMatch(settingChangers::contains)
            ? null
            : Set.copyOf(settingChangers),
        eventTriggers ? Set.of() : settingKeepers());
  }

  /**
   * What is written in C is not believed. DDL runs event triggers and the scripts of extensions,
   * and what is written is not seen to fire a rule.
   */
  private Set<Long> settingKeepers() {
    Set<Long> keepers = new HashSet<>(words.keySet());
    for (Set<Long> found : List.of(changers, settingChangers, unread)) {
      if (rules || hidden.stream().anyMatch(found::contains)) {
        return Set.of();
      }
      keepers.removeAll(found);
    }
    return Set.copyOf(keepers);
  }

  /** Returns the routines that write nothing. */
  Set<Long> readers() {
    Set<Long> readers = new HashSet<>();
    if (hiddenInReads.stream().noneMatch(writers::contains)) {
      readers.addAll(support.keySet());
      readers.removeAll(writers);
    }
    return Set.copyOf(readers);
  }
}
