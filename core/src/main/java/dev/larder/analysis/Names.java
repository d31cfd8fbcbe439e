package dev.larder.analysis;

import dev.larder.lexer.Token;
import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import dev.larder.sql.RelationName;
import dev.larder.sql.RoutineName;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names and operators of a statement. A name counts as a relation, a type, a column and a call
 * in the notation of a column, until the catalog says what it is not.
 */
final class Names {
  /** Words of the grammar: before a bracket, without quotes, they call no routine. */
  private static final Set<String> SYNTAX =
      Set.of(
          ("between bigint bit boolean char character coalesce dec decimal exists float greatest"
                  + " grouping int integer interval least nchar nullif numeric precision real row"
                  + " setof smallint time timestamp values varchar national")
              .split(" "));

  /** Words that make rows of the bracket behind them. */
  private static final Set<String> ROWS = Set.of("json_table", "using", "xmltable");

  /** The last relation of each slot. */
  private static final @Nullable RelationName[] KNOWN = new @Nullable RelationName[1 << 13];

  private final Tokens tokens;
  private final boolean namesOperators;
  private final @Nullable ColumnPlaces columnPlaces;
  private final Set<RelationName> relations = new HashSet<>();
  private final Set<RoutineName> routines = new HashSet<>();
  private final Set<String> operators = new HashSet<>();
  private final Set<String> identifiers = new HashSet<>();
  private final Set<String> fields = new HashSet<>();

  /** The identifiers that stand somewhere else than where only a column or an alias can. */
  private final Set<String> others = new HashSet<>();

  /** Names of the values of calls in FROM, each with the columns that the text lists for it. */
  private final Map<String, Set<String>> calls = new HashMap<>();

  private final Map<String, Set<String>> fieldsByOwner = new HashMap<>();
  private final Deque<Integer> brackets = new ArrayDeque<>();

  /** The bracket that the last closing one has closed, or -1. */
  private int closed = -1;

  private boolean treat;

