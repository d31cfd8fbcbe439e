package dev.larder.jdbc.postgresql;

import dev.larder.engine.Plan;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.CachedQuery;
import org.postgresql.core.Oid;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PgStatement;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Foretells in which format the driver of one connection would receive the next result of a text,
 * had all executions of the text reached the server, and has it received so where one is sent. A
 * hit reaches neither the server nor the driver, but to the application it is an execution like the
 * others: the bare driver would have counted it, prepared the text at its threshold, and then asked
 * for binary values.
 *
 * <p>Only texts are followed whose results depend on the format. Bounded; what is forgotten begins
 * again with what the driver knows. As thread-safe as the driver's connection: threads that share
 * one may see each other's executions late.
 */
public final class ResultFormats {
  /** How a result has come, as far as its columns show it. */
  public enum Format {
    /** The getters answer alike in either format. */
    ANY,
    /** As the server writes values. */
    TEXT,
    /** As the server stores values. */
    BINARY
  }

  /** Of all texts that are followed; each counts as {@link #TEXT_CHARACTERS} more. */
  private static final int MAX_CHARACTERS = 1 << 19;

  private static final int TEXT_CHARACTERS = 100;

  /** The largest scale with which the driver writes every number as the server does. */
  private static final int PLAIN_SCALE = 6;

  private static final boolean ALWAYS_FORCED = Boolean.getBoolean("org.postgresql.forceBinary");

  private final PgConnection driver;
  private final ConcurrentMap<Plan, Executions> texts = new ConcurrentHashMap<>();
  private final AtomicInteger characters = new AtomicInteger();

  ResultFormats(PgConnection driver) {
    this.driver = driver;
  }

  // ---- results

  /** Returns the format of a result of this connection that has {@code columns}. */
  public Format of(ResultColumns columns) {
    for (int i = 0; i < columns.count(); i++) {
      ResultColumn column = columns.get(i);
      if (!isAlike(column) && driver.getQueryExecutor().useBinaryForReceive(column.typeOid())) {
        return column.binary() ? Format.BINARY : Format.TEXT;
      }
    }
    return Format.ANY;
  }

  /** Whether getters answer alike in both formats, but for those that ask for the bytes. */
  private static boolean isAlike(ResultColumn column) {
    return switch (column.typeOid()) {
      case Oid.INT2, Oid.INT4, Oid.INT8, Oid.OID, Oid.UUID, Oid.TEXT, Oid.VARCHAR -> true;
      case Oid.NUMERIC -> isPlain(column.typeModifier());
      default -> false;
    };
  }

  /** The driver writes 0.00000001 as 1E-8. */
  private static boolean isPlain(int numericModifier) {
    int scale = (numericModifier - 4) & 0x7ff;
    return numericModifier >= 4 && scale <= PLAIN_SCALE;
  }

  // ---- executions

  /**
   * Counts an execution, and returns whether the driver would receive its result in binary.
   *
   * @param made the driver's statement, or null where there is none yet, and so none with settings
   *     of its own
   * @param prepared whether the statement is a prepared one
   * @param types a number that differs where the types of the parameters do
   */
  public boolean executes(Plan plan, @Nullable Statement made, boolean prepared, int types) {
    PgStatement statement = statement(made);
    PreferQueryMode mode = driver.getPreferQueryMode();
    boolean simple = isSimple(mode, prepared);
    boolean forced = !simple && isForced(statement);
    if (simple || (!prepared && mode != PreferQueryMode.EXTENDED_CACHE_EVERYTHING)) {
      return forced;
    }
    Executions known = texts.get(plan);
    if (known == null) {
      known = begin(plan, statement, prepared);
    }
    return known.next(threshold(statement), forced, StatementInternals.epoch(driver), types);
  }

  /**
   * Returns whether the driver would receive the first result of a text in binary; counts nothing.
   */
  public boolean beginsInBinary(@Nullable Statement made, boolean prepared) {
    return isForced(statement(made)) && !isSimple(driver.getPreferQueryMode(), prepared);
  }

  private static boolean isSimple(PreferQueryMode mode, boolean prepared) {
    return mode == PreferQueryMode.SIMPLE
        || (!prepared && mode == PreferQueryMode.EXTENDED_FOR_PREPARED);
  }

