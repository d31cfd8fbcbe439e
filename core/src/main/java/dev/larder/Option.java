package dev.larder;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One option that users set: its name, what its values are, its default and its description. All
 * that speaks of the option is made from here: the reading of texts, the checks and their messages,
 * the page {@code docs/configuration.md} and the metadata of Spring. Immutable; equal to itself
 * alone.
 *
 * @param <T> the class of its values, which are immutable
 */
public final class Option<T> {
  private final String key;
  private final OptionType<T> type;
  private final @Nullable T byDefault;
  private final String defaultText;
  private final String description;
  private final String change;

  private Option(
      String key,
      OptionType<T> type,
      @Nullable T byDefault,
      String defaultText,
      String description,
      String change) {
    this.key = key;
    this.type = type;
    this.byDefault = byDefault;
    this.defaultText = defaultText;
    this.description = description;
    this.change = change;
  }

  /**
   * {@return an option with a default}
   *
   * @param <T> the class of its values
   * @param key the name of the option
   * @param type what its values are
   * @param byDefault the value where none is given
   * @param description what it does, in Markdown
   */
  public static <T> Option<T> of(String key, OptionType<T> type, T byDefault, String description) {
    return of(key, type, byDefault, type.text(byDefault), description);
  }

  /** As the other, where the default is no value that a user could write. */
  static <T> Option<T> of(
      String key, OptionType<T> type, T byDefault, String defaultText, String description) {
    return new Option<>(key, type, byDefault, defaultText, description, "");
  }

  /**
   * {@return an option without a default}
   *
   * @param <T> the class of its values
   * @param key the name of the option
   * @param type what its values are
   * @param omitted what holds where no value is given, in words; empty for nothing
   * @param description what it does, in Markdown
   */
  public static <T> Option<T> optional(
      String key, OptionType<T> type, String omitted, String description) {
    return new Option<>(key, type, null, omitted, description, "");
  }

  /**
   * {@return this option, which may change while the cache is in use}
   *
   * @param how it changes, in Markdown
   */
  Option<T> changedBy(String how) {
    return new Option<>(key, type, byDefault, defaultText, description, how);
  }

  /** {@return the name of the option, as in the URL} */
  public String key() {
    return key;
  }

  /** {@return what its values are} */
  public OptionType<T> type() {
    return type;
  }

  /** {@return the value where none is given, if there is one} */
  public Optional<T> byDefault() {
    return Optional.ofNullable(byDefault);
  }

  /** {@return the default as a user would read it; empty for nothing} */
  public String defaultText() {
    return defaultText;
  }

  /** {@return what the option does, in Markdown} */
  public String description() {
    return description;
  }

  /** {@return how it changes while the cache is in use, in Markdown; empty where it cannot} */
  public String change() {
    return change;
  }

  /**
   * {@return the value that a text says}
   *
   * @param text as a user writes it
   * @throws IllegalArgumentException if it is not what the rule says; names the option, the value,
   *     the rule and the fix
   */
  public T read(String text) {
    try {
      return checked(type.read(text.strip()));
    } catch (OptionText.Unreadable e) {
      throw new IllegalArgumentException(
          "%s is %s%s; it must be %s."
              .formatted(key, type.shown(text), e.fault(), type.rule().replace("`", "")),
          e);
    }
  }

  /**
   * {@return a value in the form in which it is kept: of names, that without their quotes}
   *
   * @param value of the class of this option
   * @throws IllegalArgumentException if it breaks the rule, as of {@link #read}
   */
  public T checked(T value) {
    return type.check(key, value);
  }

  /**
   * {@return the option whose name takes the fewest edits to get to from {@code key}; a difference
   * of case alone counts as none}
   *
   * @param <O> the class of the options
   * @param key what a user wrote
   * @param options at least one
   */
  public static <O extends Option<?>> O nearest(String key, Collection<O> options) {
    return options.stream()
        .min(Comparator.comparingInt(option -> OptionText.distance(key, option.key())))
        .orElseThrow();
  }

  @Override
  public String toString() {
    return key;
  }
}
