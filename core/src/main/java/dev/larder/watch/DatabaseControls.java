package dev.larder.watch;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What operators have set in the database for every process that caches it, as it was read.
 * Immutable and thread-safe.
 *
 * @param settings what {@code ALTER DATABASE … SET larder.…} has set, by name
 * @param rows the rows of the table {@code larder_control}; none where there is no such table
 * @param trouble why the table was not read although it is there, or null
 */
public record DatabaseControls(
    Map<String, String> settings, List<Row> rows, @Nullable String trouble) {
  /** Nothing is set. */
  public static final DatabaseControls NONE = new DatabaseControls(Map.of(), List.of(), null);

  /** A row of {@code larder_control}. */
  public record Row(
      @Nullable String scope,
      @Nullable String name,
      @Nullable String setting,
      @Nullable String value) {}

  public DatabaseControls {
    settings = Map.copyOf(settings);
    rows = List.copyOf(rows);
  }
}
