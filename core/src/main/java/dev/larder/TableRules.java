package dev.larder;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the settings say about single tables. Immutable.
 *
 * @param included the patterns of {@code larder.tables.include}
 * @param excluded the patterns of {@code larder.tables.exclude}, the built-in ones apart
 * @param timeToLive the ages of {@code larder.tables.timeToLive}
 */
record TableRules(
    Set<TablePattern> included,
    Set<TablePattern> excluded,
    Map<TablePattern, Duration> timeToLive) {
  /**
   * Tables with which libraries coordinate several processes, usually written by statements that
   * expect to see each other's effect at once: Spring Session, Quartz, ShedLock, Spring
   * Integration's locks, Spring Batch, Spring Authorization Server, Flyway, Liquibase; and Larder's
   * own switches.
   */
  static final List<TablePattern> COORDINATION_TABLES =
      Stream.of(
              "spring_session*",
              "qrtz_*",
              "shedlock",
              "int_lock",
              "batch_*",
              "oauth2_*",
              "flyway_schema_history",
              "larder_control",
              "databasechangelog*")
          .map(pattern -> TablePattern.parse("larder.tables.exclude", pattern))
          .toList();

  /** Returns the rules that texts say, which were checked. */
  static TableRules of(
      Set<String> included, Set<String> excluded, Map<String, Duration> timeToLive) {
    Map<TablePattern, Duration> ages = new LinkedHashMap<>();
    timeToLive.forEach((text, age) -> ages.put(TablePattern.parse("table", text), age));
    return new TableRules(parsed(included), parsed(excluded), ages);
  }

  private static Set<TablePattern> parsed(Set<String> patterns) {
    return patterns.stream()
        .map(text -> TablePattern.parse("table", text))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  TableRules {
    included = Collections.unmodifiableSet(new LinkedHashSet<>(included));
    excluded = Collections.unmodifiableSet(new LinkedHashSet<>(excluded));
    timeToLive = Map.copyOf(timeToLive);
  }

  boolean includes(String schema, String table) {
    return included.stream().anyMatch(pattern -> pattern.matches(schema, table));
  }

  boolean excludes(String schema, String table) {
    if (excluded.stream().anyMatch(pattern -> pattern.matches(schema, table))) {
      return true;
    }
    boolean asksForTheTable =
        included.stream()
            .anyMatch(pattern -> !pattern.namesNoTable() && pattern.matches(schema, table));
    return !asksForTheTable
        && COORDINATION_TABLES.stream().anyMatch(pattern -> pattern.matches(schema, table));
  }

  Optional<Duration> timeToLive(String schema, String table) {
    return timeToLive.entrySet().stream()
        .filter(entry -> entry.getKey().matches(schema, table))
        .map(Map.Entry::getValue)
        .min(Duration::compareTo);
  }

  Set<String> excludedText() {
    return Stream.concat(COORDINATION_TABLES.stream(), excluded.stream())
        .map(TablePattern::toString)
        .collect(
            Collectors.collectingAndThen(
                Collectors.toCollection(LinkedHashSet::new), Collections::unmodifiableSet));
  }

  static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
