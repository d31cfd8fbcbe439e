package dev.larder;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the values of an option are: how they are read from text, checked and shown. Immutable.
 *
 * @param <T> the class of the values
 */
public final class OptionType<T> {
  private static final String OFF = "To switch caching off set larder.enabled=false";

  static final OptionType<Boolean> BOOLEAN =
      of("`true`, `false`, `on` or `off`", OptionText::bool)
          .withChoices(List.of("true", "false", "on", "off"));

  static final OptionType<Long> COUNT =
      of("a whole number, at least 1", OptionText::count).withCheck(atLeast(1));

  static final OptionType<Long> SIZE =
      of(
          "a size: a whole number of bytes, or with the unit `kB`, `MB` or `GB` of 1024, such as"
              + " `64MB`",
          OptionText::bytes);

  static final OptionType<Double> SHARE =
      of("a number from 0 to 1, such as `0.01`", OptionText::share)
          .withCheck(OptionType::checkShare)
          .withText(share -> OptionText.number(share));

  static final OptionType<Duration> DURATION =
      of(
              "a duration: a positive whole number with the unit `ms`, `s`, `m`, `h` or `d`, such"
                  + " as `30s`, or as in ISO 8601, such as `PT30S`",
              OptionText::duration)
          .withCheck(OptionType::checkPositive)
          .withText(OptionText::age);

  static final OptionType<Set<String>> TABLES =
      of(
              "comma-separated names of tables, `*` standing for any characters, such as"
                  + " `orders,audit_*,archive.*`",
              OptionText::list)
          .withCheck((key, patterns) -> each(patterns, text -> pattern(key, text)))
          .withText(names -> String.join(",", names));

  static final OptionType<Map<String, Duration>> AGES =
      of("comma-separated `table=duration`, such as `orders=30s,audit_*=5m`", OptionText::ages)
          .withCheck(
              (key, ages) ->
                  each(key, ages, text -> pattern(key, text), age -> checkPositive(key, age)))
          .withText(ages -> String.join(",", ages.keySet()));

  static final OptionType<Set<String>> NAMES =
      of("comma-separated names, such as `price_of,app.tax_rate`", OptionText::list)
          .withCheck((key, names) -> each(names, text -> DeclaredName.fold(key, text)))
          .withText(names -> String.join(",", names));

  private final String rule;
  private final Reader<T> reader;
  private final Check<T> check;
  private final Function<T, String> text;
  private final List<String> choices;
  private final boolean secret;

  private OptionType(
      String rule,
      Reader<T> reader,
      Check<T> check,
      Function<T, String> text,
      List<String> choices,
      boolean secret) {
    this.rule = rule;
    this.reader = reader;
    this.check = check;
    this.text = text;
    this.choices = choices;
    this.secret = secret;
  }

  /**
   * Reads a text.
   *
   * @param <T> the class of the values
   */
  @FunctionalInterface
  public interface Reader<T> {
    /**
     * {@return what the text says}
     *
     * @param text without blanks around it
     * @throws OptionText.Unreadable if it does not say what it should
     */
    T read(String text) throws OptionText.Unreadable;
  }

  /**
   * Checks a value that was read or set.
   *
   * @param <T> the class of the values
   */
  @FunctionalInterface
  interface Check<T> {
    /** Returns the value as it is kept, or refuses it with an {@link IllegalArgumentException}. */
    T check(String key, T value);
  }

  /**
   * {@return a type}
   *
   * @param <T> the class of its values
   * @param rule what a value looks like, in Markdown
   * @param reader reads it
   */
  public static <T> OptionType<T> of(String rule, Reader<T> reader) {
    return new OptionType<>(rule, reader, (key, value) -> value, String::valueOf, List.of(), false);
  }

  /**
   * {@return the type of the words for constants: their names in lower case, with {@code -} for
   * {@code _}}
   *
   * @param <E> the class of the constants
   * @param constants that can be chosen, at least two
   */
  @SafeVarargs
  static <E extends Enum<E>> OptionType<E> choice(E... constants) {
    Map<String, E> byWord = new LinkedHashMap<>();
    for (E constant : constants) {
      byWord.put(word(constant), constant);
    }
    return choice(byWord).withText(OptionType::word);
  }

  /**
   * {@return the type of some words, in any case}
   *
   * @param words at least two, in lower case
   */
  static OptionType<String> words(String... words) {
    Map<String, String> byWord = new LinkedHashMap<>();
    Arrays.asList(words).forEach(word -> byWord.put(word, word));
    return choice(byWord);
  }

