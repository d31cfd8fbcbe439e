package dev.larder.engine;

/**
 * Which database this is, however its address is spelled: the key of everything that is
 * process-wide.
 *
 * @param systemIdentifier the cluster's, from pg_control_system()
 * @param databaseOid the database's object identifier
 */
public record DatabaseIdentity(String systemIdentifier, long databaseOid) {
  /** Stands for every database that does not say which one it is. */
  public static final DatabaseIdentity UNKNOWN = new DatabaseIdentity("", 0);

  /** Returns whether this is {@link #UNKNOWN}. */
  public boolean isUnknown() {
    return databaseOid == 0 && systemIdentifier.isEmpty();
  }

  @Override
  public String toString() {
    return systemIdentifier + '/' + databaseOid;
  }

  String describe() {
    return isUnknown()
        ? "databases that do not say which they are"
        : "database " + databaseOid + " of cluster " + systemIdentifier;
  }
}
