package dev.larder.spring;

import dev.larder.CacheOptions;
import dev.larder.Option;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * The options of caches among the properties, in every way in which Spring lets them be written,
 * with the texts that Larder reads. Stateless.
 */
final class OptionProperties {
  static final String MEMCACHED = CacheOptions.PREFIX + "memcached.";

  /** What begins otherwise is an option. */
  private static final Set<String> OTHERS = Set.of("datasources", "console", "tracing");

  /** Is none either: {@link PositionCarrier}. */
  private static final String POSITION = "feed.position";

  /** One item of a list, such as {@code tables.include[0]}. */
  private static final Pattern ITEM = Pattern.compile("(.*)\\[(\\d+)]");

  private OptionProperties() {}

  /**
   * Returns the options of every cache, by {@link Option#key()}.
   *
   * @throws InvalidLarderPropertyException for a property that is not known
   */
  static Map<String, String> common(Environment environment) {
    Map<String, String> written =
        Binder.get(environment)
            .bind("larder", Bindable.mapOf(String.class, String.class))
            .orElseGet(Map::of);
    Map<String, String> own = new LinkedHashMap<>(written);
    own.keySet().removeIf(name -> isOther(name) || isOfTheSystem(environment, name));
    return of(CacheOptions.PREFIX, own);
  }

  /**
   * Returns options by {@link Option#key()}.
   *
   * @param prefix of the names, for a message
   * @param written texts by name as written, without the prefix
   * @throws InvalidLarderPropertyException for a property that is not known
   */
  static Map<String, String> of(String prefix, Map<String, String> written) {
    Map<String, Map<Integer, String>> items = new LinkedHashMap<>();
    written.forEach(
        (name, text) -> {
          Matcher item = ITEM.matcher(name);
          String key = key(prefix, item.matches() ? item.group(1) : name);
          int index = item.matches() ? Integer.parseInt(item.group(2)) : 0;
          items.computeIfAbsent(key, any -> new TreeMap<>()).put(index, text);
        });
    Map<String, String> options = new LinkedHashMap<>();
    items.forEach((key, texts) -> options.put(key, String.join(",", texts.values())));
    return options;
  }

  private static boolean isOther(String name) {
    return OTHERS.contains(plain(name.split("\\.", 2)[0])) || plain(name).equals(POSITION);
  }

  /** Variables of the environment may begin like a property and mean something else. */
  private static boolean isOfTheSystem(Environment environment, String name) {
    if (find(name).isPresent() || plain(name).startsWith("memcached.")) {
      return false;
    }
    UnboundElementsSourceFilter asked = new UnboundElementsSourceFilter();
    ConfigurationPropertyName property =
        ConfigurationPropertyName.adapt(CacheOptions.PREFIX + name, '.');
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (asked.apply(source) && source.getConfigurationProperty(property) != null) {
        return false;
      }
    }
    return true;
  }

  private static String key(String prefix, String name) {
    if (plain(name).startsWith("memcached.")) {
      return CacheOptions.PREFIX + plain(name);
    }
    return find(name)
        .map(Option::key)
        .orElseThrow(
            () ->
                new InvalidLarderPropertyException(
                    prefix + name,
                    "there is no property " + prefix + name + '.',
                    "Did you mean "
                        + prefix
                        + kebab(Option.nearest(CacheOptions.PREFIX + name, CacheOptions.all()))
                        + "? The page docs/configuration.md lists them all."));
  }

  private static Optional<Option<?>> find(String name) {
    String plain = CacheOptions.PREFIX + plain(name);
    return CacheOptions.all().stream()
        .filter(option -> option.key().equalsIgnoreCase(plain))
        .findFirst();
  }

  /** Returns the name of an option as Spring writes it, without the prefix. */
  static String kebab(Option<?> option) {
    return kebab(option.key()).substring(CacheOptions.PREFIX.length());
  }

  /** Returns a name as Spring writes it. */
  static String kebab(String key) {
    return key.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static String plain(String name) {
    return name.replace("-", "").toLowerCase(Locale.ROOT);
  }
}
