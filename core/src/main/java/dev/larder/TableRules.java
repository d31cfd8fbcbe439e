package dev.larder;

import java.time.Duration;
import java.util.Collection;
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

  /** No rules but the built-in ones. */
  static final TableRules NONE = new TableRules(Set.of(), Set.of(), Map.of());

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

  TableRules excluding(Collection<String> patterns) {
    Set<TablePattern> more = new LinkedHashSet<>(excluded);
    more.addAll(SettingRules.parsed("larder.tables.exclude", patterns));
    return new TableRules(included, more, timeToLive);
  }

  TableRules limiting(Map<String, Duration> ages) {
    Map<TablePattern, Duration> shorter = new LinkedHashMap<>(timeToLive);
    ages.forEach(
        (pattern, age) ->
            shorter.merge(
                TablePattern.parse("larder.tables.timeToLive", pattern), age, SettingRules::least));
    return new TableRules(included, excluded, shorter);
  }

  Optional<Duration> timeToLive(String schema, String table) {
    return timeToLive.entrySet().stream()
        .filter(entry -> entry.getKey().matches(schema, table))
        .map(Map.Entry::getValue)
        .min(Duration::compareTo);
  }

  Set<String> includedText() {
    return text(included.stream());
  }

  Set<String> excludedText() {
    return text(Stream.concat(COORDINATION_TABLES.stream(), excluded.stream()));
  }

  private static Set<String> text(Stream<TablePattern> patterns) {
    return patterns
        .map(TablePattern::toString)
        .collect(
            Collectors.collectingAndThen(
                Collectors.toCollection(LinkedHashSet::new), Collections::unmodifiableSet));
  }
}
