package dev.larder.keys;

import dev.larder.lexer.Tokens;
import java.util.Map;
import java.util.Set;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.statement.create.table.ColDataType;
import org.jspecify.annotations.Nullable;

/** A type of the server's that a constant is cast to, with a value that is sure to be kept. */
enum CastType {
  SMALLINT(KeyType.INTEGER, Short.MIN_VALUE, Short.MAX_VALUE),
  INTEGER(KeyType.INTEGER, Integer.MIN_VALUE, Integer.MAX_VALUE),
  BIGINT(KeyType.INTEGER, Long.MIN_VALUE, Long.MAX_VALUE),
  UUID(KeyType.UUID, 0, 0),
  BOOLEAN(KeyType.BOOLEAN, 0, 0),
  TEXT(KeyType.TEXT, 0, 0);

  private static final Map<String, CastType> BY_NAME =
      Map.ofEntries(
          Map.entry("smallint", SMALLINT),
          Map.entry("int2", SMALLINT),
          Map.entry("integer", INTEGER),
          Map.entry("int", INTEGER),
          Map.entry("int4", INTEGER),
          Map.entry("bigint", BIGINT),
          Map.entry("int8", BIGINT),
          Map.entry("uuid", UUID),
          Map.entry("boolean", BOOLEAN),
          Map.entry("bool", BOOLEAN),
          Map.entry("text", TEXT),
          Map.entry("varchar", TEXT),
          Map.entry("character varying", TEXT));

  private static final Set<String> WORDS = Set.of("", "cast");

  final KeyType keyType;
  private final long least;
  private final long most;

  CastType(KeyType keyType, long least, long most) {
    this.keyType = keyType;
    this.least = least;
    this.most = most;
  }

  /** Returns the type that {@code cast} names, or null where it is another. */
  static @Nullable CastType of(CastExpression cast) {
    return of(cast, 0);
  }

  /** Returns the type of whose arrays {@code cast} names that of one dimension, or null. */
  static @Nullable CastType ofElements(CastExpression cast) {
    return of(cast, 1);
  }

  private static @Nullable CastType of(CastExpression cast, int dimensions) {
    ColDataType type = cast.getColDataType();
    boolean plain =
        type != null
            && (type.getArgumentsStringList() == null || type.getArgumentsStringList().isEmpty())
            && (type.getArrayData() == null ? 0 : type.getArrayData().size()) == dimensions
            && type.getCharacterSet() == null
            && cast.getFormat() == null
            && !cast.isImplicitCast()
            && (cast.keyword == null || WORDS.contains(Tokens.fold(cast.keyword)));
    return plain ? BY_NAME.get(Tokens.fold(type.getDataType())) : null;
  }

  /**
   * Returns what the cast makes of a value, in its canonical form; null where it may fail, or where
   * that is not known.
   */
  @Nullable Object value(Object value) {
    Object canonical = keyType.canonical(value);
    return canonical instanceof Long number && (number < least || number > most) ? null : canonical;
  }
}