  /** Collects the names; {@code reads} says whether the statement writes to no table of its own. */
  Names(Tokens tokens, boolean reads) {
    this.tokens = tokens;
    this.namesOperators = tokens.contains("operator");
    boolean query = tokens.isQuery(0) || tokens.isSymbol(0, "(");
    this.columnPlaces = query && reads ? new ColumnPlaces(tokens) : null;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.kind().isName()) {
        collectName(token, i);
        collectKeyword(token, i);
      } else if (token.isSymbol("(")) {
        brackets.push(i);
      } else if (token.isSymbol(")")) {
        closed = brackets.isEmpty() ? -1 : brackets.pop();
      } else if (token.kind() == Kind.OPERATOR) {
        collectOperator(token, i);
      }
    }
    calls.forEach(this::addFields);
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

  /** The identifiers that no table is meant by, and no type. */
  Set<String> columns() {
    Set<String> columns = new HashSet<>(identifiers);
    columns.removeAll(others);
    return columns;
  }

  /** Names behind a dot, with something before it that need not be a table or schema. */
  Set<String> fields() {
    return fields;
  }

  /** Whether TREAT (a AS name) may be among it, which calls a routine of that name. */
  boolean hasTreat() {
    return treat;
  }

  private void collectName(Token token, int index) {
    boolean attribute = tokens.isSymbol(index - 1, ".");
    if (token.isReserved() && !attribute) {
      if (isValueFunction(token)) {
        calls.put(token.name(), new HashSet<>());
      }
      return;
    }
    if (!tokens.is(index - 1, "at", "time", "zone")) {
      identifiers.add(token.name());
    }
    collectField(token, index, attribute);
    boolean qualified = attribute && tokens.get(index - 2).kind().isName();
    if (columnPlaces == null || !columnPlaces.has(index)) {
      others.add(token.name());
      collectRelation(token, qualified ? tokens.get(index - 2).name() : null, attribute);
    }
    if (tokens.isSymbol(index + 1, "(") && isCall(token, index, attribute)) {
      routines.add(new RoutineName(qualified ? tokens.get(index - 2).name() : null, token.name()));
    }
  }

  private void collectRelation(Token token, @Nullable String schema, boolean attribute) {
    if (schema != null || !attribute) {
      relations.add(relation(schema, token.name()));
    }
  }

  /** The value of a function in FROM is called by the alias or by the name of the function. */
  private void collectField(Token token, int index, boolean attribute) {
    Token owner = tokens.get(index - 2);
    if (attribute && owner.kind().isName()) {
      fieldsByOwner.computeIfAbsent(owner.name(), name -> new HashSet<>()).add(token.name());
    } else if (attribute) {
      fields.add(token.name());
    }
    int before = tokens.is(index - 1, "as") ? index - 2 : index - 1;
    boolean behind = tokens.isSymbol(before, ")");
    boolean alias =
        (behind && !makesRows(closed))
            || tokens.is(before, "ordinality")
            || isValueFunction(tokens.get(before));
    boolean call = !behind && tokens.isSymbol(index + 1, "(");
    if (alias || call) {
      boolean common = call && tokens.is(0, "with") && brackets.isEmpty() && isCommonTable(index);
      Set<String> listed = alias || common ? listedColumns(index) : new HashSet<>();
      calls.merge(token.name(), listed, Names::common);
    }
  }

  private boolean isCommonTable(int name) {
    return tokens.isCommonTable(tokens.afterClosing(name + 1));
  }

  /** Whether what is in the bracket is never a value, but rows whose columns have names. */
  private boolean makesRows(int open) {
    return ROWS.contains(tokens.get(open - 1).name()) || tokens.isQuery(open + 1);
  }

  /** Returns the names in the list of columns behind an alias. */
  private Set<String> listedColumns(int alias) {
    Set<String> listed = new HashSet<>();
    int end = tokens.isSymbol(alias + 1, "(") ? tokens.afterClosing(alias + 1) : alias;
    for (int i = alias + 2; i < end; i++) {
      if (tokens.isSymbol(i - 1, "(") || tokens.isSymbol(i - 1, ",")) {
        listed.add(tokens.get(i).name());
      }
    }
    return listed;
  }

  private static Set<String> common(Set<String> some, Set<String> others) {
    some.retainAll(others);
    return some;
  }

  private void addFields(String call, Set<String> columns) {
    for (String field : fieldsByOwner.getOrDefault(call, Set.of())) {
      if (!columns.contains(field) && !field.equals(call)) {
        fields.add(field);
      }
    }
  }

  /** Whether this is a function that is called without brackets. */
  private static boolean isValueFunction(Token token) {
    return token.kind() == Kind.WORD && Keywords.VALUE_FUNCTIONS.contains(token.name());
  }

  private boolean isCall(Token token, int index, boolean attribute) {
    Token before = tokens.get(index - 1);
    if (attribute || token.kind() != Kind.WORD) {
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

  private void collectOperator(Token token, int index) {
    String symbol = token.text().replace("??", "?");
    Token before = tokens.get(index - 1);
    boolean star =
        symbol.equals("*")
            && !namesOperators
            && (before.kind() == Kind.PUNCTUATION
                || (!tokens.isSymbol(index - 2, ".")
                    && (before.is("select")
                        || before.is("distinct")
                        || before.is("all")
                        || before.is("returning"))))
            && !before.isSymbol(")")
            && !before.isSymbol("]");
    if (!star && !symbol.equals("=>")) {
      operators.add(symbol.equals("!=") ? "<>" : symbol);
    }
  }

  /** Adds the operators and routines that a keyword stands for. */
  private void collectKeyword(Token token, int index) {
    if (token.kind() == Kind.WORD && !tokens.isSymbol(index - 1, ".")) {
      operators.addAll(Keywords.operators(token.name()));
      for (String routine : Keywords.routines(token.name())) {
        if (means(token.name(), index)) {
          routines.add(new RoutineName(null, routine));
        }
      }
      boolean called = tokens.isSymbol(index + 1, "(") && !tokens.is(index - 1, "into");
      treat |= called && token.is("treat");
    }
  }

  private boolean means(String keyword, int index) {
    return switch (keyword) {
      case "at" -> tokens.is(index + 1, "time", "zone") || tokens.is(index + 1, "local");
      case "collation" -> tokens.is(index + 1, "for");
      default -> true;
    };
  }

  /** Returns the last two parts of the dotted name that starts at {@code index}. */
  static RelationName relation(Tokens tokens, int index) {
    int end = tokens.afterName(index);
    String schema = end - index > 1 ? tokens.get(end - 3).name() : null;
    return relation(schema, tokens.get(end - 1).name());
  }

  /**
   * Returns the same name again for most names, so that a thousand statements keep it once. Threads
   * may race: a name that is forgotten takes memory and nothing else.
   */
  private static RelationName relation(@Nullable String schema, String name) {
    RelationName relation = new RelationName(schema, name);
    int hash = relation.hashCode();
    int slot = (hash ^ hash >>> 16) & (KNOWN.length - 1);
    RelationName known = KNOWN[slot];
    if (relation.equals(known)) {
      return known;
    }
    KNOWN[slot] = relation;
    return relation;
  }
}
