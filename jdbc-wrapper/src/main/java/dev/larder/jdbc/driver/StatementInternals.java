package dev.larder.jdbc.driver;

import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.CachedQuery;
import org.postgresql.core.Field;
import org.postgresql.core.ParameterList;
import org.postgresql.core.Query;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.PgStatement;
import org.postgresql.util.LruCache;

/**
 * The fields of the driver's statements that decide the format of their results, and whether their
 * texts are parsed again: they are no API. Where a version of the driver lacks one, no format is
 * foretold, and a result that comes in binary is not kept. But for {@link #statement} and {@link
 * #parameterTypes}, call nothing unless {@link #areKnown}. Stateless.
 */
public final class StatementInternals {
  private static final boolean KNOWN = areFound();

  /** Does not initialize where a field is missing. */
  private static final class Handles {
    static final VarHandle FORCED =
        DriverFields.find(PgStatement.class.getName(), "forceBinaryTransfers", boolean.class);
    static final VarHandle QUERY = ofPrepared("preparedQuery", CachedQuery.class);
    static final VarHandle PARAMETERS = ofPrepared("preparedParameters", ParameterList.class);
    static final VarHandle NAME = ofQuery("statementName", String.class);
    static final VarHandle FIELDS = ofQuery("fields", Field[].class);
    static final VarHandle QUERY_EPOCH = ofQuery("deallocateEpoch", short.class);
    static final VarHandle EPOCH =
        DriverFields.find(
            "org.postgresql.core.v3.QueryExecutorImpl", "deallocateEpoch", short.class);
    static final VarHandle CACHE =
        DriverFields.find(
            "org.postgresql.core.QueryExecutorBase", "statementCache", LruCache.class);
    static final VarHandle MAX_TEXTS = ofCache("maxSizeEntries", int.class);
    static final VarHandle MAX_BYTES = ofCache("maxSizeBytes", long.class);

    static final Class<?> PREPARED = QUERY.coordinateTypes().get(0);
    static final Class<?> SIMPLE_QUERY = NAME.coordinateTypes().get(0);

    private static VarHandle ofPrepared(String field, Class<?> type) {
      return DriverFields.find("org.postgresql.jdbc.PgPreparedStatement", field, type);
    }

    private static VarHandle ofQuery(String field, Class<?> type) {
      return DriverFields.find("org.postgresql.core.v3.SimpleQuery", field, type);
    }

    private static VarHandle ofCache(String field, Class<?> type) {
      return DriverFields.find(LruCache.class.getName(), field, type);
    }
  }

  private StatementInternals() {}

  private static boolean areFound() {
    try {
      return Handles.PREPARED != null;
    } catch (LinkageError e) {
      return false;
    }
  }

  /** Returns whether this version of the driver has all these fields. */
  public static boolean areKnown() {
    return KNOWN;
  }

  /** Returns the driver's statement behind {@code made}, or null where there is none. */
  public static @Nullable PgStatement statement(@Nullable Statement made) {
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

  /** Returns the types that parameters are declared to be of, or null where they are unknown. */
  public static int @Nullable [] parameterTypes(Statement made) {
    PgStatement statement = statement(made);
    if (!KNOWN || !Handles.PREPARED.isInstance(statement)) {
      return null;
    }
    try {
      return ((ParameterList) Handles.PARAMETERS.get(statement)).getTypeOIDs();
    } catch (UnsupportedOperationException e) {
      return null; // Those of several statements in one text.
    }
  }

  /** Returns whether a statement has its text described before the first execution. */
  public static boolean isForced(PgStatement statement) {
    return (boolean) Handles.FORCED.get(statement);
  }

  /** Makes {@link #isForced} answer {@code forced}. */
  public static void force(PgStatement statement, boolean forced) {
    Handles.FORCED.set(statement, forced);
  }

  /** Returns the text of a prepared statement with the driver's count of its executions. */
  public static @Nullable CachedQuery query(PgStatement statement) {
    return Handles.PREPARED.isInstance(statement)
        ? (CachedQuery) Handles.QUERY.get(statement)
        : null;
  }

  /** Returns whether the server has a name for the text, and the driver its columns. */
  public static boolean isDescribed(Query query, QueryExecutor executor) {
    return isNamed(query)
        && Handles.FIELDS.get(query) != null
        && (short) Handles.QUERY_EPOCH.get(query) == epoch(executor);
  }

  private static boolean isNamed(Query query) {
    return Handles.SIMPLE_QUERY.isInstance(query) && Handles.NAME.get(query) != null;
  }

  /**
   * Returns whether the server has a name for the text that the driver will not use any more, and
   * some columns came in binary.
   */
  public static boolean wasBinary(Query query, QueryExecutor executor) {
    return isNamed(query)
        && (short) Handles.QUERY_EPOCH.get(query) != epoch(executor)
        && Handles.FIELDS.get(query) instanceof Field[] fields
        && Arrays.stream(fields).anyMatch(field -> field.getFormat() == Field.BINARY_FORMAT);
  }

  /**
   * Returns the number that the driver notes of each text when it has it parsed under a name. It
   * has a text parsed again that has another, and gives up the old name.
   */
  public static short epoch(QueryExecutor executor) {
    return (short) Handles.EPOCH.get(executor);
  }

  /** Returns the {@link #epoch} of when a text was last parsed under a name. */
  public static short epoch(Query query) {
    return Handles.SIMPLE_QUERY.isInstance(query) ? (short) Handles.QUERY_EPOCH.get(query) : 0;
  }

  /** Sets the {@link #epoch}. */
  public static void setEpoch(QueryExecutor executor, short epoch) {
    Handles.EPOCH.set(executor, epoch);
  }

  /** Returns how many texts the driver keeps. */
  public static int maxTexts(QueryExecutor executor) {
    return (int) Handles.MAX_TEXTS.get(Handles.CACHE.get(executor));
  }

  /** Returns how many bytes of texts the driver keeps, by its own estimate. */
  public static long maxTextBytes(QueryExecutor executor) {
    return (long) Handles.MAX_BYTES.get(Handles.CACHE.get(executor));
  }
}
