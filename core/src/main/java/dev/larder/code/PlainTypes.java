package dev.larder.code;

import dev.larder.lexer.Tokens;
import java.util.Set;

/** Types into which a routine may turn a value without a look at the clock. */
final class PlainTypes {
  /** As they may be declared in a body. */
  private static final Set<String> NAMES =
      Set.of(
          "bigint",
          "bool",
          "boolean",
          "int",
          "int2",
          "int4",
          "int8",
          "integer",
          "json",
          "jsonb",
          "numeric",
          "record",
          "smallint",
          "text",
          "uuid",
          "varchar");

  /** The same, record and void included, and their arrays, by number. */
  private static final Set<Long> ALL =
      Set.of(
          16L, 20L, 21L, 23L, 25L, 114L, 1043L, 1700L, 2249L, 2278L, 2950L, 3802L, 199L, 1000L,
          1005L, 1007L, 1009L, 1015L, 1016L, 1231L, 2951L, 3807L);

  /** Bytes, floating-point numbers, dates, timestamps and intervals, and their arrays. */
  private static final Set<Long> OF_QUERIES =
      Set.of(
          17L, 700L, 701L, 1082L, 1114L, 1184L, 1186L, 1001L, 1021L, 1022L, 1182L, 1115L, 1185L,
          1187L);

  private PlainTypes() {}

  /** Returns whether a declaration, behind the name, is that of a variable of such a type. */
  static boolean isOne(Tokens tokens, int from, int end) {
    int type = tokens.is(from, "constant") ? from + 1 : from;
    if (type >= end
        || !tokens.get(type).kind().isName()
        || !NAMES.contains(tokens.get(type).name())) {
      return false;
    }
    int after = tokens.isSymbol(type + 1, "(") ? tokens.afterClosing(type + 1) : type + 1;
    return after == end
        || tokens.isSymbol(after, "[")
        || tokens.isSymbol(after, ":=")
        || tokens.isSymbol(after, "=")
        || tokens.is(after, "default")
        || tokens.is(after, "not");
  }

  /**
   * Returns whether all types that a routine takes and returns are such.
   *
   * @param query whether nothing but the constants of a query become values of them
   */
  static boolean areAll(Set<Long> types, boolean query) {
    return types.stream()
        .allMatch(type -> ALL.contains(type) || (query && OF_QUERIES.contains(type)));
  }
}
