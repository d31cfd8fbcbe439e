package dev.larder.memcached.protocol;

/** The protocol as it is, and with one mistake each. */
enum ModelMutant {
  NONE,
  /** A reader takes a version that is missing for unchanged. */
  MISSING_VERSION_IS_FRESH,
  /** A reader makes a missing version ready at once. */
  SEED_WITHOUT_BARRIER,
  /** A mark goes away after some time. */
  MARK_EXPIRES_BY_CLOCK,
  /** A writer announces before its first statement has run. */
  ANNOUNCE_BEFORE_LOCK,
  /** A writer publishes what it last saw, over whatever is there. */
  BLIND_PUBLISH,
  /** A writer takes away the marks of its JVM's writers that have yet to commit, too. */
  PUBLISH_FOR_WHO_HAS_NOT_FINISHED,
  /** The barrier stores what it last saw, over whatever is there. */
  BARRIER_WITHOUT_CAS,
  /** A writer does not announce; it deletes the versions after its commit. */
  DELETE_AFTER_COMMIT_ONLY,
  /** Marks of a JVM that is gone are taken away. */
  DEAD_JVM_IS_DEAD_MARK,
  /** A writer whose commit's outcome is unknown publishes. */
  PUBLISH_OF_UNKNOWN_OUTCOME,
  /** A writer commits though an announce was not answered. */
  COMMIT_WITHOUT_ACKNOWLEDGEMENT,
  /** The primary is asked before the version is looked at. */
  BARRIER_ASKS_FIRST,
  /** What was seen at a version is believed of one that was made after an eviction. */
  SIGHTING_OUTLIVES_EVICTION,
  /** The barrier takes away the marks that came after its sighting, too. */
  BARRIER_TAKES_LATER_MARKS,
  /** The number of a value is believed after the server was started again. */
  CAS_ACROSS_LIVES,
  /** A prepared transaction goes by another name than before. */
  PREPARED_TRANSACTION_CHANGES_ITS_NAME,
  /** A writer does not ask whether the version of the catalog that it looked up in is true. */
  CATALOG_IS_NOT_CHECKED,
  /** A reader takes the answer to a question for versions that was sent before it began. */
  JOINS_THE_READ_UNDER_WAY,
  /** The rows are read before the versions under which they are kept. */
  CAPTURE_AFTER_EXECUTE,
  /** A version that the barrier has made ready has the life of the one before. */
  LIFE_IS_NOT_RENEWED,
  /** A write of any rows leaves the life of the version. */
  WHOLE_WRITE_LEAVES_THE_LIFE,
  /** A reader of some rows does not look at the buckets of marks. */
  MARK_WITH_BUCKETS_IS_NO_MARK,
  /** A publish raises no counts. */
  COUNTS_ARE_NOT_RAISED,
  /** Buckets are compared whichever schemes they belong to. */
  LAYOUT_IS_NOT_COMPARED,
  /** What the rows show to depend on is counted after they were read. */
  LATE_COUNTS_ARE_READ_LATER
}
