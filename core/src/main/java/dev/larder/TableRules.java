package dev.larder;

import dev.larder.QueryCacheConfig.Invalidation;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the settings say about single tables. These are named {@code schema.table}, as in the
 * catalog. Immutable.
 */
public final class TableRules {
  /**
   * Tables with which libraries coordinate several processes, usually written by statements that
   * expect to see each other's effect at once; by the names in the libraries' own scripts.
   */
  static final List<TablePattern> COORDINATION_TABLES =
      parsed(
          List.of(
              // Spring Session (spring-session-jdbc, schema-postgresql.sql).
              "spring_session",
              "spring_session_attributes",
              // Spring Batch (spring-batch-core, schema-postgresql.sql).
              "batch_job_instance",
              "batch_job_execution*",
              "batch_step_execution*",
              // Spring Integration (spring-integration-jdbc, schema-postgresql.sql).
              "int_lock",
              "int_metadata_store",
              "int_message",
              "int_message_group",
              "int_group_to_message",
              "int_channel_message",
              // Spring Security and Spring Authorization Server (oauth2-*-schema.sql).
              "oauth2_authorization",
              "oauth2_authorization_consent",
              "oauth2_authorized_client",
              "oauth2_registered_client",
              // Quartz (tables_postgres.sql), ShedLock, db-scheduler (postgresql_tables.sql).
              "qrtz_*",
              "shedlock",
              "scheduled_tasks",
              // JobRunr (its migrations).
              "jobrunr_jobs",
              "jobrunr_recurring_jobs",
              "jobrunr_backgroundjobservers",
              "jobrunr_metadata",
              // JGroups' JDBC_PING, and Keycloak's.
              "jgroupsping",
              "jgroups_ping",
              // Camunda 7, Operaton and Flowable: jobs, external tasks, and the lock of a start.
              "act_ru_job",
              "act_ru_timer_job",
              "act_ru_suspended_job",
              "act_ru_deadletter_job",
              "act_ru_external_job",
              "act_ru_history_job",
              "act_ru_ext_task",
              "act_ge_property",
              // Axon Framework (TokenEntry of its JPA token store).
              "token_entry",
              // Flyway, Liquibase, with Keycloak's lock of a migration, and Larder's own switches.
              "flyway_schema_history",
              "databasechangelog",
              "databasechangeloglock",
              "larder_control"));

  private final List<TablePattern> included;
  private final List<TablePattern> excluded;
  private final Ages ages;
  private final InvalidationRules invalidation;

  /** How long a result lives at most, and for how long it is used after it became outdated. */
  private record Ages(
      Map<TablePattern, Duration> timeToLive, Map<TablePattern, Duration> staleness) {
    static Optional<Duration> least(Map<TablePattern, Duration> ages, String table) {
      return ages.entrySet().stream()
          .filter(age -> age.getKey().matches(table))
          .map(Map.Entry::getValue)
          .min(Duration::compareTo);
    }
  }

  /** What is invalidated where no pattern matches, and where one does. */
  private record InvalidationRules(
      Invalidation otherwise, Map<TablePattern, Invalidation> patterns) {}

  private TableRules(
      List<TablePattern> included,
      List<TablePattern> excluded,
      Ages ages,
      InvalidationRules invalidation) {
    this.included = included;
    this.excluded = excluded;
    this.ages = ages;
    this.invalidation = invalidation;
  }

  static TableRules of(
      Set<String> included,
      Set<String> excluded,
      Map<String, Duration> timeToLive,
      Map<String, Duration> staleness,
      Invalidation otherwise,
      Map<String, Invalidation> invalidation) {
    Map<TablePattern, Invalidation> patterns = new LinkedHashMap<>();
    invalidation.forEach(
        (text, value) ->
            patterns.put(TablePattern.parse("larder.tables.invalidation", text), value));
    Map<TablePattern, Duration> outdated = new LinkedHashMap<>();
    staleness.forEach(
        (text, age) -> outdated.put(TablePattern.parse("larder.tables.staleness", text), age));
    TableRules rules =
        new TableRules(
            parsed(included),
            parsed(excluded),
            new Ages(Map.of(), outdated),
            new InvalidationRules(otherwise, patterns));
    for (Map.Entry<String, Duration> age : timeToLive.entrySet()) {
      rules = rules.limiting(age.getKey(), age.getValue());
    }
    return rules;
  }

