package dev.larder.examples.badminutes;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for. Immutable.
 *
 * @param seconds how long it goes on
 * @param out the folder for the samples, if they are wanted
 * @param pastLarder whether changes go past Larder, so that its answers are wrong
 * @param help whether only the help is wanted
 */
record BadMinutesOptions(int seconds, @Nullable Path out, boolean pastLarder, boolean help) {
  static final String HELP =
      """
      An application without a cache and one with Larder live through the same: an
      exhausted pool, a database that stands still, two deploys, and a dashboard
      whose table is written all the time. Every answer is checked.

        --seconds <n>     how long                     (40 to 3600, default 120)
        --out <folder>    write what came in each second to bad-minutes.csv there
        --past-larder     changes go past Larder, so the check must find wrong rows
        --help            this text

      Exit code: 0 when nothing was wrong, 1 when something was, 2 when it could
      not run.
      """;

  private static final int LEAST = 40;
  private static final int MOST = 3_600;

  /** Says what is wrong with the arguments. */
  static final class BadOption extends Exception {
    private static final long serialVersionUID = 1;

    BadOption(String message) {
      super(message);
    }
  }

  /** Reads {@code --name value} and {@code --name=value}. */
  static BadMinutesOptions parse(String... arguments) throws BadOption {
    int seconds = Scene.PARTS;
    Path out = null;
    boolean pastLarder = false;
    boolean help = false;
    for (int i = 0; i < arguments.length; i++) {
      String[] option = arguments[i].split("=", 2);
      boolean apart = option.length == 1 && i + 1 < arguments.length;
      switch (option[0]) {
        case "--seconds" -> seconds = seconds(apart ? arguments[++i] : option[option.length - 1]);
        case "--out" -> out = Path.of(apart ? arguments[++i] : option[option.length - 1]);
        case "--past-larder" -> pastLarder = true;
        case "--help", "-h" -> help = true;
        default ->
            throw new BadOption(
                "'"
                    + arguments[i]
                    + "' is no option. Options are --seconds, --out, --past-larder, --help.");
      }
    }
    return new BadMinutesOptions(seconds, out, pastLarder, help);
  }

  private static int seconds(String value) throws BadOption {
    try {
      int number = Integer.parseInt(value);
      if (number >= LEAST && number <= MOST) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BadOption("--seconds is '" + value + "'; it must be a whole number from 40 to 3600.");
  }
}
