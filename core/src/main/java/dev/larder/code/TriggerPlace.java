package dev.larder.code;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a function is told of the trigger that it runs for: {@code TG_TABLE_SCHEMA}, {@code
 * TG_TABLE_NAME} and {@code TG_ARGV}. Immutable.
 *
 * @param arguments null if not known
 */
public record TriggerPlace(String schema, String table, @Nullable List<String> arguments) {
  public TriggerPlace {
    arguments = arguments == null ? null : List.copyOf(arguments);
  }

  /**
   * Creates one from {@code pg_trigger.tgargs}.
   *
   * @param arguments in the format {@code escape}, where each ends with a zero byte; null if not
   *     known
   */
  public static TriggerPlace of(String schema, String table, @Nullable String arguments) {
    return new TriggerPlace(schema, table, arguments == null ? null : split(arguments));
  }

  private static @Nullable List<String> split(String arguments) {
    List<String> each = List.of(arguments.split("\\\\000", -1));
    // What is not ASCII is escaped, too.
    return each.stream().anyMatch(argument -> argument.contains("\\"))
        ? null
        : each.subList(0, each.size() - 1);
  }
}
