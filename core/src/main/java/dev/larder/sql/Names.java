package dev.larder.sql;

import java.util.HashSet;
import java.util.Set;

/**
 * Every name and operator in the tokens of a statement, whatever it stands for: a name is a
 * relation, a type, a column and an attribute-style call until the catalog says what it is not.
 */
final class Names {
  /** Words before a bracket that are grammar, and can be no call of a routine unquoted. */
  private static final Set<String> SYNTAX =
      Set.of(
          ("between bigint bit boolean char character coalesce dec decimal exists float greatest"
                  + " grouping int integer interval least nchar nullif numeric precision real row"
                  + " setof smallint time timestamp values varchar national")
              .split(" "));

  private final Tokens tokens;
  private final Set<RelationName> relations = new HashSet<>();
  private final Set<RoutineName> routines = new HashSet<>();
  private final Set<String> operators = new HashSet<>();
  private final Set<String> identifiers = new HashSet<>();
  private final Set<String> conversions = new HashSet<>();

  Names(Tokens tokens) {
    this.tokens = tokens;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.kind().isName()) {
        collectName(token, i);
        collectKeyword(token, i);
      } else if (token.kind() == TokenKind.OPERATOR) {
        collectOperator(token, i);
      }
    }
  }

  Set<RelationName> relations() {
    return relations;
  }

  Set<RoutineName> routines() {
    return routines;
  }

  Set<String> operators() {
    return operators;
  }

  Set<String> identifiers() {
    return identifiers;
  }

  /** The types that anything but a constant or parameter is cast to. */
  Set<String> conversions() {
    return conversions;
  }

  private void collectName(Token token, int index) {
    boolean attribute = tokens.isSymbol(index - 1, ".");
    if (token.isReserved() && !attribute) {
      return;
    }
    if (!tokens.is(index - 1, "at", "time", "zone")) {
      identifiers.add(token.name());
    }
    if (isConversion(index)) {
      conversions.add(token.name());
    }
    boolean qualified = attribute && tokens.get(index - 2).kind().isName();
    if (qualified) {
      relations.add(new RelationName(tokens.get(index - 2).name(), token.name()));
    } else if (!attribute) {
      relations.add(new RelationName(null, token.name()));
    }
    if (tokens.isSymbol(index + 1, "(") && isCall(token, index, attribute)) {
      routines.add(new RoutineName(qualified ? tokens.get(index - 2).name() : null, token.name()));
    }
  }

  private boolean isCall(Token token, int index, boolean attribute) {
    Token before = tokens.get(index - 1);
    if (attribute || token.kind() != TokenKind.WORD) {
      return true;
    }
    return switch (token.name()) {
      case "over", "filter" -> !before.isSymbol(")");
      case "by" -> !(before.is("group") || before.is("order") || before.is("partition"));
      case "sets" -> !before.is("grouping");
      case "materialized" -> !(before.is("as") || before.is("not"));
      default -> !before.is("as") && !before.is("into") && !SYNTAX.contains(token.name());
    };
  }

  /** Whether the name is that of a type behind {@code ::}, or behind the AS of a cast. */
  private boolean isConversion(int index) {
    int head = index;
    while (tokens.isSymbol(head - 1, ".")) {
      head -= 2;
    }
    if (tokens.isSymbol(head - 1, "::")) {
      return !tokens.get(head - 2).isValue();
    }
    return tokens.is(head - 1, "as")
        && (tokens.isSymbol(index + 1, ")")
            || tokens.isSymbol(index + 1, "[")
            || tokens.is(index + 1, "array"));
  }

  private void collectOperator(Token token, int index) {
    String symbol = token.text().replace("??", "?");
    Token before = tokens.get(index - 1);
    boolean star =
        symbol.equals("*")
            && !tokens.contains("operator")
            && (before.isReserved() || before.kind() == TokenKind.PUNCTUATION)
            && !before.isSymbol(")")
            && !before.isSymbol("]");
    if (!star && !symbol.equals("=>")) {
      operators.add(symbol.equals("!=") ? "<>" : symbol);
    }
  }

  /** Adds the operators and routines that keywords stand for. */
  private void collectKeyword(Token token, int index) {
    if (token.kind() != TokenKind.WORD || tokens.isSymbol(index - 1, ".")) {
      return;
    }
    switch (token.name()) {
      case "like" -> addOperators("~~", "!~~");
      case "ilike" -> addOperators("~~*", "!~~*");
      case "similar" -> addOperators("~", "!~");
      case "between" -> addOperators(">=", "<=", "<", ">");
      case "in", "any", "some", "all", "using" -> addOperators("=", "<>");
      case "distinct", "nullif", "case", "natural" -> addOperators("=");
      case "overlaps" -> addRoutines("overlaps");
      case "at" -> addRoutines("timezone");
      case "extract" -> addRoutines("date_part");
      case "trim" -> addRoutines("btrim", "ltrim", "rtrim");
      case "current_catalog",
          "current_date",
          "current_role",
          "current_schema",
          "current_time",
          "current_timestamp",
          "current_user",
          "localtime",
          "localtimestamp",
          "session_user",
          "system_user",
          "user" ->
          addRoutines(token.name());
      default -> {}
    }
  }

  private void addOperators(String... symbols) {
    operators.addAll(Set.of(symbols));
  }

  private void addRoutines(String... names) {
    for (String name : names) {
      routines.add(new RoutineName(null, name));
    }
  }
}