  /**
   * {@return the type of some words, which are read in any case}
   *
   * @param <T> the class of the values
   * @param values by word
   */
  public static <T> OptionType<T> choice(Map<String, T> values) {
    List<String> words = List.copyOf(values.keySet());
    String rule =
        words.stream()
            .map(word -> '`' + word + '`')
            .collect(Collectors.joining(", "))
            .replaceFirst(", ([^,]*)$", " or $1");
    return of(
            rule,
            text -> {
              for (Map.Entry<String, T> value : values.entrySet()) {
                if (value.getKey().equalsIgnoreCase(text.replace('_', '-'))) {
                  return value.getValue();
                }
              }
              throw new OptionText.Unreadable("");
            })
        .withChoices(words);
  }

  /** Returns the type of what a {@code noun} writes. */
  static OptionType<Map<String, Set<String>>> writes(String noun, String example) {
    return of(
            "comma-separated `%s=table`, several tables separated by `|`, nothing behind the `=` for no table, such as `%s`"
                .formatted(noun, example),
            OptionText::writes)
        .withCheck(
            (key, writes) ->
                each(
                    key,
                    writes,
                    text -> DeclaredName.fold(key, text),
                    tables -> each(tables, text -> DeclaredName.fold(key, text))))
        .withText(writes -> String.join(",", writes.keySet()));
  }

  OptionType<T> withCheck(Check<T> more) {
    return new OptionType<>(
        rule,
        reader,
        (key, value) -> more.check(key, check.check(key, value)),
        text,
        choices,
        secret);
  }

  OptionType<T> withRule(String more) {
    return new OptionType<>(rule + more, reader, check, text, choices, secret);
  }

  OptionType<T> withText(Function<T, String> shown) {
    return new OptionType<>(rule, reader, check, shown, choices, secret);
  }

  private OptionType<T> withChoices(List<String> words) {
    return new OptionType<>(rule, reader, check, text, words, secret);
  }

  /** {@return this type, whose values no message shows} */
  public OptionType<T> kept() {
    return new OptionType<>(rule, reader, check, text, choices, true);
  }

  /** {@return what a value looks like, in Markdown} */
  public String rule() {
    return rule;
  }

  /** {@return the only values, if they can be listed} */
  public List<String> choices() {
    return choices;
  }

  /**
   * {@return the value as a user would write it; of several things that are named, their names}
   *
   * @param value of an option
   */
  public String text(T value) {
    return text.apply(value);
  }

  T read(String written) throws OptionText.Unreadable {
    return reader.read(written);
  }

  T check(String key, T value) {
    return check.check(key, value);
  }

  /** Returns how a message shows what a user wrote. */
  String shown(String written) {
    return secret ? "not what it must be" : '"' + written + '"';
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  // ---- checks

  static Check<Long> atLeast(long least) {
    return (key, value) -> {
      if (value < least) {
        throw new IllegalArgumentException(
            key + " is " + value + "; it must be at least " + least + ". " + OFF + '.');
      }
      return value;
    };
  }

  static Check<Duration> notShorter(Duration least) {
    return (key, value) -> {
      if (value.compareTo(least) < 0) {
        throw new IllegalArgumentException(
            key + " is " + value + "; it must be at least " + OptionText.age(least) + '.');
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
          key
              + " is "
              + age
              + "; it must be positive. "
              + OFF
              + ", for single tables larder.tables.exclude.");
    }
    return age;
  }

  private static String pattern(String key, String text) {
    return TablePattern.parse(key, text).toString();
  }

  private static Set<String> each(Collection<String> names, Function<String, String> read) {
    Set<String> all = new LinkedHashSet<>();
    names.forEach(name -> all.add(read.apply(name)));
    return Collections.unmodifiableSet(all);
  }

  private static <V> Map<String, V> each(
      String key, Map<String, V> values, Function<String, String> name, Function<V, V> value) {
    Map<String, V> all = new LinkedHashMap<>();
    values.forEach(
        (text, each) -> {
          if (all.put(name.apply(text), value.apply(each)) != null) {
            throw new IllegalArgumentException(
                key
                    + " names "
                    + text
                    + " twice; write it once, with everything that belongs to it.");
          }
        });
    return Collections.unmodifiableMap(all);
  }
}
