package dev.larder.jdbc.session;

import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.sql.SessionCommand;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What values of search_path mean in one database: which schemas are there, and may be used by
 * whom. It spares the question after each SET of a session whose schema is switched at every
 * checkout. What is known is of one version of the catalog and forgotten with it. Thread-safe.
 */
public final class SearchPaths {
  private static final int MAX_PATHS = 10_000;

  /**
   * A value as it was set.
   *
   * @param value the text behind SET search_path TO, where that is one plain value; or a list of
   *     names in quotes, or what set_config was given
   * @param form how it was written
   * @param currentUser whose privileges and name decide
   */
  record Setting(String value, SessionCommand.Form form, String currentUser) {}

  /**
   * What a value means.
   *
   * @param shown the setting as the server shows it
   * @param schemas the effective schemas
   */
  record Meaning(String shown, List<String> schemas) {}

  private record Known(Object catalog, Map<Setting, Meaning> meanings) {}

  private volatile @Nullable Known known;

  /**
   * Returns what {@code setting} means, or null.
   *
   * @param catalog the {@link dev.larder.catalog.CatalogVersion#mark} of the one in question
   */
  @Nullable Meaning find(Setting setting, @Nullable Object catalog) {
    Known now = known;
    return now == null || catalog == null || now.catalog() != catalog
        ? null
        : now.meanings().get(setting);
  }

  /**
   * Remembers what the session has answered, if that is what {@code setting} means.
   *
   * @param catalog the mark of the one that was current, or null where others see another
   */
  void learn(Setting setting, SessionFacts facts, List<String> path, @Nullable Object catalog) {
    if (catalog != null && setting.currentUser().equals(facts.currentUser())) {
      String shown = facts.settings().getOrDefault("search_path", "");
      learn(setting, new Meaning(shown, path), catalog);
    }
  }

  /** Remembers what the server said while {@code catalog} was current. */
  void learn(Setting setting, Meaning meaning, Object catalog) {
    Known now = known;
    if (now == null || now.catalog() != catalog) {
      now = new Known(catalog, new ConcurrentHashMap<>());
      known = now;
    }
    // A session's own temporary schema means nothing to another.
    boolean temporary = meaning.schemas().stream().anyMatch(name -> name.startsWith("pg_temp"));
    if (!temporary && now.meanings().size() < MAX_PATHS) {
      now.meanings().put(setting, meaning);
    }
  }
}
