package dev.larder.jdbc.format;

import dev.larder.jdbc.driver.StatementInternals;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.CachedQuery;
import org.postgresql.core.Oid;
import org.postgresql.core.Query;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PgStatement;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Foretells in which format the driver would receive the next result of a text, had all executions
 * of the text reached the server. Where an execution is sent, its result is received in that
 * format. A hit reaches neither the server nor the driver, but the bare driver would have counted
 * it, prepared the text at its threshold, and then asked for binary values.
 *
 * <p>Executions are counted only of texts whose results depend on the format, and for as long as
 * the driver would have kept the text: {@link KeptTexts}. What Larder itself forgets begins again
 * with the driver's count. One object serves one connection, and is as thread-safe as it: threads
 * that share a connection may see each other's executions late.
 */
public final class ResultFormats {
  /** In the options of a key, beside the limit of rows: values are binary. */
  public static final long BINARY = 1L << 62;

  /** How a result has come, as far as its columns show it. */
  public enum Format {
    /** The getters answer alike in either format. */
    ANY,
    /** As the server writes values. */
    TEXT,
    /** As the server stores values. */
    BINARY
  }

  /** What the text of a call is kept by. */
  private record Call(String sql) {}

  /** The largest scale with which the driver writes every number as the server does. */
  private static final int PLAIN_SCALE = 6;

  private static final boolean KNOWN = StatementInternals.areKnown();
  private static final boolean ALWAYS_FORCED = Boolean.getBoolean("org.postgresql.forceBinary");

  private final PgConnection driver;
  private final ParsedTexts parsed;

  /** Null until the first result that depends on its format. */
  private volatile @Nullable KeptTexts texts;

  /** Creates what foretells the formats of one connection. */
  public ResultFormats(PgConnection driver) {
    this.driver = driver;
    this.parsed = new ParsedTexts(driver.getQueryExecutor());
  }

