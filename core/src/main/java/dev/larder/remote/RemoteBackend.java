package dev.larder.remote;

import java.util.Map;

/**
 * A kind of memory that several JVMs share; found by {@link java.util.ServiceLoader}. Stateless.
 */
public interface RemoteBackend {
  /** Returns the value of {@code larder.backend} that chooses it, in lower case. */
  String name();

  /**
   * Returns the settings of {@code options}.
   *
   * @param options by full name; those of others are not looked at
   * @throws IllegalArgumentException naming the option, its value, the rule and what to do
   */
  RemoteSettings settings(Map<String, String> options);
}
