package dev.larder.code;

import static dev.larder.code.BuiltinRoutines.words;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Proves of a trigger function in PL/pgSQL that it changes nothing but the row at hand: assignments
 * to fields of NEW and to local variables, IF, RAISE, NULL and RETURN, over expressions that call
 * well-known functions of the server only. Strict: refuses whatever it does not know. Thread-safe.
 */
public final class TriggerBody {
  private static final Set<String> CALLABLE =
      words(
          "abs btrim ceil ceiling char_length clock_timestamp coalesce concat concat_ws "
              + "currval current_setting date_part date_trunc floor format gen_random_uuid "
              + "greatest initcap jsonb_build_object least left length lower lpad ltrim md5 "
              + "nextval now nullif position random regexp_replace replace right round row rpad "
              + "rtrim setweight split_part statement_timestamp substr substring timezone to_char "
              + "to_jsonb to_tsvector transaction_timestamp trim upper uuidv4 uuidv7");

  private static final Set<String> BEFORE_PARENTHESIS =
      words("and or not in if elsif then else when case return");

  private static final Set<String> TYPES =
      words(
          "bigint bool boolean char date decimal double int int4 int8 integer interval json "
              + "jsonb numeric precision real smallint text time timestamp timestamptz tsvector "
              + "uuid varchar");

  private static final Set<String> REFUSED =
      words(
          "select insert update delete merge truncate with execute perform call into values "
              + "table copy lock alter create drop do for foreach while loop exception open fetch "
              + "close move get commit rollback declare begin query operator collate array notify "
              + "set");

  /** What may stand before a constant without being its type. */
  private static final Set<String> BEFORE_TEXT =
      words(
          "and between case distinct else escape exception from ilike in is like not or similar "
              + "sqlstate then to when zone");

  /** The operators behind keywords. */
  private static final Map<String, Set<String>> OPERATORS =
      Map.of(
          "like", words("~~ !~~"),
          "ilike", words("~~* !~~*"),
          "similar", words("~ !~"),
          "between", words(">= <= > <"),
          "in", words("= <>"),
          "distinct", words("= <>"),
          "case", words("="),
          "nullif", words("="),
          "overlaps", words("< > = <= >="));

  /** The first words of statements, and of parts of IF. */
  private static final Set<String> STATEMENTS = words("null return raise if elsif else end");

  private static final Set<String> RAISE_LEVELS = words("debug log info notice warning exception");

  private final Set<String> userRoutines;
  private final Set<String> vetted;
  private final Set<String> userOperators;
  private final Set<String> userTypes;

  TriggerBody(
      Set<String> userRoutines,
      Set<String> vetted,
      Set<String> userOperators,
      Set<String> userTypes) {
    this.userRoutines = userRoutines;
    this.vetted = vetted;
    this.userOperators = userOperators;
    this.userTypes = userTypes;
  }

  /**
   * Creates a checker for a database with these routines, operators and types of users: nothing
   * called like them counts as the server's own.
   *
   * @param hasEffects whether a call of a user's routine does more than return a value
   * @param userOperators the symbols of operators; those whose function is IMMUTABLE can be left
   *     out
   */
  public static TriggerBody in(
      List<RoutineRow> routines,
      Predicate<RoutineRow> hasEffects,
      Set<String> userOperators,
      Set<String> userTypes) {
    Set<String> users = new HashSet<>();
    Set<String> doubtful = new HashSet<>();
    for (RoutineRow row : routines) {
      if (row.users()) {
        users.add(row.name());
      }
      // What makes a row of values runs the checks of its domains.
      boolean writesNothing =
          row.users()
              ? row.language().equals("c")
                  && KnownLibraries.writesNothing(row.library())
                  && !row.name().contains("record")
                  && !hasEffects.test(row)
              : CALLABLE.contains(row.name());
      if (!writesNothing) {
        doubtful.add(row.name());
      }
    }
    Set<String> vetted = new HashSet<>(users);
    vetted.removeAll(doubtful);
    return new TriggerBody(users, vetted, userOperators, userTypes);
  }

  /** Returns whether {@code body} is proven to change the row at hand only. */
  public boolean changesRowOnly(String body) {
    try {
      List<String> tokens = TriggerTokens.of(body);
      return tokens != null && new Reader(tokens).block();
    } catch (StackOverflowError e) {
      return false;
    }
  }

