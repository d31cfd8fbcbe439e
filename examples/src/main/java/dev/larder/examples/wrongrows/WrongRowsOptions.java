package dev.larder.examples.wrongrows;

import java.time.Duration;

/**
 * What was asked for. Immutable.
 *
 * @param time how long it goes on, at least
 * @param timeToLive of what is cached by hand
 * @param memcached whether Larder's processes share what they have read, where memcached is there
 * @param feed whether Larder follows the log of the server instead
 * @param help whether only the help is wanted
 */
record WrongRowsOptions(
    Duration time, Duration timeToLive, boolean memcached, boolean feed, boolean help) {
  static final String HELP =
      """
      Three processes read and change products through the PostgreSQL driver alone,
      through a cache written by hand, and through Larder, and every answer is
      checked. After two fifths of the time psql changes rows past all of them.

        --seconds <n>         how long, at least         (10 to 3600, default 60)
        --ttl <seconds>       of the cache by hand       (1 to 3600, default 5)
        --without-memcached   Larder's processes share nothing
        --feed                Larder follows the server's log, without memcached:
                              nothing may be older than a second
        --help                this text

      Exit code: 0 when nothing was wrong that must be right, 1 when something was,
      2 when it could not run.
      """;

  /** Says what is wrong with the arguments. */
  static final class BadOption extends Exception {
    private static final long serialVersionUID = 1;

    BadOption(String message) {
      super(message);
    }
  }

  /** Reads {@code --name value} and {@code --name=value}. */
  static WrongRowsOptions parse(String... arguments) throws BadOption {
    int seconds = 60;
    int timeToLive = 5;
    boolean memcached = true;
    boolean feed = false;
    boolean help = false;
    for (int i = 0; i < arguments.length; i++) {
      String[] option = arguments[i].split("=", 2);
      boolean apart = option.length == 1 && i + 1 < arguments.length;
      switch (option[0]) {
        case "--seconds" ->
            seconds = number(option[0], apart ? arguments[++i] : option[option.length - 1], 10);
        case "--ttl" ->
            timeToLive = number(option[0], apart ? arguments[++i] : option[option.length - 1], 1);
        case "--without-memcached" -> memcached = false;
        case "--feed" -> feed = true;
        case "--help", "-h" -> help = true;
        default ->
            throw new BadOption(
                "'"
                    + arguments[i]
                    + "' is no option. Options are --seconds, --ttl, --without-memcached, --feed,"
                    + " --help.");
      }
    }
    return new WrongRowsOptions(
        Duration.ofSeconds(seconds), Duration.ofSeconds(timeToLive), memcached, feed, help);
  }

  private static int number(String name, String value, int least) throws BadOption {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= 3_600) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BadOption(
        name + " is '" + value + "'; it must be a whole number from " + least + " to 3600.");
  }
}
