package dev.larder.catalog;

import java.util.Set;

/**
 * The libraries of extensions that come with PostgreSQL whose functions, written in C, are known to
 * write nothing, whatever their volatility says.
 */
final class KnownLibraries {
  private static final String TRIGRAMS = "$libdir/pg_trgm";

  private static final Set<String> WRITE_NOTHING =
      Set.of(
          TRIGRAMS,
          "$libdir/citext",
          "$libdir/fuzzystrmatch",
          "$libdir/hstore",
          "$libdir/pgcrypto",
          "$libdir/unaccent",
          "$libdir/uuid-ossp");

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
    return WRITE_NOTHING.contains(library) || CHANGE_ROW.contains(library);
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
