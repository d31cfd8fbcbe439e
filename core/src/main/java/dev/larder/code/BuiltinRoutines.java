package dev.larder.code;

import dev.larder.bypass.BypassReason;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the functions that PostgreSQL brings along depend on. STABLE there also covers functions
 * that depend on nothing but their arguments and settings of every key (TimeZone, DateStyle, lc_*,
 * …), and no column of pg_proc tells which. Of those behind the server's own operators, casts and
 * aggregates the catalog tells; the others are listed here, for PostgreSQL 13 to 18.
 */
public final class BuiltinRoutines {
  /** current_setting, with one argument and with two. */
  static final Set<Long> CURRENT_SETTING = Set.of(2077L, 3294L);

  /** The first object identifier that initdb does not give out (FirstNormalObjectId). */
  private static final long FIRST_USER_OID = 16384;

  private static final long TIMETZ = 1266;

  /** Time, with a time zone or without, and their arrays. */
  private static final Set<Long> TIMES = Set.of(1083L, 1183L, TIMETZ, 1270L);

  private static final long TIMETZ_ARRAY = 1270;
  private static final long INTERNAL = 2281;

  /**
   * regproc, regprocedure, regoper, regoperator, regclass, regtype, and arrays of them: shown by
   * the names of objects, of temporary ones, too, which come and go without the catalog's changing.
   */
  private static final Set<Long> SHOWN_BY_CATALOG =
      Set.of(24L, 2202L, 2203L, 2204L, 2205L, 2206L, 1008L, 2207L, 2208L, 2209L, 2210L, 2211L);

  private static final Set<String> STABLE_BUT_CACHEABLE =
      words(
          // Conversions to text and json: TimeZone, DateStyle, IntervalStyle, lc_*, bytea_output, …
          "array_to_json array_to_string concat concat_ws format json_agg json_agg_strict "
              + "json_build_array json_build_object json_object_agg json_object_agg_strict "
              + "json_object_agg_unique json_object_agg_unique_strict jsonb_agg jsonb_agg_strict "
              + "jsonb_build_array jsonb_build_object jsonb_object_agg jsonb_object_agg_strict "
              + "jsonb_object_agg_unique jsonb_object_agg_unique_strict quote_literal "
              + "quote_nullable json_to_record json_to_recordset jsonb_to_record "
              + "jsonb_to_recordset row_to_json to_char to_json to_jsonb to_number "
              + "xml_is_well_formed "
              // Encodings: the database's own never changes.
              + "convert convert_from convert_to length "
              // Dates and times that are given: TimeZone, DateStyle, lc_time. Without
              // jsonb_path_*_tz: a time compared with a timetz takes the offset of today.
              + "date_add date_part date_subtract date_trunc extract generate_series "
              + "make_timestamptz overlaps timestamptz timezone to_date to_timestamp "
              // Enumerated types change by DDL only.
              + "enum_first enum_last enum_range "
              // Text search: default_text_search_config, and dictionaries change by DDL only.
              + "json_to_tsvector jsonb_to_tsvector phraseto_tsquery plainto_tsquery to_tsquery "
              + "to_tsvector ts_headline websearch_to_tsquery "
              // Types are called anew by DDL only.
              + "pg_typeof "
              // Parts of every key.
              + "current_database current_schema current_user session_user");

  private static final Set<String> CLOCK =
      words("age clock_timestamp now statement_timestamp timeofday transaction_timestamp");

  /** Those that run a query, read a relation, or run what an index calls, that they get as text. */
  public static final Set<String> RUN_QUERIES =
      words(
          "brin_summarize_new_values brin_summarize_range "
              + "cursor_to_xml cursor_to_xmlschema database_to_xml database_to_xml_and_xmlschema "
              + "query_to_xml query_to_xml_and_xmlschema query_to_xmlschema schema_to_xml "
              + "schema_to_xml_and_xmlschema table_to_xml table_to_xml_and_xmlschema ts_rewrite "
              + "ts_stat");

  /** Those that change the session's settings. */
  public static final Set<String> CHANGE_SETTINGS = Set.of("set_config", "pg_reload_conf");

