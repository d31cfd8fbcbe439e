package dev.larder;

import dev.larder.QueryCacheConfig.Invalidation;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What the values of an option are: how they are read and checked. Immutable.
 *
 * @param <T> the class of the values
 * @param rule what a value looks like, in Markdown
 * @param reader reads a text without blanks around it, or throws {@link OptionText.Unreadable}
 * @param check makes of the option's name and a value that was read or set the one that is kept, or
 *     throws an {@link IllegalArgumentException}
 * @param choices the only texts, if they can be listed
 * @param secret whether no message shows a value
 */
public record OptionType<T>(
    String rule,
    Function<String, T> reader,
    BiFunction<String, T, T> check,
    List<String> choices,
    boolean secret) {
  private static final String OFF = "To switch caching off set larder.enabled=false";

  static final OptionType<Boolean> BOOLEAN =
      choice(
          List.of("true", "false", "on", "off"), text -> text.equals("true") || text.equals("on"));

  static final OptionType<Long> COUNT =
      of("a whole number, at least 1", OptionText::count).withCheck(atLeast(1));

  static final OptionType<Long> SIZE =
      of(
          "a size: a whole number of bytes, or with the unit `kB`, `MB` or `GB` of 1024, such as"
              + " `64MB`",
          OptionText::bytes);

  static final OptionType<Double> SHARE =
      of("a number from 0 to 1, such as `0.01`", OptionText::share)
          .withCheck(OptionType::checkShare);

  static final OptionType<Duration> DURATION =
      of(
              "a duration: a positive whole number with the unit `ms`, `s`, `m`, `h` or `d`, such"
                  + " as `30s`, or as in ISO 8601, such as `PT30S`",
              OptionText::duration)
          .withCheck(OptionType::checkPositive);

  static final OptionType<String> NAME =
      of("1 to 64 letters, digits, `.`, `_`, `-`", text -> text).withCheck(OptionText::checkName);

  static final OptionType<Set<String>> TABLES =
      of(
              "comma-separated names of tables, `*` standing for any characters, such as"
                  + " `orders,audit_*,archive.*`",
              OptionType::set)
          .withCheck((key, patterns) -> each(patterns, text -> pattern(key, text)));

  static final OptionType<Map<String, Duration>> AGES =
      of(
              "comma-separated `table=duration`, such as `orders=30s,audit_*=5m`",
              text -> OptionText.pairs(text, OptionText::duration))
          .withCheck(
              (key, ages) ->
                  each(key, ages, text -> pattern(key, text), age -> checkPositive(key, age)));

  static final OptionType<Map<String, Invalidation>> INVALIDATIONS =
      of(
              "comma-separated tables with `key` or `table`, such as `orders=key,audit_*=table`",
              text -> OptionText.pairs(text, choice(Invalidation.values()).reader()))
          .withCheck(
              (key, tables) -> each(key, tables, text -> pattern(key, text), value -> value));

  static final OptionType<Set<String>> NAMES =
      of("comma-separated names, such as `price_of,app.tax_rate`", OptionType::set)
          .withCheck(OptionType::names);

  /**
   * {@return a type}
   *
   * @param <T> the class of its values
   * @param rule what a value looks like, in Markdown
   * @param reader reads it, or throws {@link OptionText.Unreadable}
   */
  public static <T> OptionType<T> of(String rule, Function<String, T> reader) {
    return new OptionType<>(rule, reader, (key, value) -> value, List.of(), false);
  }

  /** Returns the type of constants: their words are in lower case, with {@code -} for {@code _}. */
  @SafeVarargs
  static <E extends Enum<E>> OptionType<E> choice(E... constants) {
    Map<String, E> byWord = new LinkedHashMap<>();
    for (E constant : constants) {
      byWord.put(OptionText.of(constant), constant);
    }
    return choice(byWord);
  }

  /**
   * {@return the type of some words, which are read in any case}
   *
   * @param <T> the class of the values
   * @param values by word, at least two
   */
  public static <T> OptionType<T> choice(Map<String, T> values) {
    Map<String, T> known = new LinkedHashMap<>(values);
    return choice(List.copyOf(known.keySet()), known::get);
  }

  /** Returns the type of some words, in any case; {@code value} is given one as it is listed. */
  static <T> OptionType<T> choice(List<String> words, Function<String, T> value) {
    String rule =
        words.stream()
            .map(word -> '`' + word + '`')
            .collect(Collectors.joining(", "))
            .replaceFirst(", ([^,]*)$", " or $1");
    Function<String, T> reader =
        text -> {
          for (String word : words) {
            if (word.equalsIgnoreCase(text.replace('_', '-'))) {
              return value.apply(word);
            }
          }
          throw new OptionText.Unreadable("");
        };
    return new OptionType<>(rule, reader, (key, kept) -> kept, words, false);
  }

  static OptionType<Map<String, Set<String>>> writes(String noun, String example) {
    return of(
            "comma-separated `%s=table`, several tables separated by `|`, nothing behind the `=` for no table, such as `%s`"
                .formatted(noun, example),
            text -> OptionText.pairs(text, OptionType::tables))
        .withCheck(
            (key, writes) ->
                each(
                    key,
                    writes,
                    text -> DeclaredName.fold(key, text),
                    tables -> names(key, tables)));
  }

  private static Set<String> set(String text) {
    return new LinkedHashSet<>(OptionText.list(text, ','));
  }

  private static Set<String> tables(String text) {
    return new LinkedHashSet<>(OptionText.list(text, '|'));
  }

  OptionType<T> withCheck(BiFunction<String, T, T> more) {
    return new OptionType<>(
        rule, reader, (key, value) -> more.apply(key, check.apply(key, value)), choices, secret);
  }

  OptionType<T> withRule(String more) {
    return new OptionType<>(rule + more, reader, check, choices, secret);
  }

  /** {@return this type, whose values no message shows} */
  public OptionType<T> kept() {
    return new OptionType<>(rule, reader, check, choices, true);
  }

  // ---- checks

  static BiFunction<String, Long, Long> atLeast(long least) {
    return (key, value) -> {
      if (value < least) {
        throw new IllegalArgumentException(
            key + " is " + value + "; it must be at least " + least + ". " + OFF + '.');
      }
      return value;
    };
  }

  static BiFunction<String, Duration, Duration> notShorter(Duration least) {
    return (key, value) -> {
      if (value.compareTo(least) < 0) {
        throw new IllegalArgumentException(
            key + " is " + value + "; it must be at least " + OptionText.of(least) + '.');
      }
      return value;
    };
  }

  private static Double checkShare(String key, Double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          key + " is " + share + "; it must be from 0 to 1. For one hit in a hundred set 0.01.");
    }
    return share == 0 ? 0 : share; // Without the sign that a zero may have.
  }

  private static Duration checkPositive(String key, Duration age) {
    if (age.isZero() || age.isNegative()) {
      throw new IllegalArgumentException(
          "%s is %s; it must be positive. %s, for single tables larder.tables.exclude."
              .formatted(key, age, OFF));
    }
    return age;
  }

  private static String pattern(String key, String text) {
    return TablePattern.parse(key, text).toString();
  }

  private static Set<String> names(String key, Collection<String> names) {
    return each(names, text -> DeclaredName.fold(key, text));
  }

  private static Set<String> each(Collection<String> names, UnaryOperator<String> read) {
    Set<String> all = new LinkedHashSet<>();
    names.forEach(name -> all.add(read.apply(name)));
    return Collections.unmodifiableSet(all);
  }

  private static <V> Map<String, V> each(
      String key, Map<String, V> values, UnaryOperator<String> name, UnaryOperator<V> value) {
    Map<String, V> all = new LinkedHashMap<>();
    values.forEach(
        (text, each) -> {
          if (all.put(name.apply(text), value.apply(each)) != null) {
            throw new IllegalArgumentException(
                "%s names %s twice; write it once, with everything that belongs to it."
                    .formatted(key, text));
          }
        });
    return Collections.unmodifiableMap(all);
  }
}
