package dev.larder;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One option that users set. Messages, the page {@code docs/configuration.md} and the metadata of
 * Spring are made from it. Immutable; equal to itself alone.
 *
 * @param <T> the class of its values, which are immutable
 * @param key the name of the option, as in the URL
 * @param type what its values are
 * @param defaultValue the value where none is given, or null
 * @param defaultText the default as a user would read it; empty for nothing
 * @param description what the option does, in Markdown
 * @param change how it changes while the cache is in use, in Markdown; empty where it cannot
 */
public record Option<T>(
    String key,
    OptionType<T> type,
    @Nullable T defaultValue,
    String defaultText,
    String description,
    String change) {
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
    return of(key, type, byDefault, OptionText.of(byDefault), description);
  }

  /** As the other, with a default that no user could write. */
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
    return new Option<>(key, type, defaultValue, defaultText, description, how);
  }

  /** {@return the value where none is given, if there is one} */
  public Optional<T> byDefault() {
    return Optional.ofNullable(defaultValue);
  }

  /**
   * {@return the value that a text says}
   *
   * @param text as a user writes it
   * @throws IllegalArgumentException if it breaks the rule; names the option, the value, the rule
   *     and the fix
   */
  public T read(String text) {
    try {
      return checked(type.reader().apply(text.strip()));
    } catch (OptionText.Unreadable e) {
      String shown = type.secret() ? "\"…\"" : '"' + text + '"';
      throw new IllegalArgumentException(
          "%s is %s%s; it must be %s."
              .formatted(key, shown, e.getMessage(), type.rule().replace("`", "")),
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
    return type.check().apply(key, value);
  }

  /**
   * {@return the option whose name is nearest to {@code key}, by edits; case does not count}
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
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return key;
  }
}
