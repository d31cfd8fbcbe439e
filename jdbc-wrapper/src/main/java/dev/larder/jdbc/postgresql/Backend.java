package dev.larder.jdbc.postgresql;

/**
 * A process of the server that serves a session.
 *
 * @param pid its number, which another one may get once it has ended
 * @param startMicros when it started, in microseconds since 1970 by the server's clock; 0 where the
 *     server hides it
 */
public record Backend(int pid, long startMicros) {
  /** Returns whether {@code other} may be this very process. */
  public boolean mayBe(Backend other) {
    return pid == other.pid
        && (startMicros == 0 || other.startMicros == 0 || startMicros == other.startMicros);
  }
}