  private static List<TablePattern> parsed(Collection<String> patterns) {
    return patterns.stream()
        .map(text -> TablePattern.parse("larder.tables.exclude", text))
        .toList();
  }

  /**
   * {@return these rules with more tables that are never cached}
   *
   * @param patterns as of {@link CacheOptions#TABLES_EXCLUDE}
   * @throws IllegalArgumentException if one is no pattern
   */
  public TableRules excluding(Collection<String> patterns) {
    List<TablePattern> all = Stream.concat(excluded.stream(), parsed(patterns).stream()).toList();
    return new TableRules(included, all, ages, invalidation);
  }

  /**
   * {@return these rules with an age; where the pattern has one already, the shorter one holds}
   *
   * @param pattern of {@link CacheOptions#TABLES_TIME_TO_LIVE}
   * @param age how long a result that read the table lives at most
   * @throws IllegalArgumentException if it is no pattern
   */
  public TableRules limiting(String pattern, Duration age) {
    Map<TablePattern, Duration> all = new LinkedHashMap<>(ages.timeToLive());
    TablePattern parsed = TablePattern.parse("larder.tables.timeToLive", pattern);
    all.merge(parsed, age, TableRules::least);
    Ages limited = new Ages(all, ages.staleness());
    return new TableRules(included, excluded, limited, invalidation);
  }

  /**
   * {@return whether an included pattern matches the table; false where none is given}
   *
   * @param table its name
   */
  public boolean includes(String table) {
    return included.stream().anyMatch(pattern -> pattern.matches(table));
  }

  /**
   * {@return whether the table is never cached: an excluded pattern matches it, or a built-in one
   * does and no included pattern asks for the table by (a part of) its name}
   *
   * @param table its name
   */
  public boolean excludes(String table) {
    return excluded.stream().anyMatch(pattern -> pattern.matches(table))
        || (COORDINATION_TABLES.stream().anyMatch(pattern -> pattern.matches(table))
            && included.stream()
                .noneMatch(pattern -> !pattern.namesNoTable() && pattern.matches(table)));
  }

  /**
   * {@return how long a result that reads the table lives at most, if a pattern limits it}
   *
   * @param table its name
   */
  public Optional<Duration> timeToLive(String table) {
    return Ages.least(ages.timeToLive(), table);
  }

  /**
   * {@return for how long a result that reads the table may be used after it became outdated, if a
   * pattern allows it; the shortest time where several do}
   *
   * @param table its name
   */
  public Optional<Duration> staleness(String table) {
    return Ages.least(ages.staleness(), table);
  }

  /**
   * {@return what a write of the table invalidates; the whole table where patterns disagree}
   *
   * @param table its name
   */
  public Invalidation invalidation(String table) {
    return invalidation.patterns().entrySet().stream()
        .filter(each -> each.getKey().matches(table))
        .map(Map.Entry::getValue)
        .max(Comparator.naturalOrder())
        .orElse(invalidation.otherwise());
  }

  /** {@return whether a write of any table at all may invalidate by key} */
  public boolean mayInvalidateByKey() {
    return invalidation.otherwise() == Invalidation.KEY
        || invalidation.patterns().containsValue(Invalidation.KEY);
  }

  /** {@return the patterns of tables that are never cached, the built-in ones included} */
  public List<String> excluded() {
    return Stream.concat(COORDINATION_TABLES.stream(), excluded.stream())
        .map(TablePattern::toString)
        .distinct()
        .toList();
  }

  static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
