package dev.larder.memcached.protocol;

import dev.larder.memcached.format.Token;
import dev.larder.memcached.format.VersionValue;
import dev.larder.remote.RemoteTokens;
import dev.larder.remote.WritersInProgress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One state of the protocol's model: the version server, the entries, the database, the actors. */
final class ModelState {
  /** The versions of two tables, of everything, and of the catalog. */
  static final int KEYS = 4;

  static final int TABLES = 2;

  /** A transaction of a writer, as the primary knows it. */
  enum Transaction {
    NONE,
    IN_PROGRESS,
    /** Waiting for its COMMIT PREPARED. */
    PREPARED,
    ENDED
  }

  /**
   * A result.
   *
   * @param rows of each table the number of commits that it shows
   */
  record Entry(RemoteTokens tokens, List<Integer> rows) {}

  final @Nullable VersionValue[] values;
  final long[] numbers;
  final @Nullable Entry[] entries;
  final int[] committed;
  final Transaction[] transactions;
  final Object[] actors;

  /** Whose client is gone; the actors' states say so, too. */
  final boolean[] orphaned;

  @Nullable VersionRequest inFlight;
  long nextNumber = 1;
  long life = 1;
  long nextToken = 1;

  /** The token that the version of table 0 had at the start. */
  Token firstLife = new Token(0, 0);

  int evictions;
  int restarts;
  int losses;
  int crashes;

  /** Whether a write of table 0 writes table 1, too. */
  boolean trigger;

  ModelState(int actors, int writers) {
    values = new VersionValue[KEYS];
    numbers = new long[KEYS];
    entries = new Entry[KEYS];
    committed = new int[TABLES];
    transactions = new Transaction[writers];
    Arrays.fill(transactions, Transaction.NONE);
    this.actors = new Object[actors];
    orphaned = new boolean[writers];
  }

  private ModelState(ModelState from) {
    values = from.values.clone();
    numbers = from.numbers.clone();
    entries = from.entries.clone();
    committed = from.committed.clone();
    transactions = from.transactions.clone();
    actors = from.actors.clone();
    orphaned = from.orphaned.clone();
    inFlight = from.inFlight;
    nextNumber = from.nextNumber;
    life = from.life;
    nextToken = from.nextToken;
    firstLife = from.firstLife;
    evictions = from.evictions;
    restarts = from.restarts;
    losses = from.losses;
    crashes = from.crashes;
    trigger = from.trigger;
  }

  ModelState copy() {
    return new ModelState(this);
  }

  Token token() {
    return new Token(0, nextToken++);
  }

  void store(int key, @Nullable VersionValue value) {
    values[key] = value;
    numbers[key] = value == null ? 0 : nextNumber++;
  }

  void restart() {
    for (int key = 0; key < KEYS; key++) {
      store(key, null);
    }
    nextNumber = 1;
    life++;
  }

  /** Does what memcached does. */
  VersionReply execute(VersionRequest request, ModelMutant mutant) {
    int key = Integer.parseInt(request.key());
    VersionValue value = values[key];
    if (request instanceof VersionRequest.Gets) {
      return value == null
          ? VersionReply.of(VersionReply.Outcome.MISSING)
          : VersionReply.found(new VersionItem(request.key(), value, numbers[key], life));
    } else if (request instanceof VersionRequest.Append append) {
      if (value == null) {
        return VersionReply.of(VersionReply.Outcome.NOT_STORED);
      }
      store(key, value.announced(append.mark()));
    } else if (request instanceof VersionRequest.Add add) {
      if (value != null) {
        return VersionReply.of(VersionReply.Outcome.NOT_STORED);
      }
      store(key, add.value());
    } else if (request instanceof VersionRequest.Remove) {
      if (value == null) {
        return VersionReply.of(VersionReply.Outcome.NOT_STORED);
      }
      store(key, null);
    } else if (request instanceof VersionRequest.Cas cas) {
      if (value == null) {
        return VersionReply.of(VersionReply.Outcome.MISSING);
      }
      boolean sameLife = cas.item().life() == life || mutant == ModelMutant.CAS_ACROSS_LIVES;
      if (numbers[key] != cas.item().cas() || !sameLife) {
        return VersionReply.of(VersionReply.Outcome.CHANGED);
      }
      store(key, cas.value());
    }
    return VersionReply.of(VersionReply.Outcome.STORED);
  }

  /** Answers what the primary would. */
  WritersInProgress inProgress(ModelMutant mutant) {
    Set<String> names = new HashSet<>();
    for (int writer = 0; writer < transactions.length; writer++) {
      if (orphaned[writer] && mutant == ModelMutant.DEAD_JVM_IS_DEAD_MARK) {
        continue;
      }
      boolean renamed = mutant == ModelMutant.PREPARED_TRANSACTION_CHANGES_ITS_NAME;
      if (transactions[writer] == Transaction.IN_PROGRESS) {
        names.add("x" + writer);
      } else if (transactions[writer] == Transaction.PREPARED) {
        names.add((renamed ? "p" : "x") + writer);
      }
    }
    return new WritersInProgress(1, names);
  }

  List<Integer> rows() {
    return List.of(committed[0], committed[1]);
  }
}
