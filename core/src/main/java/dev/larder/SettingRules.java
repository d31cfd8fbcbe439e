package dev.larder;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What a single setting must hold; each message names the key, the value, the rule and the fix. */
final class SettingRules {
  private SettingRules() {}

  static long atLeast(long least, long value, String key) {
    if (value < least) {
      throw new IllegalArgumentException(
          key
              + " is "
              + value
              + "; it must be at least "
              + least
              + ". To switch caching off set larder.enabled=false.");
    }
    return value;
  }

  static double share(double share, String key) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          key + " is " + share + "; it must be from 0 to 1. For one hit in a hundred set 0.01.");
    }
    return share == 0 ? 0 : share; // Without the sign that a zero may have.
  }

  static Duration positive(Duration age, String key) {
    if (age.isZero() || age.isNegative()) {
      throw new IllegalArgumentException(
          key
              + " is "
              + age
              + "; it must be positive. To switch caching off set larder.enabled=false, for"
              + " single tables larder.tables.exclude.");
    }
    return age;
  }

  static Duration notShorter(Duration least, Duration value, String key) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          key + " is " + value + "; it must be at least " + least.toSeconds() + " s.");
    }
    return value;
  }

  static Set<TablePattern> parsed(String key, Collection<String> patterns) {
    Set<TablePattern> parsed = new LinkedHashSet<>();
    patterns.forEach(text -> parsed.add(TablePattern.parse(key, text)));
    return parsed;
  }

  static Set<String> folded(String key, Collection<String> names) {
    Set<String> folded = new LinkedHashSet<>();
    names.forEach(text -> folded.add(DeclaredName.fold(key, text)));
    return Collections.unmodifiableSet(folded);
  }

  static Map<String, Set<String>> folded(
      String key, Map<String, ? extends Collection<String>> writes) {
    Map<String, Set<String>> folded = new LinkedHashMap<>();
    writes.forEach(
        (text, tables) -> {
          if (folded.put(DeclaredName.fold(key, text), folded(key, tables)) != null) {
            throw named(key, text);
          }
        });
    return Collections.unmodifiableMap(folded);
  }

  static IllegalArgumentException named(String key, String text) {
    return new IllegalArgumentException(
        key + " names " + text + " twice; write it once, with everything that belongs to it.");
  }

  static Duration least(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
