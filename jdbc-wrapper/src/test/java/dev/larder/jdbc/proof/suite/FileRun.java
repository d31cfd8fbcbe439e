package dev.larder.jdbc.proof.suite;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Goes through one file on all three sides, as psql would. */
final class FileRun {
  /** They only say how psql prints. */
  private static final Set<String> DISPLAY =
      Set.of(
          "",
          ".",
          "a",
          "C",
          "echo",
          "errverbose",
          "f",
          "H",
          "o",
          "p",
          "pset",
          "qecho",
          "t",
          "T",
          "timing",
          "warn",
          "x");

  private static final Set<String> RUNNING = Set.of("g", "gx", "crosstabview", "watch");

  /** The driver gives a connection up that gets to these. */
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "set\\s+(session\\s+|local\\s+)?(datestyle\\b.*(postgres|german|sql).*|client_encoding\\b.*|names\\b.*)",
          Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  private final String file;
  private final SqlScript script;
  private final Conditions conditions = new Conditions();
  private final List<Side> sides;
  private final StatementRun statements;
  private final SuiteCounts counts;
  private String database;
  private String user = SuiteServer.USER;

  FileRun(String file, String text, List<Side> sides, StatementRun statements, SuiteCounts counts) {
    this.file = file;
    this.script = new SqlScript(text);
    this.sides = sides;
    this.database = sides.get(0).server.database();
    this.statements = statements;
    this.counts = counts;
  }

  /** Runs it to its end, or to where a session cannot be opened any more. */
  void run() {
    try {
      pieces();
    } catch (SQLException e) {
      System.out.println("suite: " + file + " is given up: " + e.getMessage());
      counts.differences.merge("given up", 1L, Long::sum);
    }
  }

  private void pieces() throws SQLException {
    sides.forEach(side -> side.variables.clear());
    connect();
    for (Piece piece = script.next(); piece != null; piece = script.next()) {
      String command = piece.command();
      String arguments = piece.arguments();
      if (command == null) {
        if (conditions.active()) {
          statement(piece);
        }
      } else if (!conditions.note(command, () -> condition(arguments)) && conditions.active()) {
        if (command.equals("q") || command.equals("quit")) {
          return;
        }
        command(piece, command);
      }
      if (statements.broken()) {
        connect();
      }
    }
  }

  private void connect() throws SQLException {
    for (Side side : sides) {
      side.connect(database, user);
      side.variables.put("DBNAME", database);
      side.variables.put("USER", user);
    }
  }

  private boolean condition(String arguments) {
    List<String> words = Arguments.of(arguments, sides.get(0).variables);
    return words.size() == 1 && Conditions.isTrue(words.get(0));
  }

  private @Nullable List<Answer> statement(Piece piece) throws SQLException {
    String text = piece.text();
    if (text.isBlank()) {
      return null;
    }
    if (FORBIDDEN.matcher(text).matches() && !text.matches("(?is).*\\biso\\b.*")) {
      skip("forbidden by the driver");
      return null;
    }
    if (piece.several() && text.matches("(?is).*\\bcopy\\b.*")) {
      skip("COPY among several statements");
      return null;
    }
    List<String> texts = sides.stream().map(side -> piece.text(side.variables)).toList();
    return statements.run(texts, file + ':' + piece.line(), script::copyData);
  }

  private void skip(String what) {
    counts.skipped.merge(what, 1L, Long::sum);
  }

  private void command(Piece piece, String command) throws SQLException {
    if (RUNNING.contains(command)) {
      statement(piece);
    } else if (command.equals("gset")) {
      set(piece.arguments(), statement(piece));
    } else if (command.equals("gexec")) {
      executeCells(piece, statement(piece));
    } else if (command.equals("set") || command.equals("getenv")) {
      sides.forEach(side -> set(command, side, Arguments.of(piece.arguments(), side.variables)));
    } else if (command.equals("unset")) {
      sides.forEach(side -> side.variables.keySet().removeAll(List.of(piece.arguments())));
    } else if (command.equals("c") || command.equals("connect")) {
      reconnect(Arguments.of(piece.arguments(), sides.get(0).variables));
    } else if (command.equals("copy")) {
      copy(piece);
    } else if (!DISPLAY.contains(command)) {
      skip("\\" + command);
    }
  }

  private static void set(String command, Side side, List<String> words) {
    if (words.isEmpty()) {
      return;
    }
    String value = String.join("", words.subList(1, words.size()));
    String known = command.equals("set") ? value : side.server.environment().get(value);
    if (known != null) {
      side.variables.put(words.get(0), known);
    }
  }

  private void set(String prefix, @Nullable List<Answer> answers) {
    for (int i = 0; answers != null && i < sides.size(); i++) {
      Answer answer = answers.get(i);
      Map<String, String> values = new HashMap<>();
      for (int k = 0; answer.cells().size() == 1 && k < answer.labels().size(); k++) {
        String value = answer.cells().get(0).get(k);
        if (value != null) {
          values.put(prefix + answer.labels().get(k), value);
        }
      }
      sides.get(i).variables.putAll(values);
    }
  }

  private void executeCells(Piece piece, @Nullable List<Answer> answers) throws SQLException {
    if (answers == null) {
      return;
    }
    String place = file + ':' + piece.line();
    int rows = answers.stream().mapToInt(answer -> answer.cells().size()).min().orElse(0);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < answers.get(0).labels().size(); column++) {
        int y = row;
        int x = column;
        List<@Nullable String> cells =
            answers.stream().<@Nullable String>map(answer -> answer.cells().get(y).get(x)).toList();
        if (!cells.contains(null)) {
          statements.run(cells.stream().map(String::valueOf).toList(), place, () -> "");
        }
      }
    }
  }

  private void reconnect(List<String> words) throws SQLException {
    if (words.size() > 0 && !words.get(0).equals("-")) {
      database = words.get(0);
    }
    if (words.size() > 1 && !words.get(1).equals("-")) {
      user = words.get(1);
    }
    connect();
  }

  /** Of {@code \copy} what names no file of the client's is COPY. */
  private void copy(Piece piece) throws SQLException {
    String arguments = piece.arguments();
    if (arguments.matches("(?is).*\\b(from\\s+stdin|to\\s+stdout)\\b.*")) {
      statement(new Piece(piece.line(), "COPY " + arguments, false, List.of(), null, ""));
    } else {
      skip("\\copy");
    }
  }
}
