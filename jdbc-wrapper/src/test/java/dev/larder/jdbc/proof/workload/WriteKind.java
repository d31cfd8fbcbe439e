package dev.larder.jdbc.proof.workload;

/** The sorts of transactions that write. */
public enum WriteKind {
  /** One UPDATE ... RETURNING in autocommit. */
  AUTOCOMMIT(12, 0),
  /** WITH containing data-modifying statements, in autocommit. */
  MODIFYING_WITH(6, 0),
  /** Several statements in one text. */
  MULTIPLE_STATEMENTS(5, 0),
  /** Several lines and slots, savepoints, batches, reads of what it wrote. */
  EXPLICIT(14, 0),
  /** A write, a savepoint, a rollback to it, and a commit. */
  SAVEPOINT(5, 0),
  /** As EXPLICIT, and rolled back. */
  ROLLED_BACK(5, 0),
  /** Locks, and then writes several tables by one batch. */
  BATCH(6, 0),
  /** A statement fails, and so must every one after it. */
  FAILED(2, 0),
  /** PREPARE TRANSACTION, and COMMIT PREPARED or ROLLBACK PREPARED elsewhere. */
  TWO_PHASE(2, 0),
  /** Deletes that foreign keys and triggers follow, and what makes up for them. */
  DELETES(8, 0),
  /** A function, a procedure or a block that Larder does not know. */
  UNKNOWN(4, 200),
  /** TRUNCATE, of partitions and cascading too. */
  TRUNCATE(3, 60),
  /** ALTER TABLE that rewrites the table. */
  REWRITE(2, 900),
  /** A view is defined anew. */
  VIEW(3, 700),
  /** A write that is under way while a trigger is switched and the catalog is read anew. */
  SLOW(0, 0),
  /** A trigger is switched on or off, while a writer may wait. */
  TRIGGER(3, 1500),
  /** Rows come to be told apart by other columns, while a writer may wait; with or past Larder. */
  SCHEME(2, 500),
  /** The connection dies between COMMIT and its answer, and the commit happens later. */
  LOST(2, 1500),
  /** COPY ... FROM STDIN by the driver's interface. */
  COPY(4, 0),
  /** Rows of an updatable result set are updated and deleted. */
  UPDATABLE(4, 0),
  /** A branch of a distributed transaction, in one phase or two. */
  XA(2, 100),
  /** The server process is terminated while it commits. */
  TERMINATED(2, 700),
  /** The server process is stopped while it commits, and continued. */
  FROZEN(2, 500),
  /** A statement is cancelled while it runs. */
  CANCELLED(2, 100);

  private final int weight;
  private final int pauseMillis;

  WriteKind(int weight, int pauseMillis) {
    this.weight = weight;
    this.pauseMillis = pauseMillis;
  }

  int weight() {
    return weight;
  }

  /** How long to wait at least after one of this kind, because it invalidates everything. */
  int pauseMillis() {
    return pauseMillis;
  }
}
