package dev.larder.keys;

import dev.larder.keys.Scope.Occurrence;
import dev.larder.keys.Scope.Place;
import java.util.Collection;

/**
 * Why a result depends on more rows than it could, in words for its user. Immutable.
 *
 * @param table of which, schema and name; empty for all that the query reads
 * @param reason why
 * @param detail what of the query or the table it is, or empty
 */
public record Wide(String table, Reason reason, String detail) {
  /** What keeps a query from depending on a few rows. */
  public enum Reason {
    NOT_UNDERSTOOD("Larder does not understand its text in full", "Write it in plainer SQL."),
    FUNCTION(
        "it calls a function that may read tables",
        "Leave the function out, or compute it in the application."),
    OPERATORS(
        "an operator or cast of yours may stand for one of the server's",
        "None, as long as that is there."),
    TEMPORARY(
        "the search path lets a temporary table hide one of its tables",
        "Leave pg_temp out of the search path, or put it last."),
    CLAUSE("it has %s", "Write it without, if you can; join with ON instead of USING or NATURAL."),
    SUBQUERY(
        "it has a subquery where Larder does not follow it, a function in FROM, or no FROM",
        "Write the subquery in EXISTS, in IN or in the select list, join the table instead, or send"
            + " the subquery as a query of its own."),
    JOIN(
        "it has a RIGHT or FULL JOIN, joins in brackets, or a join without ON",
        "Write it with JOIN … ON and LEFT JOIN … ON."),
    NO_TABLE(
        "%s is a view, or a table with partitions, parents, policies or rules",
        "Read plain tables, where this matters."),
    CONDITION(
        "a condition might fail for other rows, because of %s",
        "In conditions compare columns with constants, parameters and columns only; do the rest in"
            + " the application, or in a generated column."),
    NO_KEYS(
        "it has no primary key and no index whose columns Larder can use",
        "Give it one, of columns of type integer, uuid, text or the like."),
    NO_EQUALITY(
        "no condition says which rows of it, by %s",
        "Compare one of them with = or IN, or make an index on a column that you compare so."),
    NO_INDEX(
        "no condition says which rows of it by a key, and %s has no index",
        "Make an index on the column."),
    MANY_VALUES("IN has more than 16 values", "Ask for at most 16 at once."),
    NOT_ALONG_KEY(
        "it is joined neither by one of its keys alone nor along a declared foreign key",
        "Join by its key, along a foreign key that is not deferrable, without other conditions on"
            + " it."),
    SEVERAL_MENTIONS("it is read more than once", "Read it once."),
    EXPRESSION(
        "the select list has more than columns, or there is GROUP BY or HAVING",
        "Select columns, and compute in the application."),
    LIMIT(
        "DISTINCT, LIMIT, OFFSET, FETCH or an expression in ORDER BY may leave rows out",
        "Read the whole list, sorted by columns."),
    CONDITIONS(
        "there are other tables, or conditions beside the one on %s",
        "Select by that alone, and sort out the rest in the application."),
    NO_PRIMARY_KEY("it has no primary key", "Give it one."),
    NOT_SELECTED("the select list does not have %s", "Select it, too.");

    private final String description;
    private final String cure;

    Reason(String description, String cure) {
      this.description = description;
      this.cure = cure;
    }
  }

  /**
   * Returns why no scheme restricts a mention of a table.
   *
   * @param many whether a column is compared with too many constants
   * @param compared the columns that are compared with constants
   */
  static Wide unrestricted(Occurrence of, boolean many, Collection<Place> compared) {
    String table = of.table.name();
    if (of.table.schemes().isEmpty()) {
      return new Wide(table, Reason.NO_KEYS, "");
    }
    if (many) {
      return new Wide(table, Reason.MANY_VALUES, "");
    }
    for (Place place : compared) {
      if (place.of() == of && of.table.schemes().stream().noneMatch(place::isAllOf)) {
        return new Wide(table, Reason.NO_INDEX, place.column().name());
      }
    }
    return new Wide(table, Reason.NO_EQUALITY, of.table.schemeNames());
  }

  /** Returns why, and what to do about it. */
  public String words() {
    String subject = table.isEmpty() ? "" : table + ": ";
    return subject + reason.description.formatted(detail) + ". " + reason.cure;
  }
}
