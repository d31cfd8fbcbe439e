package dev.larder.spring;

import dev.larder.QueryCacheConfig;
import dev.larder.WarmupOptions;
import dev.larder.jdbc.LarderDataSource;
import dev.larder.jdbc.LazyDataSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.core.env.Environment;

/**
 * Puts Larder below the data sources of one application, before their first connection, and names
 * those where it cannot. Doing so twice changes nothing. Thread-safe.
 */
final class Installation {
  private static final String SPRING = "org.springframework.jdbc.datasource.";
  private static final String DRIVERS_OWN = "org.postgresql.ds.PGSimpleDataSource";
  private static final String FILE = WarmupOptions.FILE.key();
  private static final Logger LOGGER = System.getLogger("dev.larder");

  private final LarderSettings settings;

  private final SeenSources seen = new SeenSources();

  /** Names by server and database, of those with Larder and of those without. */
  private final Map<String, String> cached = new ConcurrentHashMap<>();

  private final Map<String, String> plain = new ConcurrentHashMap<>();

  /** One that certainly goes past Larder, which its URL or its class says. */
  private volatile @Nullable String past;

  /** Whether one goes through Larder, or may. */
  private volatile boolean mayBeThrough;

  Installation(LarderSettings settings) {
    this.settings = settings;
  }

  /**
   * Puts Larder below {@code source} where the settings say so.
   *
   * @param name whose options hold: the name of the bean
   * @return what to use instead: the data source itself, but for one without a pool or a URL
   */
  DataSource install(String name, DataSource source) {
    if (source instanceof LarderDataSource
        || source instanceof LazyDataSource) { // The pool below it was looked at.
      mayBeThrough = true;
      return source;
    }
    if (source instanceof SpringProxy || !seen.add(source)) {
      return source;
    }
    Optional<UrlAccess> access = UrlAccess.of(source);
    String url = access.isPresent() ? access.get().url() : null;
    if (access.isPresent() && url != null) {
      installByUrl(name, access.get(), url);
      return source;
    }
    Optional<InnerSource> below = InnerSource.of(source);
    DataSource inner = below.isPresent() ? below.get().get() : null;
    if (below.isPresent() && inner != null) {
      installBelow(name, access, below.get(), inner);
      return source;
    }
    if (settings.installed()) {
      return installAround(name, source);
    }
    noteOther(name, source);
    return source;
  }

  private void noteOther(String name, DataSource source) {
    if (UrlAccess.isA(source, DRIVERS_OWN)) {
      past = name;
    } else if (!leadsToOthers(source)) {
      mayBeThrough = true; // Nobody knows what opens its connections.
    }
  }

  /** What such a one leads to is looked at by itself; or is not PostgreSQL, if it is embedded. */
  private static boolean leadsToOthers(DataSource source) {
    return UrlAccess.isA(source, SPRING + "lookup.AbstractRoutingDataSource")
        || UrlAccess.isA(source, SPRING + "DelegatingDataSource")
        || UrlAccess.isA(source, SPRING + "embedded.EmbeddedDatabase");
  }

  private void installByUrl(String name, UrlAccess access, String url) {
    boolean larder = LarderUrl.isLarder(url);
    mayBeThrough |= larder;
    if (!larder && !LarderUrl.isPlainPostgres(url)) {
      return;
    }
    if (!larder && !settings.installed()) {
      notePlain(name, url);
      return;
    }
    Map<String, String> options = new LinkedHashMap<>(settings.options(name));
    String file = options.remove(FILE); // A URL may not name it.
    String wanted = LarderUrl.withOptions(url, options);
    boolean named = file == null || file.equals(access.properties().getProperty(FILE));
    if (!named || !wanted.equals(url)) {
      if (access.started()) {
        tooLate(name, larder);
        return;
      }
      access.set(wanted);
      if (file != null) {
        access.put(FILE, file);
      }
    }
    noteCached(name, wanted);
  }

