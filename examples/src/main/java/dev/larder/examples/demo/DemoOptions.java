package dev.larder.examples.demo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the demo was asked for. Immutable.
 *
 * @param url the PostgreSQL driver's URL of the user's own database, or null to start a server
 * @param time how long to measure, both sides together
 * @param threads how many threads read
 * @param accounts how many rows pgbench_accounts has
 * @param help whether only the help is wanted
 */
record DemoOptions(@Nullable String url, Duration time, int threads, int accounts, boolean help) {
  static final String HELP =
      """
      Runs one read-mostly workload through the PostgreSQL driver and through Larder
      in turn, and checks every answer.

        --seconds <n>    how long to measure, both together  (2 to 3600, default 30)
        --threads <n>    how many threads read               (1 to 64, default 4)
        --accounts <n>   rows in pgbench_accounts            (1000 to 10000000,
                                                              default 100000)
        --url <url>      use this database, jdbc:postgresql://host/db?user=..., in a
                         schema that is created and dropped; without it a server is
                         started for the demo
        --help           this text

      Exit code: 0 when every answer was right, 1 when one was wrong, 2 when the demo
      could not run.
      """;

  /** Says what is wrong with the arguments, and what would be right. */
  static final class BadOption extends Exception {
    private static final long serialVersionUID = 1;

    BadOption(String message) {
      super(message);
    }
  }

  /** Reads {@code --name value} and {@code --name=value}. */
  static DemoOptions parse(String... arguments) throws BadOption {
    String url = null;
    int seconds = 30;
    int threads = 4;
    int accounts = 100_000;
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (argument.equals("--help") || argument.equals("-h")) {
        return new DemoOptions(null, Duration.ofSeconds(seconds), threads, accounts, true);
      }
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      checkName(name);
      if (equals < 0 && i + 1 == arguments.length) {
        throw new BadOption(name + " needs a value: " + name + " <value>.");
      }
      String value = equals < 0 ? arguments[++i] : argument.substring(equals + 1);
      switch (name) {
        case "--url" -> url = postgresUrl(value);
        case "--seconds" -> seconds = number(name, value, 2, 3_600);
        case "--threads" -> threads = number(name, value, 1, 64);
        default -> accounts = number(name, value, 1_000, 10_000_000);
      }
    }
    return new DemoOptions(url, Duration.ofSeconds(seconds), threads, accounts, false);
  }

  private static void checkName(String name) throws BadOption {
    switch (name) {
      case "--url", "--seconds", "--threads", "--accounts" -> {}
      default ->
          throw new BadOption(
              "'"
                  + name
                  + "' is no option. Options are --seconds, --threads, --accounts, --url, --help.");
    }
  }

  private static String postgresUrl(String value) throws BadOption {
    if (!value.startsWith("jdbc:postgresql:")) {
      throw new BadOption(
          "--url must begin with jdbc:postgresql: (the demo adds larder: where it needs it).");
    }
    return value;
  }

  private static int number(String name, String value, int least, int most) throws BadOption {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BadOption(
        name
            + " is '"
            + value
            + "'; it must be a whole number from "
            + least
            + " to "
            + most
            + '.');
  }
}
