package dev.larder.memcached.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The version of one table, as the version server keeps it. Immutable.
 *
 * <p>A value that is not {@code ready} (RAW) was made where none was: there may be in-flight
 * writers whose marks went away with its predecessor. Nobody reads by it before the barrier of
 * {@code dev.larder.memcached.protocol} has made it ready. Its token does not change until then,
 * and so tells it from a later one.
 *
 * @param ready whether every in-flight writer has its mark here
 * @param token changes with every write that is published
 * @param serverGeneration at which the value became ready; 0 if it is not
 * @param writers the marks of the writers between announce and publish
 */
public record VersionValue(boolean ready, Token token, long serverGeneration, List<Token> writers) {
  public VersionValue {
    writers = List.copyOf(writers);
  }

  /** Returns a value where none was. */
  public static VersionValue raw(Token token) {
    return new VersionValue(false, token, 0, List.of());
  }

  /** Returns this value with one writer more: what the server's append makes of it. */
  public VersionValue announced(Token writer) {
    List<Token> more = new ArrayList<>(writers);
    more.add(writer);
    return new VersionValue(ready, token, serverGeneration, more);
  }

  /** Returns this value after {@code writer} has finished, however that ended. */
  public VersionValue published(Token writer, Token fresh) {
    List<Token> others = without(Set.of(writer));
    return new VersionValue(ready, ready ? fresh : token, serverGeneration, others);
  }

  /** Returns this value as the barrier leaves it once {@code gone} have finished. */
  public VersionValue settled(Set<Token> gone, Token fresh, long serverGeneration) {
    return new VersionValue(true, fresh, serverGeneration, without(gone));
  }

  /** Returns whether a reader may take the table for as old as the token. */
  public boolean isReadable(long serverGeneration) {
    return ready && this.serverGeneration == serverGeneration && writers.isEmpty();
  }

  private List<Token> without(Set<Token> gone) {
    return writers.stream().filter(writer -> !gone.contains(writer)).toList();
  }
}
