package dev.larder.catalog;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * The libraries of well-known extensions whose functions, written in C, write nothing, whatever
 * their volatility says. A function is known by the library that its code is in ({@code probin}),
 * which only a superuser can name, and never by its name; what an extension writes in SQL or
 * PL/pgSQL is read like every other body.
 */
final class KnownLibraries {
  private static final String TRIGRAMS = "$libdir/pg_trgm";
  private static final String HSTORE = "$libdir/hstore";
  private static final String UNACCENT = "$libdir/unaccent";

  private static final Set<String> WRITE_NOTHING =
      Set.of(
          TRIGRAMS,
          "$libdir/citext",
          "$libdir/fuzzystrmatch",
          HSTORE,
          "$libdir/pgcrypto",
          UNACCENT,
          "$libdir/uuid-ossp",
          "$libdir/vector");

  /** PostGIS carries its version in the name; its rasters and topologies are libraries apart. */
  private static final Pattern POSTGIS = Pattern.compile("\\$libdir/postgis-\\d+(\\.\\d+)?");

  /** Functions of the server by their code, which only a superuser can name. */
  private static final Set<String> ENCODING = Set.of("$internal/textrecv", "$internal/textsend");

  /** Tables that functions declared IMMUTABLE read: those of PostGIS, for ST_Transform. */
  private static final Set<String> READ_UNSEEN = Set.of("spatial_ref_sys");

  /** Trigger functions that change the row at hand only. */
  private static final Set<String> CHANGE_ROW =
      Set.of("$libdir/autoinc", "$libdir/insert_username", "$libdir/moddatetime");

  /** The settings that the operators of pg_trgm read; set_limit() changes one. */
  private static final Set<String> TRIGRAM_SETTINGS =
      Set.of(
          "pg_trgm.similarity_threshold",
          "pg_trgm.strict_word_similarity_threshold",
          "pg_trgm.word_similarity_threshold");

  private KnownLibraries() {}

  /** Returns whether the functions of {@code library}, a {@code probin}, write nothing. */
  static boolean writesNothing(String library) {
    return WRITE_NOTHING.contains(library)
        || CHANGE_ROW.contains(library)
        || ENCODING.contains(library)
        || POSTGIS.matcher(library).matches();
  }

  /**
   * Returns whether what a STABLE function of {@code library} depends on besides its arguments is
   * in every key, or changes by DDL only: the encoding of the client, with which citext is sent and
   * received by functions of the server, and the dictionary of unaccent.
   */
  static boolean dependsOnNothingElse(String library) {
    return library.equals(UNACCENT) || ENCODING.contains(library);
  }

  /**
   * Returns whether a function of {@code library} makes values of any type of texts, dates and
   * times among them, although it is declared IMMUTABLE.
   */
  static boolean readsClock(String library, String name) {
    return library.equals(HSTORE) && name.equals("populate_record");
  }

  /**
   * Returns whether functions that are declared IMMUTABLE read a table called so, and no statement
   * shows it: a write to it counts as one of everything.
   */
  static boolean isReadUnseen(String table) {
    return READ_UNSEEN.contains(table);
  }

  /** Returns whether the trigger functions of {@code library} change the row at hand only. */
  static boolean changesRowOnly(String library) {
    return CHANGE_ROW.contains(library);
  }

  /** Returns whether a function of {@code library} may change settings of the session. */
  static boolean changesSettings(String library, char volatility) {
    return library.equals(TRIGRAMS) && volatility == 'v';
  }

  /**
   * Returns the settings that a STABLE function of {@code library} depends on besides its
   * arguments; empty where it may depend on anything.
   */
  static Set<String> settings(String library) {
    return library.equals(TRIGRAMS) ? TRIGRAM_SETTINGS : Set.of();
  }
}
