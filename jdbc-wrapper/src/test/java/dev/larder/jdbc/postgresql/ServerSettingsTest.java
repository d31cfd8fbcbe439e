package dev.larder.jdbc.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every setting that a session can change has been looked at. */
@Tag("each-server")
final class ServerSettingsTest {
  /** No row depends on them either. Who sets one has it in the key for nothing. */
  private static final Set<String> HARMLESS =
      Set.of(
          ("allow_in_place_tablespaces allow_system_table_mods backend_flush_after "
                  + "backtrace_functions client_connection_check_interval commit_delay "
                  + "commit_siblings compute_query_id createrole_self_grant debug_discard_caches "
                  + "debug_logical_replication_streaming debug_parallel_query debug_pretty_print "
                  + "debug_print_parse debug_print_plan debug_print_rewritten "
                  + "default_toast_compression dynamic_library_path event_triggers exit_on_error "
                  + "extension_control_path file_copy_method force_parallel_mode geqo_effort "
                  + "geqo_generations geqo_pool_size geqo_seed geqo_selection_bias "
                  + "gin_pending_list_limit ignore_system_indexes io_combine_limit "
                  + "jit_debugging_support jit_dump_bitcode jit_expressions jit_inline_above_cost "
                  + "jit_optimize_above_cost jit_profiling_support jit_tuple_deforming "
                  + "lo_compat_privileges log_connections log_disconnections log_error_verbosity "
                  + "log_executor_stats log_lock_failures log_min_duration_sample "
                  + "log_parameter_max_length log_parameter_max_length_on_error log_parser_stats "
                  + "log_planner_stats log_replication_commands log_statement_sample_rate "
                  + "log_statement_stats log_transaction_sample_rate logical_decoding_work_mem "
                  + "logical_replication_mode maintenance_io_concurrency md5_password_warnings "
                  + "output_plugin_libraries parallel_leader_participation password_encryption "
                  + "post_auth_delay recursive_worktable_factor scram_iterations "
                  + "session_preload_libraries stats_fetch_consistency synchronize_seqscans "
                  + "tcp_keepalives_count tcp_keepalives_idle tcp_keepalives_interval "
                  + "tcp_user_timeout trace_notify trace_sort track_activities "
                  + "track_cost_delay_timing track_counts track_functions track_io_timing "
                  + "track_wal_io_timing update_process_title vacuum_buffer_usage_limit "
                  + "vacuum_cost_page_dirty vacuum_cost_page_hit vacuum_cost_page_miss "
                  + "vacuum_failsafe_age vacuum_freeze_min_age vacuum_freeze_table_age "
                  + "vacuum_max_eager_freeze_failure_rate vacuum_multixact_failsafe_age "
                  + "vacuum_multixact_freeze_min_age vacuum_multixact_freeze_table_age "
                  + "vacuum_truncate wal_consistency_checking wal_init_zero wal_recycle "
                  + "wal_sender_timeout wal_skip_threshold")
              .split(" "));

  private static final String CHANGEABLE =
      "SELECT lower(name) FROM pg_settings WHERE name NOT LIKE '%.%'"
          + " AND context IN ('user', 'superuser', 'backend', 'superuser-backend')";

  @Test
  void everySettingOfAServerIsPartOfTheKeyOrKnownNotToMatter() throws SQLException {
    List<String> unknown = new ArrayList<>();
    List<String> twice = new ArrayList<>();
    try (TestDatabase database = TestDatabase.create();
        Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(CHANGEABLE)) {
      while (row.next()) {
        String name = row.getString(1);
        boolean read = ServerSettings.isAlwaysRead(name);
        boolean irrelevant = ServerSettings.isIrrelevant(name) || HARMLESS.contains(name);
        (read ? twice : unknown).add(read == irrelevant ? name : "");
      }
    }
    assertThat(unknown).as("decide whether they decide rows").containsOnly("");
    assertThat(twice).containsOnly("");
  }

  @Test
  void aSettingThatNobodyHasLookedAtIsNotTakenForHarmless() {
    assertThat(ServerSettings.isIrrelevant("enable_something_new")).isFalse();
    assertThat(ServerSettings.isIrrelevant("log_context.tenant")).isFalse();
  }

  @Test
  void onlyATimeoutThatIsSurelyLongIsTakenForLong() {
    assertThat(List.of("0", "1000", "30000", "1s", "5 min", "2h"))
        .allMatch(ServerSettings::isLongTimeout);
    assertThat(List.of("1", "999", "0999", "1500us", "0.5s", "5000 us", "0x10", "default", ""))
        .noneMatch(ServerSettings::isLongTimeout);
  }
}
