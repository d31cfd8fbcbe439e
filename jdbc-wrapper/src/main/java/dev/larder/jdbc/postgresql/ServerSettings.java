package dev.larder.jdbc.postgresql;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the settings of a session have to do with the rows and errors of its queries. Those that
 * decide them are part of every key; those that applications set and that decide nothing are
 * ignored. Any other is read, and part of every key, once a session has set it.
 *
 * <p>The catalog does not tell the two apart: {@code pg_settings.category} is in the language of
 * {@code lc_messages}, and a SET must be judged before anything has been asked.
 */
public final class ServerSettings {
  /** What an unset setting reads as: no value of a setting contains this character. */
  public static final String UNSET = "\0";

  /** They decide which rows there are, how they are shown, and which errors and notices come. */
  static final List<String> KEY =
      words(
          "search_path row_security restrict_nonsystem_relation_kind session_replication_role",
          "timezone timezone_abbreviations datestyle intervalstyle",
          "lc_messages lc_monetary lc_numeric lc_time client_encoding",
          "extra_float_digits bytea_output xmlbinary xmloption quote_all_identifiers",
          "array_nulls transform_null_equals standard_conforming_strings backslash_quote",
          "default_text_search_config gin_fuzzy_search_limit icu_validation_level",
          "check_function_bodies max_stack_depth",
          "plpgsql.check_asserts plpgsql.extra_errors plpgsql.variable_conflict",
          // Notices are for the session that asks for them.
          "client_min_messages escape_string_warning",
          // Code that is loaded may do anything.
          "local_preload_libraries",
          // Rows that the server cannot read are left out or not.
          "ignore_checksum_failure zero_damaged_pages");

  /** What the server reports to its clients, and poolers therefore keep for each of theirs. */
  static final Set<String> REPORTED =
      Set.of("timezone", "datestyle", "client_encoding", "standard_conforming_strings");

  /** What settings of PL/pgSQL are until a session has loaded it, unless they were set. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "plpgsql.check_asserts", "on",
          "plpgsql.extra_errors", "none",
          "plpgsql.variable_conflict", "error");

  /** They are among the facts of a session for themselves. */
  private static final Set<String> FACTS =
      Set.of(
          "role",
          "session authorization",
          "session_authorization",
          "transaction_isolation",
          "default_transaction_isolation",
          "idle_session_timeout",
          "idle_in_transaction_session_timeout");

  /** They may end a question of Larder's own, and the transaction with it. */
  private static final Set<String> TIMEOUTS = Set.of("statement_timeout", "transaction_timeout");

  /** A timeout that no question takes as long as, or none. */
  private static final Pattern LONG_TIMEOUT =
      Pattern.compile("0|[1-9]\\d{3,8}|\\d{1,9} ?(?:s|min|h|d)");

  /** What applications set and no row depends on. */
  private static final Set<String> IRRELEVANT =
      Set.copyOf(
          words(
              // How rows are found, not which, and what memory and time that may take: a hit takes
              // none.
              "enable_async_append enable_bitmapscan enable_distinct_reordering",
              "enable_gathermerge enable_group_by_reordering enable_hashagg",
              "enable_hashjoin enable_incremental_sort enable_indexonlyscan",
              "enable_indexscan enable_material enable_memoize enable_mergejoin",
              "enable_nestloop enable_parallel_append enable_parallel_hash",
              "enable_partition_pruning enable_partitionwise_aggregate",
              "enable_partitionwise_join enable_presorted_aggregate",
              "enable_self_join_elimination enable_seqscan enable_sort enable_tidscan",
              "constraint_exclusion cpu_index_tuple_cost cpu_operator_cost cpu_tuple_cost",
              "cursor_tuple_fraction effective_cache_size effective_io_concurrency",
              "from_collapse_limit geqo geqo_threshold hash_mem_multiplier jit",
              "jit_above_cost join_collapse_limit lock_timeout max_parallel_workers",
              "max_parallel_workers_per_gather min_parallel_index_scan_size",
              "min_parallel_table_scan_size parallel_setup_cost parallel_tuple_cost",
              "plan_cache_mode random_page_cost seq_page_cost statement_timeout",
              "temp_buffers temp_file_limit temp_tablespaces transaction_timeout work_mem",
              // What is written to the log of the server.
              "application_name log_duration log_lock_waits log_min_duration_statement",
              "log_min_error_statement log_min_messages log_statement log_temp_files",
              // How writes, DDL and maintenance are done: they go to the server.
              "deadlock_timeout default_statistics_target default_table_access_method",
              "default_tablespace default_transaction_deferrable",
              "default_transaction_read_only maintenance_work_mem",
              "max_parallel_maintenance_workers synchronous_commit transaction_deferrable",
              "transaction_read_only vacuum_cost_delay vacuum_cost_limit wal_compression"));

  private ServerSettings() {}

  private static List<String> words(String... lines) {
    return List.of(String.join(" ", lines).split(" ", -1));
  }

  /**
   * Returns whether {@code name} changes how rows are found, logged or waited for, but never which
   * rows there are.
   *
   * @param name in lower case
   */
  public static boolean isIrrelevant(String name) {
    return IRRELEVANT.contains(name);
  }

  /** Returns whether {@code name} is a timeout that ends statements or transactions. */
  public static boolean isTimeout(String name) {
    return TIMEOUTS.contains(name);
  }

  /** Returns whether {@code value} is no timeout, or a second or more. */
  public static boolean isLongTimeout(String value) {
    return LONG_TIMEOUT.matcher(value).matches();
  }

  /** Returns whether a value is that of a custom setting that nobody has set, or set back. */
  public static boolean isUnset(String shown) {
    return shown.isEmpty() || shown.equals(UNSET);
  }

  /** Returns what the setting called {@code name} means where it is not set. */
  static String unset(String name) {
    return DEFAULTS.getOrDefault(name, UNSET);
  }

  /** Returns whether {@code name} is read once a session has set it. */
  public static boolean isReadOnceSet(String name) {
    return !isIrrelevant(name) && !isAlwaysRead(name);
  }

  /** Returns whether {@code name} is among the facts that every session is asked for. */
  public static boolean isAlwaysRead(String name) {
    return KEY.contains(name) || FACTS.contains(name);
  }
}
