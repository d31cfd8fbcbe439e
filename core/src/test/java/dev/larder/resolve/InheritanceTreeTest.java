package dev.larder.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogBuilder;
import dev.larder.catalog.CatalogRow;
import dev.larder.catalog.CatalogVersion;
import dev.larder.sql.RelationName;
import dev.larder.sql.SqlAnalysis;
import dev.larder.sql.StatementFacts;
import dev.larder.sql.StatementKind;
import dev.larder.sql.WriteEvent;
import dev.larder.sql.WriteTarget;
import dev.larder.store.PendingWrite;
import dev.larder.store.TableVersions;
import dev.larder.store.VersionVector;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tags of partition trees: what a write reaches, and how few tags it takes. */
class InheritanceTreeTest {
  private final TableVersions versions = new TableVersions();
  private final CatalogBuilder rows = new CatalogBuilder();
  private long nextOid = 20_000;

  private long table(String name, char kind, long... parents) {
    long oid = nextOid++;
    rows.add(new CatalogRow.Table(oid, "public", name, kind, false, ""));
    for (long parent : parents) {
      rows.add(new CatalogRow.Parent(oid, parent));
    }
    return oid;
  }

  private static StatementFacts facts(StatementKind kind, String table, WriteTarget... targets) {
    return new StatementFacts(
        kind,
        null,
        null,
        Set.of(new RelationName(null, table)),
        Set.of(),
        List.of(targets),
        false,
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        false,
        null,
        List.of());
  }

  private ResolvedStatement resolve(CatalogVersion catalog, StatementFacts facts) {
    return new StatementResolver(
            new Scope(
                catalog, List.of("pg_catalog", "public"), Set.of(), Declarations.NONE, versions))
        .resolve(new SqlAnalysis(List.of(facts)));
  }

  private ResolvedStatement read(CatalogVersion catalog, String table) {
    return resolve(catalog, facts(StatementKind.QUERY, table));
  }

  private ResolvedStatement write(CatalogVersion catalog, String table) {
    WriteTarget target =
        new WriteTarget(new RelationName(null, table), Set.of(WriteEvent.INSERT), false, null);
    return resolve(catalog, facts(StatementKind.DML, table, target));
  }

  /** Whether a write to {@code written} ends the life of an entry that read {@code read}. */
  private boolean reaches(CatalogVersion catalog, String written, String read) {
    VersionVector before = versions.capture(read(catalog, read).readTags());
    PendingWrite pending = versions.announce(write(catalog, written).writes());
    boolean reached = versions.capture(read(catalog, read).readTags()) == null;
    versions.publish(pending);
    VersionVector after = versions.capture(read(catalog, read).readTags());
    assertThat(before).isNotNull();
    assertThat(after).isNotNull();
    return reached;
  }

  @Test
  void writeReachesItsOwnBranchOfThreeLevels() {
    long root = table("root", 'p');
    long north = table("north", 'p', root);
    long south = table("south", 'p', root);
    table("north_1", 'r', north);
    table("north_2", 'r', north);
    table("south_1", 'r', south);
    table("elsewhere", 'r');
    CatalogVersion catalog = rows.build("");

    assertReaches(catalog, "root", "root", "north", "south", "north_1", "north_2", "south_1");
    assertReaches(catalog, "north", "root", "north", "north_1", "north_2");
    assertReaches(catalog, "north_1", "root", "north", "north_1");
    assertReaches(catalog, "south_1", "root", "south", "south_1");
    assertReaches(catalog, "elsewhere", "elsewhere");
  }

  @Test
  void writeReachesEveryParentOfWhatIsBelow() {
    long left = table("left_parent", 'r');
    long right = table("right_parent", 'r');
    long shared = table("shared", 'r', left, right);
    table("lowest", 'r', shared);
    table("only_left", 'r', left);
    CatalogVersion catalog = rows.build("");

    assertReaches(
        catalog, "left_parent", "left_parent", "right_parent", "shared", "lowest", "only_left");
    assertReaches(catalog, "right_parent", "left_parent", "right_parent", "shared", "lowest");
    assertReaches(catalog, "lowest", "left_parent", "right_parent", "shared", "lowest");
    assertReaches(catalog, "only_left", "left_parent", "only_left");
  }

  private void assertReaches(CatalogVersion catalog, String written, String... reached) {
    List<String> all =
        List.of(
            "root",
            "north",
            "south",
            "north_1",
            "north_2",
            "south_1",
            "elsewhere",
            "left_parent",
            "right_parent",
            "shared",
            "lowest",
            "only_left");
    List<String> found =
        all.stream()
            .filter(name -> catalog.relation("public", name) != null)
            .filter(name -> reaches(catalog, written, name))
            .toList();
    assertThat(found).as("reached by a write to %s", written).containsExactlyInAnyOrder(reached);
  }

  @Test
  void tenYearsOfDailyPartitionsTakeFewTags() {
    long days = table("days", 'p');
    for (int i = 0; i < 3_650; i++) {
      table("day_" + i, 'r', days);
    }
    CatalogVersion catalog = rows.build("");

    assertThat(read(catalog, "days").readTags()).hasSize(1);
    assertThat(read(catalog, "day_7").readTags()).hasSize(2);
    assertThat(write(catalog, "days").writes().tags()).hasSize(2);
    assertThat(write(catalog, "day_7").writes().tags()).hasSize(2);
    long start = System.nanoTime();
    for (int i = 0; i < 1_000; i++) {
      read(catalog, "days");
      write(catalog, "days");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
  }

  @Test
  void partitionsThatThePlannerMayLeaveOutAreNotLocked() {
    long days = table("days", 'p');
    table("day_1", 'r', days);
    long parent = table("parent", 'r');
    table("child", 'r', parent);
    CatalogVersion catalog = rows.build("");

    ResolvedStatement partitioned = read(catalog, "days");
    assertThat(partitioned.locks()).containsExactly(days);
    assertThat(partitioned.relations()).containsExactlyInAnyOrder(days, -days);
    ResolvedStatement inherited = read(catalog, "parent");
    assertThat(inherited.locks()).isEqualTo(inherited.relations()).contains(-parent);
  }

  @Test
  void foreignTableBelowForbidsCaching() {
    long days = table("days", 'p');
    table("day_1", 'f', days);
    CatalogVersion catalog = rows.build("");

    assertThat(read(catalog, "days").bypass())
        .isEqualTo(dev.larder.bypass.BypassReason.UNSUPPORTED_RELATION);
  }

  @Test
  void keysOfPartitionsCascade() {
    long days = table("days", 'p');
    long day = table("day_1", 'r', days);
    long child = table("child", 'r');
    rows.add(new CatalogRow.ForeignKey(child, day, 'c', 'a', false, Set.of()));
    CatalogVersion catalog = rows.build("");
    WriteTarget target =
        new WriteTarget(new RelationName(null, "days"), Set.of(WriteEvent.DELETE), false, null);

    ResolvedStatement write = resolve(catalog, facts(StatementKind.DML, "days", target));

    assertThat(write.tables()).contains("public.child");
  }
}
