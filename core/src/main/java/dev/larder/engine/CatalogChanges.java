package dev.larder.engine;

import dev.larder.catalog.CatalogChange;
import dev.larder.catalog.CatalogVersion;
import dev.larder.store.PendingWrite;
import dev.larder.store.ProtocolStep;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Makes dead what a change of the catalog may touch. Called by one thread at a time. */
record CatalogChanges(Database database) {
  /**
   * Whatever is under way was resolved in the old catalog, and counts as a write of everything now.
   * Queries too: they may run triggers and functions that were not there. A change of single tables
   * concerns their results, and what writes them.
   *
   * @param looksSame whether results that are shared are found under the new catalog, too
   */
  void differs(CatalogChange change, boolean looksSame) {
    TableVersions versions = database.versions();
    boolean everything = change.everything() || database.isHitElsewhere();
    WriteSet touched = everything ? WriteSet.UNKNOWN : tagsOf(change.relations());
    PendingWrite write = versions.announce(touched);
    if (everything) {
      versions.widenPending();
      database.loaders.widenedAll();
    } else {
      widenWritesOf(change.relations(), write);
    }
    database.forgetOutdated();
    versions.publish(write);
    if (looksSame) {
      database.remote().invalidate(touched);
    }
  }

  /** The change itself is as wide as it is. */
  private void widenWritesOf(Set<Long> relations, PendingWrite change) {
    if (ProtocolStep.WIDEN_PENDING.isTaken()) {
      for (PendingWrite write : database.versions().pending()) {
        if (!write.equals(change) && write.writes().touchesAnyOf(relations)) {
          database.versions().widen(write);
        }
      }
    }
  }

  private WriteSet tagsOf(Set<Long> relations) {
    TableVersions versions = database.versions();
    CatalogVersion latest = database.catalog().latest();
    Set<TableTag> tags = new LinkedHashSet<>();
    for (long oid : relations) {
      tags.add(versions.tag(TableTag.Scope.RELATION, oid));
      if (latest != null) {
        tags.addAll(latest.tree().writtenTags(oid, versions));
      }
    }
    return new WriteSet(List.copyOf(tags), false);
  }
}
