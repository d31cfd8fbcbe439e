package dev.larder.jdbc.postgresql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the settings of a session have to do with the rows and errors of its queries: the settings
 * of PostgreSQL 15 to 18 that a session can change, one by one. Whatever is not named here is read,
 * and part of every key, once a session has set it.
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

  private static final Set<String> IRRELEVANT =
      Set.copyOf(
          words(
              // How rows are found, not which.
              "enable_async_append enable_bitmapscan enable_distinct_reordering",
              "enable_gathermerge enable_group_by_reordering enable_hashagg enable_hashjoin",
              "enable_incremental_sort enable_indexonlyscan enable_indexscan enable_material",
              "enable_memoize enable_mergejoin enable_nestloop enable_parallel_append",
              "enable_parallel_hash enable_partition_pruning enable_partitionwise_aggregate",
              "enable_partitionwise_join enable_presorted_aggregate enable_self_join_elimination",
              "enable_seqscan enable_sort enable_tidscan",
              "constraint_exclusion cpu_index_tuple_cost cpu_operator_cost cpu_tuple_cost",
              "cursor_tuple_fraction debug_parallel_query force_parallel_mode",
              "effective_cache_size from_collapse_limit geqo geqo_effort geqo_generations",
              "geqo_pool_size geqo_seed geqo_selection_bias geqo_threshold ignore_system_indexes",
              "jit jit_above_cost jit_debugging_support jit_dump_bitcode jit_expressions",
              "jit_inline_above_cost jit_optimize_above_cost jit_profiling_support",
              "jit_tuple_deforming join_collapse_limit max_parallel_workers",
              "max_parallel_workers_per_gather min_parallel_index_scan_size",
              "min_parallel_table_scan_size parallel_leader_participation parallel_setup_cost",
              "parallel_tuple_cost plan_cache_mode random_page_cost recursive_worktable_factor",
              "seq_page_cost synchronize_seqscans",
              // How much memory, disk or time it may take: a hit takes none.
              "effective_io_concurrency hash_mem_multiplier io_combine_limit lock_timeout",
              "maintenance_io_concurrency statement_timeout temp_buffers temp_file_limit",
              "temp_tablespaces transaction_timeout work_mem",
              // What is written to the log of the server, or counted.
              "application_name backtrace_functions compute_query_id debug_discard_caches",
              "debug_pretty_print debug_print_parse debug_print_plan debug_print_rewritten",
              "log_connections log_disconnections log_duration log_error_verbosity",
              "log_executor_stats log_lock_failures log_lock_waits log_min_duration_sample",
              "log_min_duration_statement log_min_error_statement log_min_messages",
              "log_parameter_max_length log_parameter_max_length_on_error log_parser_stats",
              "log_planner_stats log_replication_commands log_statement",
              "log_statement_sample_rate log_statement_stats log_temp_files",
              "log_transaction_sample_rate stats_fetch_consistency trace_notify trace_sort",
              "track_activities track_cost_delay_timing track_counts track_functions",
              "track_io_timing track_wal_io_timing update_process_title",
              // How writes, DDL and maintenance are done: they go to the server.
              "allow_in_place_tablespaces allow_system_table_mods backend_flush_after",
              "commit_delay commit_siblings createrole_self_grant default_statistics_target",
              "default_table_access_method default_tablespace default_toast_compression",
              "default_transaction_deferrable default_transaction_read_only event_triggers",
              "extension_control_path file_copy_method gin_pending_list_limit",
              "maintenance_work_mem max_parallel_maintenance_workers md5_password_warnings",
              "password_encryption scram_iterations synchronous_commit transaction_deferrable",
              "transaction_read_only vacuum_buffer_usage_limit vacuum_cost_delay",
              "vacuum_cost_limit vacuum_cost_page_dirty vacuum_cost_page_hit",
              "vacuum_cost_page_miss vacuum_failsafe_age vacuum_freeze_min_age",
              "vacuum_freeze_table_age vacuum_max_eager_freeze_failure_rate",
              "vacuum_multixact_failsafe_age vacuum_multixact_freeze_min_age",
              "vacuum_multixact_freeze_table_age vacuum_truncate wal_compression",
              "wal_consistency_checking wal_init_zero wal_recycle wal_skip_threshold",
              // Where a superuser has code loaded from: only superusers may ask for it.
              "dynamic_library_path session_preload_libraries",
              // Replication, the line to the client, and large objects, which are never cached.
              "client_connection_check_interval deadlock_timeout",
              "debug_logical_replication_streaming exit_on_error lo_compat_privileges",
              "logical_decoding_work_mem logical_replication_mode output_plugin_libraries",
              "post_auth_delay tcp_keepalives_count tcp_keepalives_idle",
              "tcp_keepalives_interval tcp_user_timeout wal_sender_timeout"));

  private ServerSettings() {}

  private static List<String> words(String... lines) {
    List<String> words = new ArrayList<>();
    for (String line : lines) {
      words.addAll(List.of(line.split(" ", -1)));
    }
    return List.copyOf(words);
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

  /** Returns what the setting called {@code name} means where it is not set. */
  static String unset(String name) {
    return DEFAULTS.getOrDefault(name, UNSET);
  }

  /** Returns whether {@code name} is among the facts that every session is asked for. */
  public static boolean isAlwaysRead(String name) {
    return KEY.contains(name) || FACTS.contains(name);
  }
}
