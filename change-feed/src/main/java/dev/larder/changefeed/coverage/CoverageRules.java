package dev.larder.changefeed.coverage;

import dev.larder.changefeed.coverage.PublishedTables.Table;
import dev.larder.feed.Coverage.Gap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which tables a publication tells of. A table is covered if all that is below it is, for
 * whoever reads it reads that too.
 */
final class CoverageRules {
  private final Publication publication;
  private final Map<Long, Table> tables;
  private final Map<Long, List<Table>> below = new HashMap<>();

  /**
   * What was decided.
   *
   * @param marks of the tables that are covered, by name
   * @param gaps why not, of the others
   */
  record Decided(Map<String, Mark> marks, Map<String, Gap> gaps) {}

  /**
   * What a covered table is known again by.
   *
   * @param entries differs once it was not in the publication
   * @param files differs once it was written as a whole, or was unlogged
   */
  record Mark(String entries, String files) {}

  private CoverageRules(Publication publication, Map<Long, Table> tables) {
    this.publication = publication;
    this.tables = tables;
    for (Table table : tables.values()) {
      table
          .parents()
          .forEach(above -> below.computeIfAbsent(above, key -> new ArrayList<>()).add(table));
    }
  }

  static Decided decide(Publication publication, Map<Long, Table> tables) {
    CoverageRules rules = new CoverageRules(publication, tables);
    Map<String, Mark> marks = new TreeMap<>();
    Map<String, Gap> gaps = new TreeMap<>();
    for (Table table : tables.values()) {
      Gap gap = rules.gap(table, new HashSet<>());
      if (gap == null) {
        marks.put(table.name(), rules.mark(table));
      } else {
        gaps.put(table.name(), gap);
      }
    }
    return new Decided(marks, gaps);
  }

  private @Nullable Gap gap(Table table, Set<Long> seen) {
    Gap own = ownGap(table);
    if (own != null || !seen.add(table.oid())) {
      return own;
    }
    for (Table each : below.getOrDefault(table.oid(), List.of())) {
      Gap gap = gap(each, seen);
      if (gap != null) {
        return new Gap("of " + each.name() + " below it: " + gap.because(), gap.cure());
      }
    }
    return null;
  }

  private @Nullable Gap ownGap(Table table) {
    return switch (table.kind()) {
      case "m" -> new Gap("a materialized view: its REFRESH is not in the log", "");
      case "f" -> new Gap("a foreign table: what is written elsewhere is not in the log", "");
      // It has no rows of its own.
      case "p" -> publication.viaRoot() ? viaRoot() : null;
      default -> table.persistence().equals("u") ? unlogged(table) : publicationsGap(table);
    };
  }

  private static Gap unlogged(Table table) {
    return new Gap("unlogged", "ALTER TABLE " + table.quoted() + " SET LOGGED");
  }

  private Gap viaRoot() {
    return new Gap(
        "the publication names the root for its partitions",
        set("publish_via_partition_root = false"));
  }

  private @Nullable Gap publicationsGap(Table table) {
    if (!publication.left().isEmpty()) {
      return new Gap(
          "the publication leaves out " + String.join(", ", publication.left()),
          set("publish = 'insert, update, delete, truncate'"));
    }
    if (publication.viaRoot() && !table.parents().isEmpty()) {
      return viaRoot();
    }
    if (!table.published()) {
      return new Gap("not in the publication " + publication.name(), addition(table));
    }
    if (table.filtered() || table.narrowed()) {
      return new Gap(
          "the publication leaves out some of its " + (table.filtered() ? "rows" : "columns"),
          alter("DROP", table) + "; " + alter("ADD", table));
    }
    return null;
  }

  /** Names the root of partitions, so that it tells of later ones, too. No write begins to fail. */
  private String addition(Table table) {
    Table root = root(table);
    Set<Long> added = new HashSet<>(Set.of(root.oid()));
    below(root, added);
    Stream<String> identities =
        added.stream()
            .map(tables::get)
            .filter(Objects::nonNull)
            .filter(Table::wouldFail)
            .map(Table::identityInFull)
            .sorted();
    return Stream.concat(identities, Stream.of(alter("ADD", root)))
        .collect(Collectors.joining("; "));
  }

  private Table root(Table table) {
    Table above = table.parents().size() == 1 ? tables.get(table.parents().get(0)) : null;
    return above != null && above.kind().equals("p") ? root(above) : table;
  }

  private String set(String option) {
    return "ALTER PUBLICATION " + publication.quoted() + " SET (" + option + ")";
  }

  private String alter(String verb, Table table) {
    return "ALTER PUBLICATION " + publication.quoted() + " " + verb + " TABLE " + table.quoted();
  }

  /** Of a table and all above it, by which it may be in the publication, and all below it. */
  private Mark mark(Table table) {
    Set<Long> related = new HashSet<>();
    above(table, related);
    below(table, related);
    List<String> entries = new ArrayList<>(List.of(publication.mark()));
    List<String> files = new ArrayList<>();
    for (long oid : new TreeSet<>(related)) {
      Table each = Objects.requireNonNull(tables.get(oid));
      entries.add(oid + ":" + each.mark());
      files.add(each.file());
    }
    return new Mark(String.join(" ", entries), String.join(" ", files));
  }

  private void above(Table table, Set<Long> found) {
    if (found.add(table.oid())) {
      for (long parent : table.parents()) {
        Table known = tables.get(parent);
        if (known != null) {
          above(known, found);
        }
      }
    }
  }

  private void below(Table table, Set<Long> found) {
    for (Table each : below.getOrDefault(table.oid(), List.of())) {
      if (found.add(each.oid())) {
        below(each, found);
      }
    }
  }
}
