package dev.larder.spring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * The properties {@code larder.*} of the application: the options of every cache, and which data
 * sources they are for. A property that is not known is refused. Not thread-safe.
 */
@ConfigurationProperties(prefix = "larder", ignoreUnknownFields = false)
public class LarderProperties extends CacheProperties {
  /** Which data sources are cached. */
  @NestedConfigurationProperty private final DataSources dataSources = new DataSources();

  /** The page at /larder. */
  @NestedConfigurationProperty private final Console console = new Console();

  /** What spans show. */
  @NestedConfigurationProperty private final Tracing tracing = new Tracing();

  /** {@return {@code larder.console}} */
  public Console getConsole() {
    return console;
  }

  /** {@return {@code larder.tracing}} */
  public Tracing getTracing() {
    return tracing;
  }

  /** {@return {@code larder.data-sources}} */
  public DataSources getDataSources() {
    return dataSources;
  }

  /** Which data sources are cached, by the names of their beans. */
  public static class DataSources {
    /** The only data sources that are cached, by bean name; * stands for any characters. */
    private List<String> include = new ArrayList<>();

    /**
     * Data sources that are not cached, by bean name; * stands for any characters. Their writes
     * still invalidate.
     */
    private List<String> exclude = new ArrayList<>();

    /** Options of single data sources, by bean name, which win over the common ones. */
    private Map<String, CacheProperties> overrides = new LinkedHashMap<>();

    /** {@return the patterns of those that are cached; empty for all} */
    public List<String> getInclude() {
      return include;
    }

    /**
     * Sets the patterns of those that are cached.
     *
     * @param include patterns
     */
    public void setInclude(List<String> include) {
      this.include = include;
    }

    /** {@return the patterns of those that are not cached} */
    public List<String> getExclude() {
      return exclude;
    }

    /**
     * Sets the patterns of those that are not cached.
     *
     * @param exclude patterns
     */
    public void setExclude(List<String> exclude) {
      this.exclude = exclude;
    }

    /** {@return the options of single data sources} */
    public Map<String, CacheProperties> getOverrides() {
      return overrides;
    }

    /**
     * Sets the options of single data sources.
     *
     * @param overrides by bean name
     */
    public void setOverrides(Map<String, CacheProperties> overrides) {
      this.overrides = overrides;
    }
  }

  /** The page at {@code /larder}. */
  public static class Console {
    /** Whether the console is served at /larder. */
    private boolean enabled;

    /** The role that whoever uses the console must have; * for everybody who is logged in. */
    private String role = "ADMIN";

    /** Whether the console may clear results and switch caches, or only show. */
    private boolean writable;

    /** {@return whether there is one} */
    public boolean isEnabled() {
      return enabled;
    }

    /**
     * Sets whether there is one.
     *
     * @param enabled whether it is there
     */
    public void setEnabled(boolean enabled) {
      this.enabled = enabled;
    }

    /** {@return the role that is asked for} */
    public String getRole() {
      return role;
    }

    /**
     * Sets the role that is asked for.
     *
     * @param role without {@code ROLE_}, or {@code *}
     */
    public void setRole(String role) {
      this.role = role;
    }

    /** {@return whether it may change anything} */
    public boolean isWritable() {
      return writable;
    }

    /**
     * Sets whether it may change anything.
     *
     * @param writable whether it may
     */
    public void setWritable(boolean writable) {
      this.writable = writable;
    }
  }

  /** What spans show. */
  public static class Tracing {
    /** Whether a hit is an event of the observation, and so of the span, in which it happens. */
    private boolean enabled;

    /** {@return whether hits are marked} */
    public boolean isEnabled() {
      return enabled;
    }

    /**
     * Sets whether hits are marked.
     *
     * @param enabled whether it is there
     */
    public void setEnabled(boolean enabled) {
      this.enabled = enabled;
    }
  }
}