  private void installBelow(
      String name, Optional<UrlAccess> pool, InnerSource below, DataSource inner) {
    boolean started = pool.isPresent() && pool.get().started();
    if (started && settings.installed() && !(inner instanceof LarderDataSource)) {
      tooLate(name, false);
      return;
    }
    DataSource installed = started ? inner : install(name, inner);
    if (installed != inner) {
      below.set(installed);
    }
  }

  private DataSource installAround(String name, DataSource source) {
    if (UrlAccess.isA(source, DRIVERS_OWN)) {
      return new LarderDataSource(source, QueryCacheConfig.of(settings.options(name)));
    }
    // What a routing one routes to is looked at by itself; an embedded database is not PostgreSQL.
    if (!UrlAccess.isA(source, SPRING + "lookup.AbstractRoutingDataSource")
        && !UrlAccess.isA(source, SPRING + "embedded.EmbeddedDatabase")) {
      leftAlone(name, source);
    }
    return source;
  }

  /**
   * As {@link #install}, for a data source in a place where no other can be put; names it where
   * another would be needed.
   */
  void installInPlace(String name, DataSource source) {
    if (install(name, source) != source) {
      leftAlone(name, source);
    }
  }

  /** Names a data source of which nobody says what it routes to. */
  void unknownTargets(String name, DataSource router) {
    if (settings.installed()) {
      leftAlone(name, router);
    }
  }

  /** Names a data source that Larder cannot be put below. */
  static void leftAlone(String name, DataSource source) {
    InstallationTrouble.LEFT_ALONE.count();
    LOGGER.log(
        Level.WARNING,
        "LRD-023 Larder cannot be put below the data source {0} of {1}: if it is of PostgreSQL, it is"
            + " not cached and its writes are not seen. Cure: give it a URL that begins with"
            + " jdbc:larder:postgresql:, or wrap what opens its connections in a LarderDataSource.",
        name,
        source.getClass().getName());
  }

  private static void tooLate(String name, boolean larder) {
    InstallationTrouble.TOO_LATE.count();
    LOGGER.log(
        Level.WARNING,
        "LRD-021 the data source {0} had connections before Larder could {1}. Cure: {2}.",
        name,
        larder
            ? "set its options; those of its URL hold"
            : "be put below it; it is not cached, and its writes are not seen",
        larder
            ? "put the options into the URL"
            : "give it a URL that begins with jdbc:larder:postgresql:");
  }

  /**
   * Says that properties do nothing, where all data sources are known and go past Larder: once the
   * application has all of them.
   */
  void warnIfUnused(Environment environment) {
    String plainOne = past;
    List<String> properties = settings.waitingForLarder(environment);
    if (plainOne != null && !mayBeThrough && !properties.isEmpty()) {
      InstallationTrouble.UNUSED.count();
      LOGGER.log(
          Level.WARNING,
          "LRD-033 no data source goes through Larder, so that nothing is cached, and these properties"
              + " do nothing: {0}. Cure: set larder.enabled=true, or give the data source {1} a URL"
              + " that begins with jdbc:larder:postgresql:; or remove them, or set"
              + " larder.enabled=false.",
          String.join(", ", properties),
          plainOne);
    }
  }

  private void noteCached(String name, String url) {
    String target = LarderUrl.target(url);
    cached.put(target, name);
    warn(name, plain.get(target));
  }

  private void notePlain(String name, String url) {
    past = name;
    String target = LarderUrl.target(url);
    plain.put(target, name);
    warn(cached.get(target), name);
  }

  private static void warn(@Nullable String cached, @Nullable String plain) {
    if (cached != null && plain != null) {
      InstallationTrouble.WRITES_PAST.count();
      LOGGER.log(
          Level.WARNING,
          "LRD-022 the data source {0} writes to the database of {1} past Larder, whose results then"
              + " are stale. Cure: set larder.enabled=true, or give {0} a URL that begins with"
              + " jdbc:larder:postgresql:.",
          plain,
          cached);
    }
  }
}
