package dev.larder.store;

import dev.larder.lexer.StatementShape;
import dev.larder.result.HeapWeight;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a result: statement, literals, bind values, row limit and session. Typed parts,
 * never rendered to text: no two different queries have equal keys. Immutable once {@link
 * #detach}ed; thread-safe then.
 */
public final class QueryKey {
  private final StatementShape shape;
  private final SessionFingerprint session;
  private final @Nullable Object[] literals;
  private final @Nullable Object[] binds;
  private final long options;
  private final int hash;

  /**
   * Creates a key over the caller's arrays, which must not change while it is in use; {@link
   * #detach} makes one that can be kept.
   *
   * @param literals as written
   * @param binds immutable values; those of equal class and content are sent as equal bytes and
   *     types
   * @param options what else of the statement changes the rows or their format, as the row limit
   */
  public QueryKey(
      StatementShape shape,
      SessionFingerprint session,
      @Nullable Object[] literals,
      @Nullable Object[] binds,
      long options) {
    this.shape = shape;
    this.session = session;
    this.literals = literals;
    this.binds = binds;
    this.options = options;
    int h = 31 * shape.hashCode() + session.hashCode();
    h = 31 * h + Arrays.hashCode(literals);
    h = 31 * h + Arrays.hashCode(binds);
    this.hash = 31 * h + Long.hashCode(options);
  }

  private QueryKey(QueryKey same, @Nullable Object[] literals, @Nullable Object[] binds) {
    this.shape = same.shape;
    this.session = same.session;
    this.literals = literals;
    this.binds = binds;
    this.options = same.options;
    this.hash = same.hash;
  }

  /** Returns an equal key that shares no array with the caller. */
  public QueryKey detach() {
    return new QueryKey(this, detached(literals), detached(binds));
  }

  private static @Nullable Object[] detached(@Nullable Object[] values) {
    return values.length == 0 ? values : values.clone();
  }

  /** Returns the statement's shape. */
  public StatementShape shape() {
    return shape;
  }

  /** Returns the session's part. */
  public SessionFingerprint session() {
    return session;
  }

  /** Returns the statement's literals; nobody changes them. */
  public @Nullable Object[] literals() {
    return literals;
  }

  /** Returns the bind values; nobody changes them. */
  public @Nullable Object[] binds() {
    return binds;
  }

  /** Returns what else of the statement changes the rows or their format. */
  public long options() {
    return options;
  }

  /** Returns the bytes on the heap without the shape and the session, which others share. */
  long heapBytes() {
    return HeapWeight.ofObject(4, Long.BYTES + Integer.BYTES)
        + KeyWeight.of(literals)
        + KeyWeight.of(binds);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Mostly they are the very objects.
  public boolean equals(Object other) {
    return this == other
        || (other instanceof QueryKey that
            && hash == that.hash
            && options == that.options
            && (shape == that.shape || shape.equals(that.shape))
            && (session == that.session || session.equals(that.session))
            && (literals == that.literals || same(literals, that.literals))
            && (binds == that.binds || same(binds, that.binds)));
  }

  /** Compares class and content: values of different classes may call each other equal. */
  private static boolean same(@Nullable Object[] left, @Nullable Object[] right) {
    if (left.length != right.length) {
      return false;
    }
    for (int i = 0; i < left.length; i++) {
      Object a = left[i];
      Object b = right[i];
      if (a != b && (a == null || b == null || a.getClass() != b.getClass() || !a.equals(b))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
