package dev.larder.jdbc;

import dev.larder.jdbc.statement.CachingConnection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose harmless queries are asked again at once, and the last twelve of them after
 * each commit: the server past the cache, the cache, and where they differ the server once more.
 * Threads may not share it.
 */
final class AskedConnection implements InvocationHandler {
  private static final int LAST = 12;
  private static final String PAST = "/* larder:off */ ";
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final Pattern QUERY =
      Pattern.compile(
          "\\s*(select|with|values|table)\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** What writes, locks, or says something else each time. */
  private static final Pattern NOT_HARMLESS =
      Pattern.compile(
          "\\b(nextval|setval|currval|lastval|insert|update|delete|merge|into|share|call|random"
              + "|dblink|(pg|lo|txid|set)_\\w+|gen_random_uuid|clock_timestamp)\\b",
          Pattern.CASE_INSENSITIVE);

  private final Connection below;
  private final AskedAnswers answers;
  private final Connection seen = seen(Connection.class, this);
  private final Deque<Question> last = new ArrayDeque<>();

  private AskedConnection(Connection below, AskedAnswers answers) {
    this.below = below;
    this.answers = answers;
  }

  /** Returns a connection that is {@code below} to whoever uses it. */
  static Connection above(Connection below, AskedAnswers answers) {
    return new AskedConnection(below, answers).seen;
  }

  private static <T> T seen(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            AskedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static @Nullable Object call(Method method, Object on, @Nullable Object[] arguments)
      throws SQLException {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof SQLException thrown) {
        throw thrown;
      } else if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments)
      throws SQLException {
    if (method.getName().equals("equals")) {
      return proxy == arguments[0];
    }
    Object result = call(method, below, arguments);
    if (method.getName().equals("commit")) {
      askLast();
    }
    if (result instanceof CallableStatement || !(result instanceof Statement statement)) {
      return result;
    } else if (statement instanceof PreparedStatement) {
      return seen(PreparedStatement.class, new Asked(statement, (String) arguments[0]));
    }
    return seen(Statement.class, new Asked(statement, null));
  }

  private void ask(Question question) {
    if (compare(question)) {
      last.remove(question);
      last.addLast(question);
      if (last.size() > LAST) {
        last.removeFirst();
      }
    }
  }

  /** In a transaction of its own, which leaves nothing behind. */
  private void askLast() throws SQLException {
    for (Question question : List.copyOf(last)) {
      if (!compare(question)) {
        last.remove(question);
        below.rollback();
      }
    }
    below.rollback();
  }

  /** Returns whether the question was answered. */
  private boolean compare(Question question) {
    try {
      awaitCatalog();
      List<String> live = question.rows(below, PAST);
      List<String> answered = question.rows(below, "");
      if (answered.equals(live)) {
        answers.same();
        return true;
      }
      String text = question.sql() + ": " + answered + " instead of " + live;
      if (question.rows(below, PAST).equals(live)) {
        answers.different(text);
      } else {
        answers.unstable(text);
      }
      return true;
    } catch (SQLException e) {
      answers.refused();
      return false;
    }
  }

  /** After DDL nothing is a hit until the catalog has been read. */
  private void awaitCatalog() throws SQLException {
    if (below.isWrapperFor(CachingConnection.class)) {
      CachingConnection larder = below.unwrap(CachingConnection.class);
      larder.physical().cache().database().catalog().awaitLoaded(PATIENCE);
    }
  }

  /** A query, with the calls that set its values. */
  private record Question(String sql, Map<Integer, Value> values) {
    /** Returns the rows, sorted: without ORDER BY the order is the server's choice. */
    List<String> rows(Connection connection, String hint) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(hint + sql)) {
        for (Value value : values.values()) {
          call(value.setter(), statement, value.arguments());
        }
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
          int columns = result.getMetaData().getColumnCount();
          while (result.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 1; i <= columns; i++) {
              row.append(result.getString(i)).append('|');
            }
            rows.add(row.toString());
          }
        }
        Collections.sort(rows);
        return rows;
      }
    }
  }

  private record Value(Method setter, @Nullable Object[] arguments) {}

  /** A statement, whose queries are asked again. */
  private final class Asked implements InvocationHandler {
    private final Statement statement;
    private final @Nullable String prepared;
    private final Map<Integer, Value> values = new TreeMap<>();
    private boolean harmless = true;

    Asked(Statement statement, @Nullable String prepared) {
      this.statement = statement;
      this.prepared = prepared;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments)
        throws SQLException {
      String name = method.getName();
      if (name.equals("equals")) {
        return proxy == arguments[0];
      } else if (name.equals("getConnection")) {
        return seen;
      } else if (name.equals("clearParameters")) {
        values.clear();
      } else if (name.startsWith("set") && method.getDeclaringClass() == PreparedStatement.class) {
        values.put((Integer) arguments[0], new Value(method, arguments.clone()));
        harmless &= !name.contains("Stream") && !name.contains("lob"); // Read once.
      }
      Object result = call(method, statement, arguments);
      if (name.equals("executeQuery") || (name.equals("execute") && Boolean.TRUE.equals(result))) {
        answered(prepared != null ? prepared : (String) arguments[0]);
      }
      return result;
    }

    private void answered(String sql) {
      if (harmless && QUERY.matcher(sql).matches() && !NOT_HARMLESS.matcher(sql).find()) {
        ask(new Question(sql, Map.copyOf(values)));
      }
    }
  }
}
