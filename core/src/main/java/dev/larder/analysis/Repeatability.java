package dev.larder.analysis;

import dev.larder.lexer.StatementShape;
import dev.larder.lexer.Token;
import dev.larder.lexer.Tokens;
import java.util.Set;

/**
 * How far two answers to a query may differ although no row was written in between, besides in the
 * order of their rows: what a server may choose anew each time it runs the query. In the order of
 * what they allow.
 */
public enum Repeatability {
  /** Not at all. */
  EXACT,
  /**
   * In values: sums of floating-point numbers depend on the order in which they are added, and of
   * values that are equal but not the same (1.0 and 1.00) DISTINCT, GROUP BY and their like keep
   * one. Nothing else follows from these values.
   */
  VALUES,
  /**
   * As {@link #VALUES}, and in texts, too, of which a collation may say that they are equal though
   * they are not the same.
   */
  TEXTS,
  /**
   * In everything: LIMIT, windows and what collects values in an order may choose their rows, and
   * what is computed from values that may differ may be anything.
   */
  NONE;

  private static final Set<String> CHOOSING_WORDS = Set.of("limit", "offset", "fetch", "over");

  private static final Set<String> CHOOSING_ROUTINES =
      Set.of(
          ("any_value array_agg json_agg json_agg_strict json_array json_arrayagg"
                  + " json_object_agg json_object_agg_strict json_object_agg_unique"
                  + " json_object_agg_unique_strict json_objectagg jsonb_agg jsonb_agg_strict"
                  + " jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique"
                  + " jsonb_object_agg_unique_strict mode string_agg xmlagg")
              .split(" "));

  /** Words that decide by values which rows there are. */
  private static final Set<String> COMPARING_WORDS =
      Set.of("distinct", "except", "intersect", "union");

  private static final Set<String> ROUNDING_ROUTINES =
      Set.of(
          ("avg corr covar_pop covar_samp max min percentile_cont percentile_disc"
                  + " range_agg range_intersect_agg regr_avgx regr_avgy regr_intercept regr_r2"
                  + " regr_slope regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp sum"
                  + " var_pop var_samp variance")
              .split(" "));

  /** Words that compute a value without a symbol. */
  private static final Set<String> COMPUTING_WORDS =
      Set.of("and", "between", "case", "ilike", "in", "is", "like", "not", "or", "similar");

  /** Words before a SELECT that is no part of another. */
  private static final Set<String> BETWEEN_SELECTS = Set.of("all", "except", "intersect", "union");

  /**
   * Returns what the text of a query allows; it may err on the side of too much.
   *
   * @param looseTexts whether there is a collation by which texts may be equal that are not the
   *     same
   */
  public static Repeatability of(StatementShape query, boolean looseTexts) {
    Tokens tokens = Tokens.of(query);
    Repeatability least = EXACT;
    boolean rounds = false;
    boolean compares = false;
    int groupings = 0;
    for (int i = 0; i < tokens.size() && least != NONE; i++) {
      Token token = tokens.get(i);
      least = least.and(of(tokens, i));
      boolean comparing = token.kind().isName() && COMPARING_WORDS.contains(token.name());
      rounds |= ROUNDING_ROUTINES.contains(token.name());
      compares |= comparing;
      groupings += comparing || isGroup(token) ? 1 : 0;
    }
    if (least != VALUES) {
      return least;
    }
    // Of texts that one collation takes for equal, another may make rows of their own.
    boolean chosenAgain = looseTexts && groupings > 1;
    if ((rounds && compares) || chosenAgain || derives(tokens)) {
      return NONE;
    }
    return looseTexts ? TEXTS : VALUES;
  }

  /** Returns whether rows, or other values, may follow from values that may differ. */
  private static boolean derives(Tokens tokens) {
    return !tokens.is(0, "select")
        || tokens.any(i -> tokens.is(i, "having") || isDeriving(tokens, i));
  }

  /** Returns whether a SELECT begins there that is part of another, or computes something. */
  private static boolean isDeriving(Tokens tokens, int index) {
    boolean whole = index == 0 || BETWEEN_SELECTS.contains(tokens.get(index - 1).name());
    return tokens.is(index, "select") && !(whole && isPlainList(tokens, index + 1));
  }

  /** Returns whether a list of columns and aggregates, up to FROM, computes nothing from them. */
  private static boolean isPlainList(Tokens tokens, int start) {
    int i = start;
    while (i < tokens.size() && !tokens.is(i, "from")) {
      Token token = tokens.get(i);
      boolean call = tokens.isSymbol(i + 1, "(");
      boolean plain =
          call
              ? token.is("count") || token.is("filter") || ROUNDING_ROUTINES.contains(token.name())
              : (token.kind().isName() && !COMPUTING_WORDS.contains(token.name()))
                  || token.isValue()
                  || token.isSymbol(",")
                  || token.isSymbol(".")
                  || isStar(tokens, i);
      if (!plain) {
        return false;
      }
      i = call ? tokens.afterClosing(i + 1) : i + 1;
    }
    return true;
  }

  /** Returns whether all columns are meant, and nothing is multiplied. */
  private static boolean isStar(Tokens tokens, int index) {
    Token before = tokens.get(index - 1);
    boolean first = before.isReserved() || before.isSymbol(",") || before.isSymbol(".");
    return first && tokens.isSymbol(index, "*");
  }

  private static Repeatability of(Tokens tokens, int index) {
    Token token = tokens.get(index);
    if (!token.kind().isName()) {
      return EXACT;
    }
    boolean orderedArray = token.is("array") && tokens.isSymbol(index + 1, "(");
    boolean chosenDistinct = token.is("distinct") && tokens.get(index + 1).is("on");
    if (orderedArray || chosenDistinct || CHOOSING_WORDS.contains(token.name())) {
      return NONE;
    }
    boolean groups = COMPARING_WORDS.contains(token.name()) || isGroup(token);
    return groups ? VALUES : ofRoutine(token.name());
  }

  private static boolean isGroup(Token token) {
    return token.kind().isName() && token.name().equals("group");
  }

  /** Returns what a call of a routine that PostgreSQL brings along allows. */
  public static Repeatability ofRoutine(String name) {
    if (CHOOSING_ROUTINES.contains(name)) {
      return NONE;
    }
    return ROUNDING_ROUTINES.contains(name) ? VALUES : EXACT;
  }

  /** Returns what a query allows that consists of parts that allow this and {@code other}. */
  public Repeatability and(Repeatability other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
