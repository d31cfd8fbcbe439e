package dev.larder.jdbc.statement;

import dev.larder.engine.Lookup;
import dev.larder.engine.Plan;
import dev.larder.engine.ShapePlan;
import dev.larder.jdbc.connection.PhysicalConnection;
import dev.larder.jdbc.connection.SqlCall;
import dev.larder.jdbc.format.CountedText;
import dev.larder.jdbc.format.ResultFormats;
import dev.larder.jdbc.format.ResultFormats.Format;
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
  private final ResultFormats formats;
  private final boolean shared;

  /** Of the last hit whose format did not matter. */
  private @Nullable ResultColumns alike;

  /**
   * Creates what follows the formats of one connection.
   *
   * @param shared whether results of other JVMs are hit
   */
  FormatOfResults(ResultFormats formats, boolean shared) {
    this.formats = formats;
    this.shared = shared;
  }

  /** Counts an execution whose format matters; returns whether its result would be binary. */
  boolean foretell(CachingStatement statement, Plan plan) {
    Statement made = statement.delegateIfMade();
    if (statement instanceof CachingPreparedStatement prepared) {
      return !prepared.isClosedByUs()
          && formats.executes(prepared.text(), made, prepared.valueTypes());
    }
    return formats.executesPlain(plan.sql(), made);
  }

  private @Nullable CountedText text(CachingStatement statement, Plan plan) {
    return statement instanceof CachingPreparedStatement prepared
        ? prepared.text()
        : formats.plain(plan.sql());
  }

  /** Returns {@code run} so that its result comes in the format that the driver would get. */
  <T extends @Nullable Object> SqlCall<T> asUsual(
      CachingStatement statement, Plan plan, SqlCall<T> run) {
    PhysicalConnection physical = statement.connection.physical();
    if (plan.shape().dependsOnFormat()) {
      return asForetold(statement, plan, run);
    }
    return statement instanceof CachingPreparedStatement
            && physical.state().parsed().mayParseAgain(physical.transaction())
        ? asBefore(statement, run)
        : run;
  }

  /** Returns {@code run} so that its result comes in the format that was foretold last. */
  private <T extends @Nullable Object> SqlCall<T> asForetold(
      CachingStatement statement, Plan plan, SqlCall<T> run) {
    CountedText text = text(statement, plan);
    if (text == null) {
      return run;
    }
    return () -> {
      Runnable afterwards = formats.sending(text, statement.forSending());
      try {
        return run.call();
      } finally {
        afterwards.run();
      }
    };
  }

  /** Returns {@code run} so that its result has the same format where the text is parsed again. */
  private <T extends @Nullable Object> SqlCall<T> asBefore(
      CachingStatement statement, SqlCall<T> run) {
    return () -> {
      Runnable afterwards = formats.parsingAgain(statement.forSending());
      try {
        return run.call();
      } finally {
        afterwards.run();
      }
    };
  }

  /**
   * Returns whether a hit has a format that matters and was not foretold, and notes that it does.
   * That an earlier result was seen is enough where all results are of this JVM; another may have
   * read one whose constants have other types.
   */
  @SuppressWarnings("ReferenceEquality") // Equal ones of another result cost more to compare.
  boolean isNewTo(ShapePlan shape, ResultColumns columns) {
    boolean known = shared ? columns == alike : shape.isResultSeen();
    if (known || shape.dependsOnFormat()) {
      return false;
    }
    shape.resultSeen(formats.of(columns) != Format.ANY);
    if (!shape.dependsOnFormat()) {
      alike = columns;
    }
    return shape.dependsOnFormat();
  }

  /** Returns whether a result may be kept under the key of {@code miss}, and notes its format. */
  boolean isAsForetold(
      CachingStatement statement, Plan plan, Lookup.Miss miss, ResultColumns columns) {
    Format format = formats.of(columns);
    plan.shape().resultSeen(format != Format.ANY);
    if (format == Format.ANY) {
      return true;
    }
    boolean foretold = (miss.key().options() & ResultFormats.BINARY) != 0;
    boolean came = format == Format.BINARY;
    CountedText text = came == foretold ? null : text(statement, plan);
    if (text != null) {
      formats.receivedOtherwise(text, came);
    }
    return came == foretold;
  }
}