  /** Returns what tells which texts are to be parsed again. */
  public ParsedTexts parsed() {
    return parsed;
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

  // ---- texts

  /**
   * Returns the text of a statement that is being prepared, or null where no result of this
   * connection has depended on its format yet.
   */
  public @Nullable CountedText prepared(String sql, boolean call) {
    KeptTexts followed = texts;
    return followed == null ? null : followed.take(key(sql, call), sql);
  }

  /** Returns the text of a prepared statement for which {@link #prepared} has returned null. */
  public CountedText follow(String sql) {
    return followed().adopt(sql, sql);
  }

  /**
   * Notes that a statement was closed, once.
   *
   * @param text what {@link #prepared} or {@link #follow} has returned for it
   */
  public void closed(@Nullable CountedText text, String sql, boolean call) {
    KeptTexts followed = texts;
    if (followed != null) {
      followed.putBack(text == null ? followed.adopt(key(sql, call), sql) : text);
    }
  }

  /** Notes that a plain statement runs, whose text the driver may keep, too. */
  public void runsPlain(String sql) {
    KeptTexts followed = texts;
    if (followed != null
        && driver.getPreferQueryMode() == PreferQueryMode.EXTENDED_CACHE_EVERYTHING) {
      followed.putBack(followed.take(plainKey(sql), sql));
    }
  }

  private static Object key(String sql, boolean call) {
    return call ? new Call(sql) : sql;
  }

  private Object plainKey(String sql) {
    return driver.getQueryExecutor().createQueryKey(sql, true, false);
  }

  private KeptTexts followed() {
    KeptTexts followed = texts;
    if (followed == null) {
      QueryExecutor executor = driver.getQueryExecutor();
      followed =
          KNOWN
              ? new KeptTexts(
                  StatementInternals.maxTexts(executor), StatementInternals.maxTextBytes(executor))
              : new KeptTexts(0, 0);
      texts = followed;
    }
    return followed;
  }

  // ---- executions

  /**
   * Counts an execution of a prepared statement, and returns whether the driver would receive its
   * result in binary.
   *
   * @param made the driver's statement, or null where there is none yet, and so none with settings
   *     of its own
   * @param types a number that differs where the types of the parameters do
   */
  public boolean executes(CountedText text, @Nullable Statement made, int types) {
    return !isSimple(true) && next(text, StatementInternals.statement(made), types);
  }

  /**
   * Notes that the driver has asked the server for the columns of a text, from when on it receives
   * them in binary.
   *
   * @param types a number that differs where the types of the parameters do; 0 where not all are
   *     set
   */
  public void describes(CountedText text, int types) {
    text.described(parsed.forgotten(), types);
  }

  /**
   * Notes that the driver has asked the server for the parameters of a text.
   *
   * @param types a number that differs where the types of the parameters do; 0 where not all are
   *     set
   */
  public void describesParameters(CountedText text, int types) {
    text.parsed(types);
  }

  /**
   * Counts an execution of a plain statement, and returns whether the driver would receive its
   * result in binary.
   *
   * @param made the driver's statement
   */
  public boolean executesPlain(String sql, @Nullable Statement made) {
    if (driver.getPreferQueryMode() != PreferQueryMode.EXTENDED_CACHE_EVERYTHING) {
      return isForced(StatementInternals.statement(made)) && !isSimple(false);
    }
    KeptTexts followed = followed();
    CountedText text = followed.take(plainKey(sql), sql);
    boolean binary = next(text, StatementInternals.statement(made), 0);
    followed.putBack(text);
    return binary;
  }

  /** Returns the text of a plain statement that was executed last, if it is followed. */
  public @Nullable CountedText plain(String sql) {
    KeptTexts followed = texts;
    return followed == null ? null : followed.find(plainKey(sql));
  }

  private boolean isSimple(boolean prepared) {
    PreferQueryMode mode = driver.getPreferQueryMode();
    return mode == PreferQueryMode.SIMPLE
        || (!prepared && mode == PreferQueryMode.EXTENDED_FOR_PREPARED);
  }

  private boolean next(CountedText text, @Nullable PgStatement statement, int types) {
    if (!KNOWN) {
      return false;
    }
    int threshold =
        statement == null ? driver.getPrepareThreshold() : statement.getPrepareThreshold();
    int epoch = parsed.forgotten();
    if (text.isUnknown()) {
      CachedQuery query = query(text, statement);
      text.begin(query == null ? 0 : query.getExecuteCount(), threshold, epoch);
      if (query != null && StatementInternals.isDescribed(query.query, driver.getQueryExecutor())) {
        text.described(epoch, 0);
      }
    }
    return text.next(threshold, isForced(statement), epoch, types);
  }

  private boolean isForced(@Nullable PgStatement statement) {
    if (KNOWN && statement != null) {
      return StatementInternals.isForced(statement);
    }
    return ALWAYS_FORCED || driver.getForceBinary();
  }

  /** Returns what the driver knows of a text, or null where that cannot be found out. */
  private @Nullable CachedQuery query(CountedText text, @Nullable PgStatement statement) {
    CachedQuery own = statement == null ? null : StatementInternals.query(statement);
    if (own != null) {
      return own;
    }
    QueryExecutor executor = driver.getQueryExecutor();
    try {
      CachedQuery query = executor.borrowQueryByKey(text.key());
      executor.releaseQuery(query);
      return query;
    } catch (SQLException e) {
      return null;
    }
  }

  /**
   * Has the result of the execution that was counted last come as it was foretold, though the
   * driver has not seen all executions. To be called before it is sent.
   *
   * @return what is to be done afterwards
   */
  public Runnable sending(CountedText text, Statement made) {
    PgStatement statement = StatementInternals.statement(made);
    CachedQuery counted =
        !KNOWN || statement == null || text.isUnknown() ? null : query(text, statement);
    if (statement == null || counted == null) {
      return ResultFormats::nothing;
    }
    Query query = counted.query;
    boolean forced = StatementInternals.isForced(statement);
    boolean binary = text.isForetold();
    boolean known = StatementInternals.isDescribed(query, driver.getQueryExecutor());
    boolean again = text.isSentAgain(counted);
    if (binary && known && again) {
      return ResultFormats::nothing;
    }
    if (known || binary || forced) {
      query.close(); // The driver then has the text parsed and described anew.
    }
    if (forced == binary) {
      return ResultFormats::nothing;
    }
    StatementInternals.force(statement, binary);
    return () -> StatementInternals.force(statement, forced);
  }

  /**
   * Has the result come in binary where it would, were the text not parsed again. To be called
   * before a statement is sent whose format is not foretold.
   *
   * @return what is to be done afterwards
   */
  public Runnable parsingAgain(Statement made) {
    PgStatement statement = KNOWN ? StatementInternals.statement(made) : null;
    CachedQuery query = statement == null ? null : StatementInternals.query(statement);
    if (statement == null
        || query == null
        || StatementInternals.isForced(statement)
        || !StatementInternals.wasBinary(query.query, driver.getQueryExecutor())
        || parsed.hasForgotten(StatementInternals.epoch(query.query))) {
      return ResultFormats::nothing;
    }
    query.query.close(); // The driver then has the text described before it is executed.
    StatementInternals.force(statement, true);
    return () -> StatementInternals.force(statement, false);
  }

  /** Notes that a result has not come as it was foretold. */
  public void receivedOtherwise(CountedText text, boolean binary) {
    text.came(binary);
  }

  private static void nothing() {}
}
