package dev.larder.keys;

import dev.larder.keys.ReadPattern.Derived;
import dev.larder.keys.ReadPattern.OfTable;
import dev.larder.keys.ReadPattern.Shown;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a query depends on of one table, in words for its user: as far as the text tells, for values
 * that Larder can read. Immutable.
 *
 * @param table schema and name
 * @param words such as {@code public.product by id, that row alone}
 * @param whole whether on all of its rows
 * @param because why it depends on more than some rows alone, and what to do about it; or null
 */
public record Dependence(String table, String words, boolean whole, @Nullable String because) {
  /** Returns one for each of {@code tables}, schema and name, in their order. */
  public static List<Dependence> of(ReadPattern reads, Collection<String> tables) {
    return tables.stream().map(table -> of(reads, table)).toList();
  }

  /** Returns this without a reason, for where nobody asked for less. */
  public Dependence unexplained() {
    return new Dependence(table, words, whole, null);
  }

  private static Dependence of(ReadPattern reads, String table) {
    Wide wide = null;
    for (Wide each : reads.wide()) {
      wide = each.table().equals(table) || each.table().isEmpty() ? each : wide;
    }
    boolean shows = wide == null || wide.reason() != Wide.Reason.NOT_SELECTED;
    String because = wide == null ? null : wide.words();
    for (OfTable one : reads.tables()) {
      if (one.table().name().equals(table)) {
        String by = table + " by " + schemes(one);
        String alone = one.isFound() ? found(one) : ", the rows listed alone";
        return one.shown() == Shown.NOTHING || !shows
            ? new Dependence(table, by, false, because)
            : new Dependence(table, by + alone, false, null);
      }
    }
    for (Derived one : reads.derived()) {
      if (one.table().name().equals(table) && shows) {
        String by = table + " by " + one.scheme().name() + ", the rows joined alone";
        return new Dependence(table, by, false, null);
      }
    }
    return new Dependence(table, table + uses(reads, table), true, because);
  }

  private static String uses(ReadPattern reads, String table) {
    for (ColumnUse one : reads.columns()) {
      if (one.table().name().equals(table)) {
        return one.columns().isEmpty() ? " by which rows it has" : " by its columns " + one.names();
      }
    }
    return " as a whole";
  }

  private static String found(OfTable one) {
    return one.mentions().get(0).isOfOneValue() ? ", that row alone" : ", those rows alone";
  }

  private static String schemes(OfTable one) {
    return one.mentions().stream()
        .map(each -> each.scheme().name())
        .distinct()
        .collect(Collectors.joining(" and "));
  }
}
