package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Names;
import dev.larder.store.TableTag;
import dev.larder.store.Tag;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions that a query depends on: the catalog's, which comes first, that of everything, and
 * those of what it reads. Immutable.
 *
 * @param names what they are called on the version server
 * @param tables what the third and later ones stand for
 */
public record VersionKeys(List<String> names, List<TableTag> tables) {
  private static final int BEFORE_TABLES = 2;

  public VersionKeys {
    names = List.copyOf(names);
    tables = List.copyOf(tables);
  }

  /** Returns the versions of {@code tags}, by their names: the order of tags differs by JVM. */
  static VersionKeys of(Names names, List<TableTag> tags) {
    List<TableTag> sorted = new ArrayList<>(tags);
    sorted.sort(Comparator.comparing(names::ofVersion));
    List<String> keys = new ArrayList<>();
    keys.add(names.ofCatalog());
    keys.add(names.ofEverything());
    sorted.forEach(tag -> keys.add(names.ofVersion(tag)));
    return new VersionKeys(keys, sorted);
  }

  /**
   * Returns what a result depends on of each version; null where on nothing but that it is there.
   *
   * @param tags what the result depends on
   */
  public List<@Nullable Need> needs(Collection<? extends Tag> tags) {
    List<@Nullable Need> needs = new ArrayList<>(names.size());
    for (int i = 0; i < BEFORE_TABLES; i++) {
      needs.add(Need.WHOLE);
    }
    for (TableTag table : tables) {
      needs.add(Need.read(table, tags));
    }
    return needs;
  }
}
