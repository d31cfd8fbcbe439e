package dev.larder.engine;

import dev.larder.log.CacheLog;
import dev.larder.store.PendingWrite;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The same database in other class loaders of this JVM: they are told of each write as the database
 * of this one is, between the same two moments, so that {@code larder.writers=this-jvm} means the
 * JVM. Tables are told as a whole, because the finer tags are objects of one loader. Thread-safe.
 *
 * <p>An announce carries the tables, {@code RELATION:16384}, or null for everything; it is answered
 * by what takes {@code widen} and {@code publish}. A new one adds itself to the list and then asks
 * for what is under way; a write is under way before the list is read. So one of the two sees the
 * other.
 */
final class OtherLoaders {
  /** DDL has passed. */
  static final String CATALOG = "catalog";

  /** The server has read its configuration again. */
  static final String CONFIGURATION = "configuration";

  /** What is outdated is not to be used all the same. */
  static final String OUTDATED = "outdated";

  /** The database is in use elsewhere from now on. */
  static final String JOINED = "joined";

  private static final String ANNOUNCE = "announce";
  private static final String PUBLISH = "publish";
  private static final String PUBLISH_DDL = "publish ddl";
  private static final String WIDEN = "widen";

  private final TableVersions versions;
  private final Consumer<String> heard;
  private final DatabaseIdentity identity;
  private final List<WeakReference<Function<Object[], Object>>> list;

  /** The list refers to it weakly. */
  private final Function<Object[], Object> own = this::said;

  private final Map<PendingWrite, List<Consumer<String>>> told = new ConcurrentHashMap<>();

  /**
   * Joins the others.
   *
   * @param heard is told what else has happened through others
   */
  OtherLoaders(DatabaseIdentity identity, TableVersions versions, Consumer<String> heard) {
    this.identity = identity;
    this.versions = versions;
    this.heard = heard;
    this.list = JvmRegistry.of(identity.toString());
  }

  /** Has the others tell of their writes from now on, those under way included. */
  void join() {
    list.removeIf(each -> each.get() == null);
    list.add(new WeakReference<>(own));
    others(list).forEach(each -> say(each, JOINED, own));
  }

  /** Returns the name of all of this JVM together. */
  static String group() {
    return "larder-jvm-" + JvmRegistry.id();
  }

  // ---- what happens here

  /**
   * Tells the others of a write that was announced here.
   *
   * @param everywhere whether it may concern each database of the server
   */
  void announced(PendingWrite write, boolean everywhere) {
    WriteSet writes = write.writes();
    if (everywhere) {
      String server = identity.isUnknown() ? "" : identity.systemIdentifier() + '/';
      others(JvmRegistry.all(server)).forEach(each -> announce(each, write, null));
    } else if (list.size() > 1 && !writes.isEmpty()) {
      String[] tables = writes.unknown() ? null : tablesOf(writes);
      others(list).forEach(each -> announce(each, write, tables));
    }
  }

  /** Tells the others that a write may be one of everything. */
  void widened(PendingWrite write) {
    if (list.size() > 1) {
      told.getOrDefault(write, List.of()).forEach(each -> end(each, WIDEN));
      if (write.writes().isEmpty()) {
        others(list).forEach(each -> announce(each, write, null));
      }
    }
  }

  /** Tells the others that whatever is under way may be a write of everything. */
  void widenedAll() {
    if (list.size() > 1) {
      versions.pending().forEach(this::widened);
    }
  }

  /** Tells the others that a write has ended. */
  void published(PendingWrite write) {
    List<Consumer<String>> others = told.isEmpty() ? null : told.remove(write);
    if (others != null) {
      String ending = write.writes().everywhere() ? PUBLISH_DDL : PUBLISH;
      others.forEach(each -> end(each, ending));
    }
  }

  /** Returns whether the database may be in use in another class loader. */
  boolean areThere() {
    return list.size() > 1;
  }

  /** Tells the others something. */
  void say(String words) {
    if (list.size() > 1) {
      others(list).forEach(each -> say(each, words, null));
    }
  }

  private void announce(
      Function<Object[], Object> other, PendingWrite write, String @Nullable [] tables) {
    if (say(other, ANNOUNCE, tables) instanceof Consumer<?> answer) {
      @SuppressWarnings("unchecked")
      Consumer<String> ending = (Consumer<String>) answer;
      told.merge(write, List.of(ending), OtherLoaders::both);
      if (write.ended()) {
        published(write); // Meanwhile, by another thread.
      }
    }
  }

  private static List<Consumer<String>> both(
      List<Consumer<String>> some, List<Consumer<String>> others) {
    List<Consumer<String>> all = new ArrayList<>(some);
    all.addAll(others);
    return List.copyOf(all);
  }

  private static String[] tablesOf(WriteSet writes) {
    return writes.tags().stream().map(tag -> tag.scope() + ":" + tag.oid()).toArray(String[]::new);
  }

  private List<Function<Object[], Object>> others(
      List<WeakReference<Function<Object[], Object>>> all) {
    return all.stream()
        .map(WeakReference::get)
        .filter(Objects::nonNull)
        .filter(each -> each != own)
        .toList();
  }

  /** The other application may be about to end, and its classes with it. */
  private static Object say(Function<Object[], Object> other, String words, @Nullable Object what) {
    try {
      return other.apply(new @Nullable Object[] {words, what});
    } catch (RuntimeException | LinkageError e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "telling another class loader", e);
      return words;
    }
  }

  private static void end(Consumer<String> told, String ending) {
    try {
      told.accept(ending);
    } catch (RuntimeException | LinkageError e) {
      CacheLog.trouble(CacheLog.Trouble.INTERNAL, "telling another class loader", e);
    }
  }

  // ---- what others say

  private Object said(@Nullable Object[] words) {
    String first = String.valueOf(words[0]);
    switch (first) {
      case ANNOUNCE -> {
        PendingWrite write = versions.announce(writes((String[]) words[1]));
        return (Consumer<String>) outcome -> ended(write, outcome);
      }
      case JOINED -> joined(Objects.requireNonNull(words[1]));
      default -> heard.accept(first);
    }
    return first;
  }

  private void joined(Object who) {
    @SuppressWarnings("unchecked")
    Function<Object[], Object> other = (Function<Object[], Object>) who;
    for (PendingWrite write : versions.pending()) {
      if (!write.writes().isEmpty() || write.isWidened()) {
        announce(other, write, null);
      }
    }
    heard.accept(JOINED);
  }

  private WriteSet writes(String @Nullable [] tables) {
    if (tables == null) {
      return WriteSet.UNKNOWN;
    }
    List<TableTag> tags = new ArrayList<>();
    for (String table : tables) {
      int colon = table.indexOf(':');
      TableTag.Scope scope = TableTag.Scope.valueOf(table.substring(0, colon));
      tags.add(versions.tag(scope, Long.parseLong(table.substring(colon + 1))));
    }
    return new WriteSet(tags, false);
  }

  private void ended(PendingWrite write, String how) {
    if (how.equals(WIDEN)) {
      versions.widen(write);
      return;
    }
    if (how.equals(PUBLISH_DDL)) {
      heard.accept(CATALOG);
    }
    versions.publish(write);
    published(write); // Somebody new may have been told of it, too.
  }
}
