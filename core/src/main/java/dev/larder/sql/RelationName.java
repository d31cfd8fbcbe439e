package dev.larder.sql;

import org.jspecify.annotations.Nullable;

/**
 * The name of a relation as written, after PostgreSQL's folding: unquoted identifiers in lower
 * case, quoted ones as they stand without their quotes.
 *
 * @param schema the qualifier, or null where the search path decides
 * @param name the relation's own name
 */
public record RelationName(@Nullable String schema, String name) {
  /** Reads a name as it is written in SQL, {@code orders} or {@code "Shop"."Order"}; or null. */
  public static @Nullable RelationName parse(String text) {
    Tokens tokens = Tokens.of(new StatementShape(text, LexOptions.STATEMENT, QueryHints.NONE));
    boolean qualified = tokens.size() == 3 && tokens.isSymbol(1, ".");
    boolean names = tokens.get(0).kind().isName() && tokens.get(tokens.size() - 1).kind().isName();
    return names && (qualified || tokens.size() == 1) ? tokens.relation(0) : null;
  }

  @Override
  public String toString() {
    return schema == null ? name : schema + '.' + name;
  }
}