  /** The trigger functions that change the row at hand only. */
  public static final Set<String> HARMLESS_TRIGGERS =
      words(
          "suppress_redundant_updates_trigger tsvector_update_trigger "
              + "tsvector_update_trigger_column");

  private BuiltinRoutines() {}

  static Set<String> words(String separated) {
    return Set.of(separated.split(" ", -1));
  }

  /** Returns whether the routine is the server's own current_setting, whatever calls it. */
  public static boolean showsSetting(long oid) {
    return CURRENT_SETTING.contains(oid);
  }

  /** Returns whether a user has made the object, rather than initdb. */
  public static boolean isUsers(long oid) {
    return oid >= FIRST_USER_OID;
  }

  /** Returns why a call of this very function cannot be cached, or null where it can. */
  public static @Nullable BypassReason reason(
      String name, char volatility, Set<Long> argumentTypes) {
    if (volatility == 'i') {
      return null;
    }
    if (CLOCK.contains(name)) {
      return BypassReason.TIME;
    }
    if (name.startsWith("lo_") || name.equals("loread") || name.equals("lowrite")) {
      return BypassReason.LARGE_OBJECT;
    }
    if (RUN_QUERIES.contains(name)) {
      return BypassReason.BUILTIN_FUNCTION;
    }
    if (volatility == 'v') {
      return BypassReason.VOLATILE_FUNCTION;
    }
    if (argumentTypes.contains(TIMETZ) || name.equals("timetz")) {
      return BypassReason.TIME;
    }
    return STABLE_BUT_CACHEABLE.contains(name) ? null : BypassReason.BUILTIN_FUNCTION;
  }

  /** Returns whether a call cannot be cached for {@code reason}, though it reads no table. */
  public static boolean givesReason(@Nullable BypassReason reason) {
    return reason == BypassReason.BUILTIN_FUNCTION
        || reason == BypassReason.VOLATILE_FUNCTION
        || reason == BypassReason.TIME;
  }

  /** Returns whether a function of this name depends on the present time, and nothing else does. */
  public static boolean readsClock(String name) {
    return CLOCK.contains(name) && !isJudgedByText(name);
  }

  /** Returns whether calls by this name are judged by their text: age(x) reads the clock. */
  public static boolean isJudgedByText(String name) {
    return name.equals("age");
  }

  /**
   * Returns whether this overload is chosen for a value of time with time zone only: its offset
   * depends on the present day.
   */
  public static boolean needsTimeWithZone(String name, Set<Long> argumentTypes) {
    return argumentTypes.contains(TIMETZ) && !name.contains("timetz");
  }

  /**
   * Returns whether a call in a text may make a time with time zone of another value before, by the
   * offset of the present day. What the server runs by itself gets values of the right type.
   */
  public static boolean mayMakeTimeWithZone(RoutineRow row) {
    boolean named = row.name().contains("timetz") || row.name().equals("overlaps");
    return row.argumentTypes().contains(TIMETZ) && (row.users() || named);
  }

  /** Returns whether a call may return a time, though neither its name nor its type says so. */
  public static boolean mayReturnTime(RoutineRow row) {
    return row.users()
        ? TIMES.stream().anyMatch(row.types()::contains)
        : row.name().equals("make_time");
  }

  /** Returns whether one of the types is internal: only the server itself has values of it. */
  public static boolean areInternal(Set<Long> types) {
    return types.contains(INTERNAL);
  }

  /** Returns whether the input of a type takes the offset of a zone from the present day. */
  public static boolean isTimeWithZone(long type) {
    return type == TIMETZ || type == TIMETZ_ARRAY;
  }

  /** Returns whether values of a type of the server's are shown by the names of objects. */
  public static boolean isShownByCatalog(long type) {
    return SHOWN_BY_CATALOG.contains(type);
  }

  /** Returns the names of all whose call does more than return a value. */
  public static Set<String> withEffects() {
    Set<String> names = new HashSet<>(RUN_QUERIES);
    names.addAll(CHANGE_SETTINGS);
    return names;
  }
}
