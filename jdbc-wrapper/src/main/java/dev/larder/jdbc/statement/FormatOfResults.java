package dev.larder.jdbc.statement;

import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.engine.ShapePlan;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.postgresql.ResultFormats;
import dev.larder.jdbc.postgresql.ResultFormats.Format;
import dev.larder.result.ResultColumns;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a result has the format, text or binary, that its connection would have got had
 * no execution been a hit. Where getters differ by it the format is part of the key: it is foretold
 * before the look-up, asked for where the statement is sent, and a result that came otherwise is
 * not kept. Confined to the thread that uses the connection.
 */
final class FormatOfResults {
  /** In the options of a key: values are binary. */
  private static final long BINARY = 1L << 62;

  private final ResultFormats formats;

  FormatOfResults(ResultFormats formats) {
    this.formats = formats;
  }

  /** Counts an execution where the format matters; returns whether its result would be binary. */
  boolean foretell(CachingStatement statement, Plan plan) {
    return plan.shape().dependsOnFormat()
        ? count(statement, plan)
        : formats.beginsInBinary(
            statement.delegateIfMade(), statement instanceof CachingPreparedStatement);
  }

  private boolean count(CachingStatement statement, Plan plan) {
    Statement made = statement.delegateIfMade();
    return statement instanceof CachingPreparedStatement prepared
        ? formats.executes(plan, made, true, prepared.valueTypes())
        : formats.executes(plan, made, false, 0);
  }

  /** Returns what of an execution is part of its key besides text and parameters. */
  static long keyOptions(CachingStatement statement, boolean binary) {
    long options = statement.keyOptions();
    return binary ? options | BINARY : options;
  }

  /** Returns {@code run} so that its result comes in the format that was foretold last. */
  <T extends @Nullable Object> SqlCall<T> asForetold(
      CachingStatement statement, Plan plan, SqlCall<T> run) {
    if (!plan.shape().dependsOnFormat()) {
      return run;
    }
    return () -> {
      Statement made = statement.forSending();
      boolean forced = formats.sending(plan, made);
      try {
        return run.call();
      } finally {
        if (forced) {
          formats.sent(made);
        }
      }
    };
  }

  /**
   * Returns whether a hit has a format that matters and was not foretold, and notes that it does.
   */
  boolean isNewTo(Plan plan, ResultColumns columns) {
    ShapePlan shape = plan.shape();
    if (shape.isResultSeen()) {
      return false;
    }
    shape.resultSeen(formats.of(columns) != Format.ANY);
    return shape.dependsOnFormat();
  }

  /** Returns whether a result may be kept under the key of {@code miss}, and notes its format. */
  boolean isAsForetold(Plan plan, Lookup.Miss miss, ResultColumns columns) {
    Format format = formats.of(columns);
    plan.shape().resultSeen(format != Format.ANY);
    if (format == Format.ANY) {
      return true;
    }
    boolean foretold = (miss.key().options() & BINARY) != 0;
    boolean came = format == Format.BINARY;
    formats.received(plan, foretold, came);
    return came == foretold;
  }
}
