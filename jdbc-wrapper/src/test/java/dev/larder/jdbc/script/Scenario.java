package dev.larder.jdbc.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A scenario of a script. A file has many of them:
 *
 * <pre>
 * # a remark
 * == the name of a scenario | autosave=always, any hits
 * a> BEGIN                       run by execute()
 * b? SELECT v FROM t             read twice, compared
 * b+ SELECT v FROM t             the same, and the second must be a hit
 * a! rollback                    a call of JDBC: see Player
 * </pre>
 *
 * Behind the name come parameters of the driver's URL, with which the scenario is run only, and
 * {@code any hits}, where it may have none.
 *
 * @param file where it stands
 * @param options parameters of the driver's URL
 * @param mustHit whether it proves nothing unless a read is a hit
 */
record Scenario(String file, String name, List<String> options, boolean mustHit, List<Step> steps) {
  private static final String ANY_HITS = "any hits";

  private static final Pattern WRITE =
      Pattern.compile("(?i)\\b(insert|update|delete|merge|truncate|copy|create|alter|drop|do)\\b");

  private static final Pattern DEFINITION =
      Pattern.compile("(?i)\\b(truncate|copy|create|alter|drop|do|prepare)\\b");

  Scenario {
    options = List.copyOf(options);
    steps = List.copyOf(steps);
  }

  /** Reads the scenarios of a file beside the scripts. */
  static List<Scenario> read(String file) {
    try (InputStream in = Scenario.class.getResourceAsStream("/dev/larder/jdbc/scripts/" + file)) {
      if (in == null) {
        throw new IllegalArgumentException("no such file: " + file);
      }
      return parse(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the scenarios of a text. */
  static List<Scenario> parse(String file, String text) {
    List<Scenario> scenarios = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    String head = "";
    for (String line : text.split("\n", -1)) {
      if (line.startsWith("==")) {
        add(scenarios, file, head, steps);
        head = line.substring(2).trim();
        steps.clear();
      } else if (!line.isBlank() && !line.startsWith("#")) {
        steps.add(Step.parse(line));
      }
    }
    add(scenarios, file, head, steps);
    return scenarios;
  }

  private static void add(List<Scenario> all, String file, String head, List<Step> steps) {
    if (steps.isEmpty()) {
      return;
    }
    int bar = head.indexOf('|');
    List<String> options = new ArrayList<>();
    if (bar >= 0) {
      for (String option : head.substring(bar + 1).split(",", -1)) {
        options.add(option.trim());
      }
    }
    boolean mustHit = !options.remove(ANY_HITS);
    String name = bar < 0 ? head : head.substring(0, bar).trim();
    all.add(new Scenario(file, name, options, mustHit, steps));
  }

  /**
   * Returns whether it may have changed rows of a table.
   *
   * @param table the schema is not looked at
   */
  boolean mayWrite(String table) {
    String name = table.substring(table.indexOf('.') + 1);
    Pattern word = Pattern.compile("(?i)\\b" + name + "\\b");
    return steps.stream()
        .map(Step::text)
        .anyMatch(text -> WRITE.matcher(text).find() && word.matcher(text).find());
  }

  /** Returns whether more than rows may be left, or a transaction that is prepared. */
  boolean mayDefine() {
    return steps.stream().anyMatch(step -> DEFINITION.matcher(step.text()).find());
  }

  /** Returns this scenario as a file shows it. */
  String asText() {
    StringBuilder text = new StringBuilder("== ").append(name).append('\n');
    steps.forEach(step -> text.append(step).append('\n'));
    return text.toString();
  }

  @Override
  public String toString() {
    return file + ": " + name;
  }
}
