package dev.larder.keys;

import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A scheme of a table: see {@link SchemeTags}. Immutable. */
public final class KeyScheme {
  /** How many cells a scheme has. */
  public static final int CELLS = 4_096;

  /**
   * Of how values are hashed to cells, which JVMs that share results agree on: to be another one
   * whenever that changes.
   */
  private static final int HASHING = 1;

  private final List<KeyColumn> columns;
  private final boolean unique;

  /** Tells all schemes of its table from others, in every JVM alike. */
  private final long layout;

  /** Its place among them; −1 where it has no table yet. */
  private final int number;

  /** What tells it from other schemes: the columns, and how their values are told apart. */
  private final String identity;

  /**
   * Creates a scheme of no table.
   *
   * @param columns by whose values rows are told apart, all of a {@link KeyType}, in the order of
   *     their numbers
   * @param unique whether no two rows have equal values, at any moment and for any reader
   */
  public KeyScheme(List<KeyColumn> columns, boolean unique) {
    this(columns, unique, 0, -1);
  }

  private KeyScheme(List<KeyColumn> columns, boolean unique, long layout, int number) {
    this.columns = List.copyOf(columns);
    this.unique = unique;
    this.layout = layout;
    this.number = number;
    this.identity = number + " of " + layout + ": " + columnsAndTypes();
  }

  private String columnsAndTypes() {
    return columns.stream()
        .map(column -> column.number() + " " + column.type())
        .collect(Collectors.joining(", "));
  }

  /** Returns {@code schemes}, all of a table, each with its place. */
  static List<KeyScheme> numbered(List<KeyScheme> schemes) {
    String all = schemes.stream().map(KeyScheme::columnsAndTypes).collect(Collectors.joining("; "));
    long layout = digest(HASHING + ": " + all);
    List<KeyScheme> numbered = new ArrayList<>();
    for (KeyScheme scheme : schemes) {
      numbered.add(new KeyScheme(scheme.columns, scheme.unique, layout, numbered.size()));
    }
    return numbered;
  }

  private static long digest(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }

  /** Returns the one of {@code numbered} that {@code scheme} is, or null. */
  static @Nullable KeyScheme among(List<KeyScheme> numbered, @Nullable KeyScheme scheme) {
    return numbered.stream().filter(each -> each.equals(scheme)).findAny().orElse(null);
  }

  /** Returns the columns, in the order of their numbers. */
  public List<KeyColumn> columns() {
    return columns;
  }

  /** Returns whether no two rows have equal values, at any moment and for any reader. */
  public boolean unique() {
    return unique;
  }

  /** Returns the tags of this scheme of {@code table}. */
  SchemeTags tags(TableTag table) {
    return table.scheme(identity, CELLS, layout, number);
  }

  /** Returns the names of the columns, for people. */
  public String name() {
    return String.join(", ", columns.stream().map(KeyColumn::name).toList());
  }

  /** Two schemes of one table are equal if they are the same; the table does not count. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyScheme that && columns.equals(that.columns) && unique == that.unique;
  }

  @Override
  public int hashCode() {
    return columns.hashCode();
  }

  /** Every JVM says the same. */
  @Override
  public String toString() {
    return identity + (unique ? ", unique" : "");
  }
}
