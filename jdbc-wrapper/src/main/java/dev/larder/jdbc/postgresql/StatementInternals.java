package dev.larder.jdbc.postgresql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.CachedQuery;
import org.postgresql.core.Field;
import org.postgresql.core.ParameterList;
import org.postgresql.core.Query;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PgStatement;
import org.postgresql.util.LruCache;

/**
 * What the driver's statements decide the format of their results by. No API of the driver; where a
 * member is missing a result may come in another format than was foretold, and is not kept.
 */
final class StatementInternals {
  private static final @Nullable VarHandle FORCED =
      find(PgStatement.class.getName(), "forceBinaryTransfers", boolean.class);

  private static final @Nullable VarHandle QUERY =
      find("org.postgresql.jdbc.PgPreparedStatement", "preparedQuery", CachedQuery.class);

  private static final @Nullable VarHandle PARAMETERS =
      find("org.postgresql.jdbc.PgPreparedStatement", "preparedParameters", ParameterList.class);

  private static final @Nullable VarHandle EPOCH =
      find("org.postgresql.core.v3.QueryExecutorImpl", "deallocateEpoch", short.class);

  private static final String SIMPLE_QUERY = "org.postgresql.core.v3.SimpleQuery";

  private static final @Nullable VarHandle NAME = find(SIMPLE_QUERY, "statementName", String.class);

  private static final @Nullable VarHandle FIELDS = find(SIMPLE_QUERY, "fields", Field[].class);

  private static final @Nullable VarHandle CACHE =
      find("org.postgresql.core.QueryExecutorBase", "statementCache", LruCache.class);

  private static final @Nullable VarHandle MAX_TEXTS =
      find(LruCache.class.getName(), "maxSizeEntries", int.class);

  private static final @Nullable VarHandle MAX_BYTES =
      find(LruCache.class.getName(), "maxSizeBytes", long.class);

  private static final int DEFAULT_TEXTS = 256;
  private static final long DEFAULT_BYTES = 5L << 20;

  private static final @Nullable Class<?> PREPARED = QUERY == null ? null : owner(QUERY);
  private static final @Nullable Class<?> EXECUTOR = EPOCH == null ? null : owner(EPOCH);

  private StatementInternals() {}

  private static @Nullable VarHandle find(String owner, String field, Class<?> type) {
    try {
      Class<?> found = Class.forName(owner, false, PgConnection.class.getClassLoader());
      return MethodHandles.privateLookupIn(found, MethodHandles.lookup())
          .findVarHandle(found, field, type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static Class<?> owner(VarHandle handle) {
    return handle.coordinateTypes().get(0);
  }

  /**
   * Returns whether a statement has its text described before the first execution.
   *
   * @param otherwise what is returned where that cannot be found out
   */
  static boolean isForced(PgStatement statement, boolean otherwise) {
    VarHandle handle = FORCED;
    return handle == null ? otherwise : (boolean) handle.get(statement);
  }

  /** Makes {@link #isForced} answer {@code forced}; returns whether that can be done. */
  static boolean force(PgStatement statement, boolean forced) {
    VarHandle handle = FORCED;
    if (handle == null) {
      return false;
    }
    handle.set(statement, forced);
    return true;
  }

  /** Returns the text of a prepared statement with the driver's count of its executions. */
  static @Nullable CachedQuery query(PgStatement statement) {
    VarHandle handle = QUERY;
    Class<?> prepared = PREPARED;
    return handle != null && prepared != null && prepared.isInstance(statement)
        ? (CachedQuery) handle.get(statement)
        : null;
  }

  /** Returns the driver's statement behind {@code made}, or null where there is none. */
  static @Nullable PgStatement statement(@Nullable Statement made) {
    if (made instanceof PgStatement statement) {
      return statement;
    }
    try {
      return made != null && made.isWrapperFor(PgStatement.class)
          ? made.unwrap(PgStatement.class)
          : null;
    } catch (SQLException e) {
      return null; // It is closed, which the execution will say.
    }
  }

  /** Returns the types that parameters are declared to be of, or null where nobody says so. */
  static int @Nullable [] parameterTypes(Statement made) {
    VarHandle handle = PARAMETERS;
    PgStatement statement = statement(made);
    if (handle == null || !owner(handle).isInstance(statement)) {
      return null;
    }
    try {
      return ((ParameterList) handle.get(statement)).getTypeOIDs();
    } catch (UnsupportedOperationException e) {
      return null; // Those of several statements in one text.
    }
  }

  /** Returns whether the server has a name for the text, and the driver its columns. */
  static boolean isDescribed(Query query) {
    VarHandle name = NAME;
    VarHandle fields = FIELDS;
    return name != null
        && fields != null
        && owner(name).isInstance(query)
        && name.get(query) != null
        && fields.get(query) != null;
  }

  /** Returns whether {@link #isDescribed} and {@link #force} know what they say and do. */
  static boolean areKnown() {
    return FORCED != null && QUERY != null && NAME != null && FIELDS != null;
  }

  /** Returns what the driver would keep of the texts of a connection without statements. */
  static KeptTexts texts(PgConnection driver) {
    VarHandle handle = CACHE;
    VarHandle texts = MAX_TEXTS;
    VarHandle bytes = MAX_BYTES;
    QueryExecutor executor = driver.getQueryExecutor();
    if (handle == null || texts == null || bytes == null || !owner(handle).isInstance(executor)) {
      return new KeptTexts(DEFAULT_TEXTS, DEFAULT_BYTES);
    }
    Object cache = handle.get(executor);
    return new KeptTexts((int) texts.get(cache), (long) bytes.get(cache));
  }

  /** Returns a number that changes when the driver has to have all its texts parsed again. */
  static int epoch(PgConnection driver) {
    VarHandle handle = EPOCH;
    Class<?> known = EXECUTOR;
    QueryExecutor executor = driver.getQueryExecutor();
    return handle != null && known != null && known.isInstance(executor)
        ? (short) handle.get(executor)
        : 0;
  }
}
