package dev.larder.jdbc.caching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Asks every kind of query through Larder and past it after every kind of write, in a random order
 * that {@code larder.test.seed} repeats, for {@code larder.test.seconds}. What is compared was in
 * the cache before the write: a class of queries without hits fails.
 */
final class DifferentialTest {
  private static final long SEED = Long.getLong("larder.test.seed", 20_240_229L);
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("larder.test.seconds", 25));

  private final Random random = new Random(SEED);
  private final Map<String, List<String>> queries = new LinkedHashMap<>();
  private final Map<String, Long> hits = new LinkedHashMap<>();

  @Test
  void noWriteLeavesAnAnswerThatTheDatabaseWouldNotGive() throws SQLException {
    readQueries();
    List<String> writes = resource("differential-writes.sql").lines().toList();
    try (TestDatabase database = TestDatabase.create()) {
      database.execute(resource("differential-schema.sql").split(";;\\s*", -1));
      try (Connection live = database.connect();
          Connection reader = LarderProbe.connect(database);
          Connection writer = LarderProbe.connect(database)) {
        long end = System.nanoTime() + TIME.toNanos();
        compare(live, reader, "nothing");
        compare(live, reader, "nothing");
        List<String> rest = new ArrayList<>();
        while (System.nanoTime() - end < 0) {
          if (rest.isEmpty()) {
            rest.addAll(writes);
            Collections.shuffle(rest, random);
          }
          String write = write(writer, rest.remove(rest.size() - 1));
          LarderProbe.awaitCatalog(reader);
          compare(live, reader, write);
        }
      }
    }
    assertThat(hits.keySet()).containsExactlyElementsOf(queries.keySet());
    assertThat(hits.values()).as("hits by class of query: %s", hits).allMatch(count -> count > 0);
  }

  private void readQueries() {
    String title = "";
    for (String line : resource("differential-queries.sql").lines().toList()) {
      if (line.startsWith("# ")) {
        title = line.substring(2);
        queries.put(title, new ArrayList<>());
      } else {
        Objects.requireNonNull(queries.get(title)).add(line);
      }
    }
  }

  private static String resource(String name) {
    try (InputStream in = DifferentialTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a write with random keys, by one of the ways to run it; it may fail. */
  private String write(Connection connection, String template) throws SQLException {
    String sql =
        template
            .replace("{n}", String.valueOf(random.nextInt(40)))
            .replace("{s}", String.valueOf(1 + random.nextInt(12)));
    int way = random.nextInt(4);
    connection.setAutoCommit(way != 3);
    try {
      run(connection, sql, way);
      if (way == 3) {
        connection.commit();
      }
      return sql;
    } catch (SQLException e) {
      if (way == 3) {
        connection.rollback();
      }
      return sql + " (failed: " + e.getMessage() + ")";
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private static void run(Connection connection, String sql, int way) throws SQLException {
    if (way == 1) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.execute();
      }
    } else {
      try (Statement statement = connection.createStatement()) {
        if (way == 2) {
          statement.addBatch(sql);
          statement.executeBatch();
        } else {
          statement.execute(sql);
        }
      }
    }
  }

  private void compare(Connection live, Connection reader, String write) throws SQLException {
    for (Map.Entry<String, List<String>> group : queries.entrySet()) {
      long before = LarderProbe.hits(reader);
      for (String sql : group.getValue()) {
        assertThat(answer(reader, sql)).as("%s%nafter %s", sql, write).isEqualTo(answer(live, sql));
      }
      hits.merge(group.getKey(), LarderProbe.hits(reader) - before, Long::sum);
    }
  }

  /** The columns and the rows, these in any order; or the error. */
  private static List<String> answer(Connection connection, String sql) throws SQLException {
    List<String> answer = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData columns = result.getMetaData();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        String type = columns.getColumnTypeName(i) + columns.getPrecision(i);
        answer.add("   " + columns.getColumnLabel(i) + ' ' + type);
      }
      answer.addAll(LarderProbe.rows(result));
    } catch (SQLException e) {
      answer.add(e.getSQLState() + ' ' + e.getMessage());
    }
    Collections.sort(answer);
    return answer;
  }
}
