package dev.larder.sql;

import dev.larder.bypass.BypassReason;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one statement of a text reads, writes and calls, from its text alone. The sets err on the
 * side of too much: whoever resolves them against the catalog drops the names that are no relation,
 * routine or operator.
 *
 * @param kind what the statement is
 * @param bypass why the text alone forbids caching, or null
 * @param bypassBesideClock the same, but for that the text calls for the present date or time
 * @param relations every name that may be a relation
 * @param sources those names that rows are read from, as far as that is plain to see
 * @param targets what the statement says it writes
 * @param writesUnknown whether the statement may write more than {@code targets} and what follows
 *     from them
 * @param routines every call-shaped name
 * @param operators every operator symbol
 * @param identifiers every identifier, folded: types, domains, columns and attribute-style calls
 *     are among them
 * @param columns the identifiers of a query that stand for columns and aliases alone, as far as
 *     that is plain to see
 * @param fields names behind a dot, where what stands before it need not be a table or schema: a
 *     routine can be called so
 * @param conversions where a value that is no constant or parameter may become one of a type
 * @param looseParameter whether a parameter stands elsewhere than beside a comparison with a name,
 *     so that its type may decide which operator is meant
 * @param command details of session and transaction commands, or null
 * @param settingCalls the calls that set something, where the text is nothing but these
 */
public record StatementFacts(
    StatementKind kind,
    @Nullable BypassReason bypass,
    @Nullable BypassReason bypassBesideClock,
    Set<RelationName> relations,
    Set<RelationName> sources,
    List<WriteTarget> targets,
    boolean writesUnknown,
    Set<RoutineName> routines,
    Set<String> operators,
    Set<String> identifiers,
    Set<String> columns,
    Set<String> fields,
    Set<Conversion> conversions,
    boolean looseParameter,
    @Nullable SessionCommand command,
    List<SettingCall> settingCalls) {
  public StatementFacts {
    relations = Set.copyOf(relations);
    sources = Set.copyOf(sources);
    targets = List.copyOf(targets);
    routines = Set.copyOf(routines);
    operators = Set.copyOf(operators);
    identifiers = Set.copyOf(identifiers);
    columns = Set.copyOf(columns);
    fields = Set.copyOf(fields);
    conversions = Set.copyOf(conversions);
    settingCalls = List.copyOf(settingCalls);
  }

  /** Returns the same facts with the details of another command. */
  public StatementFacts with(@Nullable SessionCommand other) {
    return with(other, looseParameter);
  }

  private StatementFacts with(@Nullable SessionCommand other, boolean loose) {
    return new StatementFacts(
        kind,
        bypass,
        bypassBesideClock,
        relations,
        sources,
        targets,
        writesUnknown,
        routines,
        operators,
        identifiers,
        columns,
        fields,
        conversions,
        loose,
        other,
        settingCalls);
  }

  /** Returns the same facts of a text whose names may stand for values of any type. */
  public StatementFacts ofLooseTypes() {
    return with(command, true);
  }

  /** Returns whether it sets all settings back. */
  public boolean resetsAll() {
    return (kind == StatementKind.DISCARD || kind == StatementKind.RESET)
        && command != null
        && command.name().equals("all");
  }

  /** Returns how many names the sets hold, which make most of what the facts weigh. */
  public int nameCount() {
    return relations.size()
        + routines.size()
        + operators.size()
        + identifiers.size()
        + columns.size()
        + fields.size()
        + conversions.size();
  }
}
