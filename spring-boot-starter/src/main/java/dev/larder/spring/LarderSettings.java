package dev.larder.spring;

import dev.larder.CacheOptions;
import dev.larder.FeedOptions;
import dev.larder.QueryCacheConfig;
import dev.larder.log.MessageText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.PatternMatchUtils;

/**
 * What the properties say of each data source. Everything is checked when this is made, so that a
 * bad value stops the application before its first connection. Immutable and thread-safe.
 */
final class LarderSettings {
  private static final String PREFIX = CacheOptions.PREFIX;
  private static final String BY_BEAN = PREFIX + "data-sources.";
  private static final String FEED = FeedOptions.FEED.key();

  /** Those that are no options of a cache, and that something else reads. */
  private static final List<String> OTHERS =
      List.of(PositionCarrier.PROPERTY, PREFIX + "console.enabled", PREFIX + "tracing.enabled");

  private static final String SWITCH = CacheOptions.ENABLED.key();

  private final boolean installed;
  private final Map<String, String> common;
  private final Map<String, Map<String, String>> byBean = new LinkedHashMap<>();
  private final List<String> include;
  private final List<String> exclude;

  LarderSettings(Map<String, String> common, LarderProperties.DataSources dataSources) {
    this.common = Map.copyOf(common);
    check(PREFIX, common);
    installed = isOn(common.get(SWITCH));
    include = List.copyOf(dataSources.include());
    exclude = List.copyOf(dataSources.exclude());
    dataSources
        .overrides()
        .forEach(
            (bean, overriding) -> {
              String prefix = BY_BEAN + "overrides." + bean + '.';
              Map<String, String> merged = new LinkedHashMap<>(common);
              merged.putAll(OptionProperties.of(prefix, overriding));
              check(prefix, merged);
              byBean.put(bean, Map.copyOf(merged));
            });
  }

  private static boolean isOn(@Nullable String text) {
    return text != null && CacheOptions.ENABLED.read(text);
  }

  /** Returns whether Larder goes below data sources with an ordinary URL. */
  boolean installed() {
    return installed;
  }

  /**
   * Returns the names of the properties that do nothing unless a data source goes through Larder;
   * none where Larder is switched on or off by a property.
   */
  List<String> waitingForLarder(Environment environment) {
    if (common.containsKey(SWITCH)) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    common.keySet().stream().sorted().map(OptionProperties::kebab).forEach(names::add);
    byBean.keySet().forEach(bean -> names.add(BY_BEAN + "overrides." + bean));
    if (!include.isEmpty()) {
      names.add(BY_BEAN + "include");
    }
    if (!exclude.isEmpty()) {
      names.add(BY_BEAN + "exclude");
    }
    for (String other : OTHERS) {
      String text = environment.getProperty(other);
      if (text != null && !text.equalsIgnoreCase("off") && !text.equalsIgnoreCase("false")) {
        names.add(other);
      }
    }
    return names;
  }

  /** Returns the options of the data source's connections. */
  Map<String, String> options(String bean) {
    Map<String, String> options = new LinkedHashMap<>(common);
    byBean.forEach(
        (name, merged) -> {
          if (sameName(name, bean)) {
            options.putAll(merged);
          }
        });
    if (!isCached(bean)) {
      options.put(SWITCH, "false");
    }
    if (isOn(options.get(SWITCH))) {
      options.remove(SWITCH);
    }
    return options;
  }

  private boolean isCached(String bean) {
    return (include.isEmpty() || matches(include, bean)) && !matches(exclude, bean);
  }

  private static boolean matches(List<String> patterns, String bean) {
    return PatternMatchUtils.simpleMatch(patterns.toArray(String[]::new), bean);
  }

  /**
   * Refuses what names no bean.
   *
   * @param beans the names of all beans: Flyway's and Liquibase's have data sources of their own
   * @param dataSources the names of those that are data sources, for the message
   * @throws InvalidLarderPropertyException if one is named that is not there
   */
  void checkNames(Collection<String> beans, Collection<String> dataSources) {
    byBean.keySet().forEach(name -> checkName("overrides." + name, name, beans, dataSources));
    include.forEach(name -> checkName("include", name, beans, dataSources));
    exclude.forEach(name -> checkName("exclude", name, beans, dataSources));
  }

  private static void checkName(
      String property, String name, Collection<String> beans, Collection<String> dataSources) {
    if (name.indexOf('*') < 0 && beans.stream().noneMatch(bean -> sameName(name, bean))) {
      throw new InvalidLarderPropertyException(
          BY_BEAN + property,
          "there is no data source with the bean name " + name + '.',
          "Use one of the data sources of this application, which are "
              + String.join(", ", dataSources)
              + ", or remove the property.");
    }
  }

  /** The binder drops some characters of a key in a map, so that only the others can count. */
  private static boolean sameName(String one, String other) {
    return plain(one).equals(plain(other));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  private static void check(String prefix, Map<String, String> options) {
    options.forEach(
        (key, value) -> {
          if (!key.startsWith(OptionProperties.MEMCACHED)
              && !key.equals(CacheOptions.BACKEND.key())
              && !key.equals(FEED)) {
            check(prefix, key, Map.of(key, value));
          }
        });
    check(prefix, CacheOptions.BACKEND.key(), shared(options));
    check(prefix, FEED, followed(options));
    check(prefix, CacheOptions.MAX_RESULT_BYTES.key(), options);
  }

  /** The options of a feed must fit to each other, and to who writes. */
  private static Map<String, String> followed(Map<String, String> options) {
    Map<String, String> followed = new LinkedHashMap<>(shared(options));
    options.forEach(
        (key, value) -> {
          if (key.startsWith(FEED) || key.equals(CacheOptions.WRITERS.key())) {
            followed.put(key, value);
          }
        });
    return followed;
  }

  /** The options of a backend say nothing without each other. */
  private static Map<String, String> shared(Map<String, String> options) {
    Map<String, String> shared = new LinkedHashMap<>(options);
    shared
        .keySet()
        .removeIf(
            key ->
                !key.startsWith(OptionProperties.MEMCACHED)
                    && !key.equals(CacheOptions.BACKEND.key()));
    return shared;
  }

  private static void check(String prefix, String key, Map<String, String> options) {
    try {
      QueryCacheConfig.of(options);
    } catch (IllegalArgumentException e) {
      throw new InvalidLarderPropertyException(
          prefix + OptionProperties.kebab(key.substring(PREFIX.length())),
          MessageText.of(e),
          "Correct the value, or remove the property to use the default. The page"
              + " docs/configuration.md says what each property may be.");
    }
  }
}