  /**
   * Called before an execution is sent that was counted last.
   *
   * @return whether the driver now asks for a description first, and so for binary values: {@link
   *     #sent} must follow
   */
  public boolean sending(Plan plan, Statement made) {
    Executions known = texts.get(plan);
    PgStatement statement = statement(made);
    if (known == null || statement == null) {
      return false;
    }
    boolean ready = known.send(threshold(statement), StatementInternals.epoch(driver));
    return known.foretold
        && !ready
        && !isForced(statement)
        && StatementInternals.force(statement, true);
  }

  /** Ends what {@link #sending} has begun, if it has returned true. */
  public void sent(Statement made) {
    PgStatement statement = statement(made);
    if (statement != null) {
      StatementInternals.force(statement, false);
    }
  }

  /**
   * Notes how a result has come.
   *
   * @param foretold what {@link #executes} has returned
   */
  public void received(Plan plan, boolean foretold, boolean binary) {
    Executions known = texts.get(plan);
    if (known != null && foretold != binary) {
      known.came(binary);
    }
  }

  private Executions begin(Plan plan, @Nullable PgStatement statement, boolean prepared) {
    int length = plan.sql().length() + TEXT_CHARACTERS;
    if (characters.addAndGet(length) > MAX_CHARACTERS) {
      texts.clear();
      characters.set(length);
    }
    int before = executionsOf(plan, statement, prepared);
    Executions begun =
        new Executions(before, threshold(statement), StatementInternals.epoch(driver));
    Executions other = texts.putIfAbsent(plan, begun);
    return other == null ? begun : other;
  }

  /** Returns how many executions the driver itself has counted. */
  private int executionsOf(Plan plan, @Nullable PgStatement statement, boolean prepared) {
    CachedQuery own = statement == null ? null : StatementInternals.query(statement);
    if (own != null) {
      return own.getExecuteCount();
    }
    QueryExecutor executor = driver.getQueryExecutor();
    try {
      Object key = executor.createQueryKey(plan.sql(), true, prepared);
      CachedQuery query = executor.borrowQueryByKey(key);
      int count = query.getExecuteCount();
      executor.releaseQuery(query);
      return count;
    } catch (SQLException e) {
      return 0;
    }
  }

  private int threshold(@Nullable PgStatement statement) {
    return statement == null ? driver.getPrepareThreshold() : statement.getPrepareThreshold();
  }

  private boolean isForced(@Nullable PgStatement statement) {
    return statement == null
        ? ALWAYS_FORCED || driver.getForceBinary()
        : StatementInternals.isForced(statement, ALWAYS_FORCED || driver.getForceBinary());
  }

  private static @Nullable PgStatement statement(@Nullable Statement made) {
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

  /** The executions of one text: as the application counts them, and as the driver does. */
  private static final class Executions {
    /** Those of executions that were not followed. */
    private static final int NO_TYPES = Integer.MIN_VALUE;

    private int count;
    private int epoch;
    private int types;
    private boolean prepared;
    private boolean foretold;

    private int sent;
    private int sentEpoch;
    private boolean described;

    Executions(int before, int threshold, int epoch) {
      this.count = before;
      this.epoch = epoch;
      this.prepared = threshold > 0 && before >= threshold;
      this.sent = before;
      this.sentEpoch = epoch;
      this.types = NO_TYPES;
    }

    boolean next(int threshold, boolean forced, int presentEpoch, int presentTypes) {
      count++;
      boolean valid = epoch == presentEpoch && (types == presentTypes || types == NO_TYPES);
      // A text that is parsed anew is described only afterwards.
      boolean binary = prepared ? valid : forced;
      prepared = forced || (prepared && valid) || (threshold > 0 && count >= threshold);
      epoch = presentEpoch;
      types = presentTypes;
      foretold = binary;
      return binary;
    }

    /** Returns whether the driver, left alone, has the text prepared and described. */
    boolean send(int threshold, int presentEpoch) {
      boolean ready =
          (described || (threshold > 0 && sent >= threshold)) && sentEpoch == presentEpoch;
      sent++;
      sentEpoch = presentEpoch;
      return ready;
    }

    void came(boolean binary) {
      if (binary) {
        prepared = true;
        described = true;
      } else {
        sent = 0;
        described = false;
      }
    }
  }
}