  /** Reads the statements of one body. */
  private final class Reader {
    private final List<String> tokens;
    private int at;

    Reader(List<String> tokens) {
      this.tokens = tokens;
    }

    private String peek() {
      return at < tokens.size() ? tokens.get(at) : "";
    }

    private boolean take(String token) {
      if (peek().equals(token)) {
        at++;
        return true;
      }
      return false;
    }

    /** Reads all. That blocks are nested rightly the server has seen to. */
    boolean block() {
      boolean proven = true;
      if (take("declare")) {
        while (proven && !peek().equals("begin")) {
          proven = declaration();
        }
      }
      proven &= take("begin");
      while (proven && !isLast()) {
        proven = statement();
      }
      return proven;
    }

    private boolean isLast() {
      List<String> rest = tokens.subList(at, tokens.size());
      return rest.equals(List.of("end")) || rest.equals(List.of("end", ";"));
    }

    private boolean declaration() {
      if (!isWord(peek()) || REFUSED.contains(peek())) {
        return false;
      }
      at++;
      return isType(peek()) && !next().equals(".") && !next().equals("%") && expression(";");
    }

    private boolean statement() {
      String first = peek();
      if (!STATEMENTS.contains(first)) {
        return assignment();
      }
      at++;
      return switch (first) {
        case "null" -> take(";");
        case "return" -> (take("new") || take("old") || take("null")) && take(";");
        case "raise" -> {
          at += RAISE_LEVELS.contains(peek()) ? 1 : 0;
          yield expression(";");
        }
        case "if", "elsif" -> expression("then");
        case "end" -> take("if") && take(";");
        default -> true; // ELSE
      };
    }

    private boolean assignment() {
      if (!isWord(peek()) || REFUSED.contains(peek())) {
        return false;
      }
      at++;
      if (take(".")) {
        if (!isWord(peek())) {
          return false;
        }
        at++;
      }
      return (take(":=") || take("=")) && expression(";");
    }

    /** Reads up to and including {@code end}; an empty expression is refused by the server. */
    private boolean expression(String end) {
      String before = "";
      while (at < tokens.size() && !peek().equals(end)) {
        String token = peek();
        if (token.equals(";") || !allowed(before, token)) {
          return false;
        }
        before = token;
        at++;
      }
      return take(end);
    }

    private boolean allowed(String before, String token) {
      if (before.equals("::")) {
        return isType(token);
      }
      if (token.equals("'") && isWord(before)) {
        return isType(before) || BEFORE_TEXT.contains(before);
      }
      if (before.equals(".") && !token.equals("*")) {
        return isWord(token) && !mayCall(token) && !next().equals("(");
      }
      if (token.equals("from")) {
        return before.equals("distinct");
      }
      if (isWord(token) && next().equals("(")) {
        boolean own =
            !userRoutines.contains(token)
                && isBuiltinOperator(token)
                && (BEFORE_PARENTHESIS.contains(token)
                    || isType(token)
                    || CALLABLE.contains(token));
        return own || isVetted(token);
      }
      return !REFUSED.contains(token) && !userOperators.contains(token) && isBuiltinOperator(token);
    }

    /** Whether what stands behind a dot may be a call or a cast. */
    private boolean mayCall(String token) {
      return userRoutines.contains(token)
          || userTypes.contains(token)
          || BuiltinRoutines.RUN_QUERIES.contains(token);
    }

    private boolean isVetted(String token) {
      return vetted.contains(token)
          && !REFUSED.contains(token)
          && !BEFORE_PARENTHESIS.contains(token)
          && !OPERATORS.containsKey(token);
    }

    private boolean isBuiltinOperator(String keyword) {
      return OPERATORS.getOrDefault(keyword, Set.of()).stream().noneMatch(userOperators::contains);
    }

    private boolean isType(String name) {
      return TYPES.contains(name) && !userTypes.contains(name);
    }

    private String next() {
      return at + 1 < tokens.size() ? tokens.get(at + 1) : "";
    }
  }

  private static boolean isWord(String token) {
    return !token.isEmpty() && (Character.isLetter(token.charAt(0)) || token.charAt(0) == '_');
  }
}
