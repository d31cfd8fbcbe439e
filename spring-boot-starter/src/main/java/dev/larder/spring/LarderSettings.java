package dev.larder.spring;

import dev.larder.jdbc.LarderProperty;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.util.PatternMatchUtils;

/**
 * What the properties say of each data source. Everything is checked when this is made, so that a
 * bad value stops the application before its first connection. Immutable and thread-safe.
 */
final class LarderSettings {
  private static final String PREFIX = "larder.";
  private static final String MEMCACHED = PREFIX + "memcached.";
  private static final String BY_BEAN = PREFIX + "data-sources.";
  private static final String SWITCH = LarderProperty.ENABLED.key();

  private final boolean installed;
  private final Map<String, String> common;
  private final Map<String, Map<String, String>> byBean = new LinkedHashMap<>();
  private final List<String> include;
  private final List<String> exclude;

  LarderSettings(LarderProperties properties) {
    installed = Boolean.TRUE.equals(properties.getEnabled());
    common = properties.options();
    check(PREFIX, common);
    include = List.copyOf(properties.getDataSources().getInclude());
    exclude = List.copyOf(properties.getDataSources().getExclude());
    properties
        .getDataSources()
        .getOverrides()
        .forEach(
            (bean, overriding) -> {
              Map<String, String> merged = new LinkedHashMap<>(common);
              merged.putAll(overriding.options());
              check(BY_BEAN + "overrides." + bean + '.', merged);
              byBean.put(bean, Map.copyOf(merged));
            });
  }

  /** Returns whether Larder goes below data sources with an ordinary URL. */
  boolean installed() {
    return installed;
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
    if ("true".equals(options.get(SWITCH))) {
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
          if (!key.startsWith(MEMCACHED) && !key.equals(LarderProperty.BACKEND.key())) {
            check(prefix, key, Map.of(key, value));
          }
        });
    check(prefix, LarderProperty.BACKEND.key(), shared(options));
    check(prefix, LarderProperty.MAX_RESULT_BYTES.key(), options);
  }

  /** The options of a backend say nothing without each other. */
  private static Map<String, String> shared(Map<String, String> options) {
    Map<String, String> shared = new LinkedHashMap<>(options);
    shared
        .keySet()
        .removeIf(key -> !key.startsWith(MEMCACHED) && !key.equals(LarderProperty.BACKEND.key()));
    return shared;
  }

  private static void check(String prefix, String key, Map<String, String> options) {
    try {
      LarderProperty.config(options);
    } catch (IllegalArgumentException e) {
      throw new InvalidLarderPropertyException(
          prefix + kebab(key.substring(PREFIX.length())),
          String.valueOf(e.getMessage()),
          "Correct the value, or remove the property to use the default. The page"
              + " docs/configuration.md says what each property may be.");
    }
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }
}
