package dev.larder.examples.demo;

import java.io.Console;

/** Says whether somebody is looking. */
final class Terminal {
  private Terminal() {}

  /** Returns whether this process reads from and writes to a terminal. */
  @SuppressWarnings("SystemConsoleNull") // Asked further below, where it is not null.
  static boolean isThere() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // Since JDK 22 there is a console without a terminal, too.
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }
}
