package dev.larder.analysis;

import dev.larder.lexer.Tokens;
import java.util.Set;

/** The types whose input looks names up in the catalog: regclass, regproc and their kin. */
final class RegTypes {
  private static final Set<String> NAMES =
      Set.of(
          ("regclass regcollation regconfig regdatabase regdictionary regnamespace regoper"
                  + " regoperator regproc regprocedure regrole regtype")
              .split(" "));

  /** What may follow a column of a SELECT, GROUP BY or ORDER BY. */
  private static final Set<String> AFTER_COLUMN =
      Set.of("as", "asc", "desc", "from", "group", "having", "limit", "order");

  private RegTypes() {}

  /**
   * Returns whether one of {@code identifiers}, those of a query, is one of them, and more than the
   * name of the table of a row may be looked up by it: that is {@code tableoid::regclass}, for a
   * column or followed by {@code ::text}. Beside anything else a constant might become a regclass.
   */
  static boolean lookUp(Tokens tokens, Set<String> identifiers) {
    return identifiers.stream().anyMatch(name -> isName(name) && !name.equals("regclass"))
        || (identifiers.contains("regclass") && !areNamesOfTables(tokens));
  }

  /** Whether the folded {@code name} is one of them, or an array of one. */
  private static boolean isName(String name) {
    return NAMES.contains(name.startsWith("_") ? name.substring(1) : name);
  }

  private static boolean areNamesOfTables(Tokens tokens) {
    boolean alone =
        !tokens.contains("union") && !tokens.contains("intersect") && !tokens.contains("except");
    int depth = 0;
    for (int i = 0; i < tokens.size(); i++) {
      depth += tokens.get(i).depth();
      if (tokens.get(i).name().equals("regclass")
          && !(tokens.isSymbol(i - 1, "::")
              && tokens.get(i - 2).name().equals("tableoid")
              && ((tokens.isSymbol(i + 1, "::") && tokens.is(i + 2, "text"))
                  || (alone && depth == 0 && isColumn(tokens, i))))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isColumn(Tokens tokens, int last) {
    int before = tokens.nameStart(last - 2) - 1;
    return (tokens.isSymbol(before, ",")
            || tokens.is(before, "select")
            || tokens.is(before, "distinct")
            || tokens.is(before, "by"))
        && (last + 1 == tokens.size()
            || tokens.isSymbol(last + 1, ",")
            || AFTER_COLUMN.contains(tokens.get(last + 1).name()));
  }
}
