package dev.larder.remote;

/**
 * Where and how results are shared with other JVMs. Immutable; two are equal when every setting is;
 * the text shows no secret.
 */
public interface RemoteSettings {
  /**
   * Returns what is the same for all who learn of each other's writes, whatever else they have set.
   */
  String group();

  /** Opens the memory for {@code database}; whoever calls closes it. Waits for a timeout or two. */
  RemoteCache open(RemoteDatabase database);
}
