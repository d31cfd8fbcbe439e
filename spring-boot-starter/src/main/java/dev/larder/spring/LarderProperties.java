package dev.larder.spring;

import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code larder.*} that are no options of a cache: for those see {@link
 * OptionProperties}. A property that is not known is refused. Immutable.
 */
public final class LarderProperties {
  private LarderProperties() {}

  /**
   * Which data sources are cached, by the names of their beans.
   *
   * @param include The only data sources that are cached, by bean name; * stands for any
   *     characters.
   * @param exclude Data sources that are not cached, by bean name; * stands for any characters.
   *     Their writes still invalidate.
   * @param overrides Options of single data sources, by bean name, which win over the common ones.
   */
  @ConfigurationProperties(prefix = "larder.data-sources", ignoreUnknownFields = false)
  public record DataSources(
      @DefaultValue List<String> include,
      @DefaultValue List<String> exclude,
      @DefaultValue Map<String, Map<String, String>> overrides) {}

  /**
   * The page at {@code /larder}.
   *
   * @param enabled Whether the console is served at /larder.
   * @param role The role that whoever uses the console must have; * for everybody who is logged in.
   * @param writable Whether the console may clear results and switch caches, or only show.
   */
  @ConfigurationProperties(prefix = "larder.console", ignoreUnknownFields = false)
  public record Console(boolean enabled, @DefaultValue("ADMIN") String role, boolean writable) {}

  /**
   * What spans show.
   *
   * @param enabled Whether a hit is an event of the observation, and so of the span, in which it
   *     happens.
   */
  @ConfigurationProperties(prefix = "larder.tracing", ignoreUnknownFields = false)
  public record Tracing(boolean enabled) {}
}
