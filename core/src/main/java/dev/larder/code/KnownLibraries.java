package dev.larder.code;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * The libraries of well-known extensions whose functions, written in C, write nothing, whatever
 * their volatility says. A function is known by the library that its code is in ({@code probin}),
 * which only a superuser can name, and never by its name; what an extension writes in SQL or
 * PL/pgSQL is read like every other body.
 */
public final class KnownLibraries {
  private static final String TRIGRAMS = "$libdir/pg_trgm";
  private static final String HSTORE = "$libdir/hstore";
  private static final String INTERNAL = "$internal/";
  private static final String UNACCENT = "$libdir/unaccent";

  /** Functions of the server by their code, which only a superuser can name. */
  private static final Set<String> ENCODING = Set.of("$internal/textrecv", "$internal/textsend");

  /** Trigger functions that change the row at hand only. */
  private static final Set<String> CHANGE_ROW =
      Set.of("$libdir/autoinc", "$libdir/insert_username", "$libdir/moddatetime");

  /** PostGIS carries its version in the name; its rasters and topologies are libraries apart. */
  private static final Pattern WRITES_NOTHING =
      Pattern.compile(
          "\\$libdir/(autoinc|citext|fuzzystrmatch|hstore|insert_username|moddatetime|pg_stat_statements|pg_trgm"
              + "|pg_rational|pg_similarity|pgcrypto|postgis-\\d+(\\.\\d+)?|rum|unaccent|uuid-ossp"
              + "|vector)");

  /** Further ones, in C, that read no setting but those that are named after them. */
  private static final Pattern READS_ITS_OWN =
      Pattern.compile(
          "\\$libdir/(_int|adminpack|amcheck|bloom|bool_plperlu?|btree_gin|btree_gist|cube|dblink"
              + "|dict_int|dict_xsyn|earthdistance|file_fdw|hll|hstore_pl\\w+|ip4r|isn|jsonb_pl\\w+|lo"
              + "|ltree|ltree_plpython3u?|pageinspect|pg_buffercache|pg_cron|pg_freespacemap"
              + "|pg_logicalinspect|pg_prewarm|pg_surgery|pg_visibility|pg_walinspect|pgaudit|pgrowlocks"
              + "|pgstattuple|pgxml|plperl|plpgsql|plpython3|pltcl|postgres_fdw|prefix|refint|seg|sslinfo"
              + "|tablefunc|tcn|tsm_system_(rows|time))");

  /** Functions of the server under another name that show settings, or run a query. */
  private static final Pattern SHOWS_SETTINGS =
      Pattern.compile("\\$internal/(show_.*|.*_to_xml.*|ts_.*)");

  private KnownLibraries() {}

  /**
   * Returns whether the functions of {@code library}, and what it adds to the server once it is
   * loaded, read no settings but those that are named after it. A procedural language reads what
   * the functions in it say.
   */
  public static boolean readsItsOwnSettings(String library) {
    return library.startsWith(INTERNAL)
        ? !SHOWS_SETTINGS.matcher(library).matches()
        : writesNothing(library) || READS_ITS_OWN.matcher(library).matches();
  }

  /** Returns whether the functions of {@code library}, a {@code probin}, write nothing. */
  public static boolean writesNothing(String library) {
    return ENCODING.contains(library) || WRITES_NOTHING.matcher(library).matches();
  }

  /**
   * Returns whether a STABLE function depends on its arguments and on what is in every key or
   * changes by DDL only: the encoding of the client, by which citext is sent, and the dictionary of
   * unaccent.
   */
  public static boolean dependsOnNothingElse(String library) {
    return library.equals(UNACCENT) || ENCODING.contains(library);
  }

  /** Returns whether a function makes dates and times of texts, although it is IMMUTABLE. */
  public static boolean readsClock(String library, String name) {
    return library.equals(HSTORE) && name.equals("populate_record");
  }

  /**
   * Returns whether IMMUTABLE functions read a table called so, which no statement shows: that of
   * PostGIS for ST_Transform. A write to it counts as one of everything.
   */
  public static boolean isReadUnseen(String table) {
    return table.equals("spatial_ref_sys");
  }

  /** Returns whether the trigger functions of {@code library} change the row at hand only. */
  public static boolean changesRowOnly(String library) {
    return CHANGE_ROW.contains(library);
  }

  /** Returns whether a function may change settings of the session: set_limit() of pg_trgm. */
  public static boolean changesSettings(String library, char volatility) {
    return library.equals(TRIGRAMS) && volatility == 'v';
  }

  /** Returns the settings that a STABLE function depends on; empty where that may be anything. */
  public static Set<String> settings(String library) {
    return library.equals(TRIGRAMS)
        ? Set.of(
            "pg_trgm.similarity_threshold",
            "pg_trgm.strict_word_similarity_threshold",
            "pg_trgm.word_similarity_threshold")
        : Set.of();
  }
}
