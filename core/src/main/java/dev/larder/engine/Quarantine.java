package dev.larder.engine;

import dev.larder.catalog.CatalogVersion;
import dev.larder.result.ResultComparison;
import dev.larder.store.PendingWrite;
import dev.larder.store.RecentWrites;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The tables of one database of which a cache of this JVM has held wrong rows. Until they are
 * released they count as being written all the time, so that nothing that reads them is hit or kept
 * in this JVM, and a hit need not look here. Thread-safe.
 */
public final class Quarantine {
  private final TableVersions versions;
  private final Consumer<WriteSet> written;

  /** By the name of the table; guarded by this. */
  private final Map<String, Held> tables = new TreeMap<>();

  private volatile Set<TableTag> tags = Set.of();

  /**
   * What was seen.
   *
   * @param cache the name of the cache
   * @param query as {@code SHOW larder.queries} shows it
   * @param ageMillis for how long the result had been in memory
   */
  public record Evidence(
      Instant moment, String cache, String query, long ageMillis, ResultComparison comparison) {
    /** Returns the evidence against tables in words. */
    String words(List<String> tables) {
      return ("%s; cache %s, result of %s ms ago with %s rows, differs in %s from the %s of the"
              + " database; columns %s; query %s")
          .formatted(
              String.join(", ", tables),
              cache,
              ageMillis,
              comparison.cachedRows(),
              comparison.unmatchedRows(),
              comparison.databaseRows(),
              comparison.columns(),
              query);
    }
  }

  /** There are several writes if several tables have had the name one after another. */
  private record Held(List<PendingWrite> writes, Evidence evidence) {
    boolean contains(WriteSet rows) {
      return tags().containsAll(rows.tags());
    }

    List<TableTag> tags() {
      return writes.stream().flatMap(write -> write.writes().tags().stream()).toList();
    }
  }

  /**
   * Creates an empty one.
   *
   * @param written is told of rows that all JVMs must read anew
   */
  Quarantine(TableVersions versions, Consumer<WriteSet> written) {
    this.versions = versions;
    this.written = written;
  }

  boolean holds(Collection<TableTag> read) {
    Set<TableTag> held = tags;
    return !held.isEmpty() && read.stream().anyMatch(held::contains);
  }

  /**
   * Puts tables into quarantine; what was kept of them until now is never hit again.
   *
   * @param names {@code schema.table}
   * @return the names of those that were not in it before
   */
  synchronized List<String> isolate(
      Collection<String> names, CatalogVersion catalog, Evidence evidence) {
    List<String> isolated = new ArrayList<>();
    for (String name : names) {
      WriteSet rows = catalog.rowsOf(name, versions);
      Held before = tables.get(name);
      if (rows == null || rows.isEmpty() || rows.unknown()) {
        continue;
      }
      if (before == null || !before.contains(rows)) {
        List<PendingWrite> writes = new ArrayList<>(before == null ? List.of() : before.writes());
        writes.add(versions.withhold(rows.tags()));
        RecentWrites.of(versions).forget(); // They have been wrong for nobody knows how long.
        tables.put(name, new Held(List.copyOf(writes), evidence));
        written.accept(rows);
        isolated.add(name);
      }
    }
    follow();
    return isolated;
  }

  /** Releases all tables, which are read anew then; returns their names. */
  public synchronized List<String> release() {
    List<String> released = List.copyOf(tables.keySet());
    Collection<Held> held = List.copyOf(tables.values());
    tables.clear();
    follow();
    held.forEach(each -> each.writes().forEach(versions::publish));
    return released;
  }

  /** Returns what was seen of the tables in quarantine, by their names. */
  public synchronized Map<String, Evidence> entries() {
    Map<String, Evidence> entries = new TreeMap<>();
    tables.forEach((table, held) -> entries.put(table, held.evidence()));
    return entries;
  }

  private void follow() {
    Set<TableTag> held = new HashSet<>();
    tables.values().forEach(each -> held.addAll(each.tags()));
    tags = Set.copyOf(held);
  }
}
