package dev.larder.jdbc.format;

import dev.larder.jdbc.driver.StatementInternals;
import dev.larder.store.ProtocolStep;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.QueryExecutor;

/**
 * Has the driver use a name of the server's for a text only where the text was parsed under it in
 * the present surroundings. The driver notes its present number of each text that it has parsed,
 * and has a text parsed again that has another number. It counts that number up when all texts are
 * to be parsed again, after DISCARD ALL for example. This gives each surroundings a number of their
 * own, so that a text which is used in one of them only is not parsed again for the others.
 *
 * <p>The number is a short: after 65,536 new surroundings on one connection it comes again, as it
 * does in the driver. Thread-safe.
 */
public final class ParsedTexts {
  /** Of more surroundings than this the number is forgotten, so that they get a new one. */
  private static final int MOST = 16;

  /** Whether texts can be parsed again with this version of the driver. */
  public static final boolean KNOWN = StatementInternals.areKnown();

  private final QueryExecutor executor;

  /** The last used is the last. */
  private final List<Numbered> numbered = new ArrayList<>();

  private volatile @Nullable Object present;

  /** The driver's, unless it has counted by itself since. */
  private volatile short number;

  /** The last one that was given. */
  private short newest;

  /** The last one that was given before the driver had all texts parsed again by itself. */
  private volatile short lastForgotten;

  private volatile int forgotten;
  private volatile boolean moved;

  private record Numbered(Object surroundings, short number) {}

  ParsedTexts(QueryExecutor executor) {
    this.executor = executor;
    if (KNOWN) {
      number = StatementInternals.epoch(executor);
      newest = number;
      lastForgotten = number;
    }
  }

  /** Returns whether there are texts of several surroundings. */
  public boolean haveMoved() {
    return moved;
  }

  /**
   * Returns whether the driver would have had a text parsed again that was parsed under a number.
   */
  boolean hasForgotten(short parsed) {
    return (short) (parsed - lastForgotten) <= 0;
  }

  /** Says what decides, besides itself, what a text means that is parsed from now on. */
  @SuppressWarnings("ReferenceEquality") // What is equal is found below.
  public void moveTo(Object surroundings) {
    if (!KNOWN) {
      return;
    }
    if (surroundings != present || StatementInternals.epoch(executor) != number) {
      move(surroundings);
    }
  }

  private synchronized void move(Object surroundings) {
    follow();
    if (ProtocolStep.PARSE_AGAIN.isTaken()) {
      number = numberOf(surroundings);
      present = surroundings;
      StatementInternals.setEpoch(executor, number);
    }
  }

  private short numberOf(Object surroundings) {
    Numbered found = null;
    for (Numbered each : numbered) {
      if (each.surroundings.equals(surroundings)) {
        found = each;
      }
    }
    if (found == null) {
      moved |= newest != lastForgotten;
      newest++;
      found = new Numbered(surroundings, newest);
    }
    numbered.remove(found);
    numbered.add(found);
    if (numbered.size() > MOST) {
      numbered.remove(0);
    }
    return found.number;
  }

  /** Has all texts parsed again. */
  public synchronized void parseAgain() {
    numbered.clear();
    present = null;
  }

  /** Returns how often the driver has had all texts parsed again by itself. */
  int forgotten() {
    if (KNOWN && StatementInternals.epoch(executor) != number) {
      follow();
    }
    return forgotten;
  }

  private synchronized void follow() {
    short now = StatementInternals.epoch(executor);
    if (now != number) {
      forgotten += (short) (now - number);
      if ((short) (now - newest) > 0) {
        newest = now;
      }
      number = now;
      lastForgotten = newest;
      parseAgain();
    }
  }
}
