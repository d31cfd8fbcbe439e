package dev.larder.store;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The places of a write's way at which a test lets the thread fail, to see that nothing stays under
 * way for ever. In production nothing happens there: only a test that reaches into this package
 * changes that, for the whole JVM. Thread-safe.
 */
public enum FaultPoint {
  /** It is known what a statement may write, and nothing is announced yet. */
  RESOLVED,
  /** Other JVMs are about to be told that a write is under way: before each round trip. */
  TELLING,
  /** Other JVMs have acknowledged that. */
  TOLD,
  /** After each step of an announce. */
  ANNOUNCING,
  /** The write is announced, in this database and wherever else it may be one. */
  ANNOUNCED,
  /** The catalog has been compared with that of the lookup. */
  COMPARED,
  /** What the write needs is known, and the driver is asked next. */
  SENDING,
  /** The driver has answered, or thrown. */
  ANSWERED,
  /** Transaction and session have been followed. */
  FOLLOWED,
  /** The write is about to be published, or left to whoever finds its outcome out. */
  SETTLING,
  /** Other JVMs are about to be told how the write has ended: before each round trip. */
  TELLING_OUTCOME,
  /** The thread that finds outcomes out begins a round. */
  RESOLVING,
  /** A result whose rows were written, but not its columns, is about to be kept anew. */
  RENEWING,
  /** The columns that a result will depend on were captured, and its rows are about to be. */
  CAPTURING,
  /** A thread of Larder's own is about to be started. */
  STARTING;

  private static volatile @Nullable Consumer<FaultPoint> fault;

  /** Does nothing in production. */
  public void pass() {
    Consumer<FaultPoint> injected = fault;
    if (injected != null) {
      injected.accept(this);
    }
  }

  /** Has {@code injected} run at every point from now on, or nothing. */
  static void inject(@Nullable Consumer<FaultPoint> injected) {
    fault = injected;
  }
}
