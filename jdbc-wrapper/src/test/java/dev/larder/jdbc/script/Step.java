package dev.larder.jdbc.script;

/**
 * One line of a scenario.
 *
 * @param session the name of the session that runs it, one letter
 * @param kind what is done
 * @param text the SQL, or the words of a call of JDBC
 */
record Step(char session, Kind kind, String text) {
  /** What is done with the text of a step. */
  enum Kind {
    /** Runs it by {@code execute}. */
    RUN('>'),
    /** Reads twice; the rows are compared. */
    READ('?'),
    /** Reads until the rows come from the cache, which must come to pass by the second time. */
    HIT('+'),
    /** Calls a method of JDBC. */
    CALL('!');

    private final char mark;

    Kind(char mark) {
      this.mark = mark;
    }

    static Kind of(char mark) {
      for (Kind kind : values()) {
        if (kind.mark == mark) {
          return kind;
        }
      }
      throw new IllegalArgumentException("no kind of step: " + mark);
    }
  }

  /** Reads a line such as {@code a> BEGIN}. */
  static Step parse(String line) {
    if (line.length() < 4 || line.charAt(2) != ' ' || !Character.isLowerCase(line.charAt(0))) {
      throw new IllegalArgumentException("no step: " + line);
    }
    return new Step(line.charAt(0), Kind.of(line.charAt(1)), line.substring(3).trim());
  }

  @Override
  public String toString() {
    return "" + session + kind.mark + ' ' + text;
  }
}
