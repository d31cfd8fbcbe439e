package dev.larder.jdbc.bykey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.bykey.FormValues.Filled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The forms of SQL that generators send, beside a bare connection to another database that gets the
 * same: after each write all kept queries are asked again. {@code -Dlarder.forms.rounds=100} runs
 * for long, {@code -Dlarder.forms.seed=…} makes other statements, {@code
 * -Dlarder.docs.rewrite=true} writes the list in docs/precision.md.
 */
final class FormsOfGeneratorsTest {
  private static final String REWRITE = "larder.docs.rewrite";
  private static final String HEADING = "\n## Forms of other generators\n";
  private static final int SESSIONS = 3;
  private static final int UNITS = 20;
  private static final int SHOWN_STEPS = 12;

  private final Random random = new Random(Long.getLong("larder.forms.seed", 1));
  private final Connection[] larder = new Connection[SESSIONS];
  private final Connection[] bare = new Connection[SESSIONS];
  private final Map<String, Filled> kept = new LinkedHashMap<>();
  private final List<String> log = new ArrayList<>();
  private String rows;
  private long compared;
  private TestDatabase one;
  private TestDatabase other;

  private static String resource(String name) throws IOException {
    try (InputStream in = FormsOfGeneratorsTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Returns the reads by their names. */
  private static Map<String, String> reads() throws IOException {
    Map<String, String> reads = new LinkedHashMap<>();
    String name = "";
    for (String line : resource("forms-reads.txt").lines().toList()) {
      if (line.startsWith("== ")) {
        name = line.substring(3);
      } else if (!line.startsWith("#")) {
        reads.put(name, line);
      }
    }
    return reads;
  }

  private static List<String> writes() throws IOException {
    return resource("forms-writes.txt").lines().filter(line -> !line.startsWith("#")).toList();
  }

  @BeforeEach
  void create() throws IOException, SQLException {
    one = TestDatabase.create();
    other = TestDatabase.create();
    String schema = resource("forms-schema.sql");
    int data = schema.indexOf("INSERT INTO");
    rows = schema.substring(data);
    String options = "options=-c%20statement_timeout=15s";
    for (TestDatabase each : List.of(one, other)) {
      each.execute(schema.substring(0, data));
    }
    for (int i = 0; i < SESSIONS; i++) {
      larder[i] =
          LarderProbe.connect(one, "larder.invalidation=key", "larder.admission=all", options);
      bare[i] = DriverManager.getConnection(other.url() + "&" + options);
    }
    for (Connection each : List.of(larder[SESSIONS - 1], bare[SESSIONS - 1])) {
      LarderProbe.run(each, "create temp table scratch (id int, name text)");
    }
  }

  @AfterEach
  void drop() throws SQLException {
    for (int i = 0; i < SESSIONS; i++) {
      larder[i].close();
      bare[i].close();
    }
    one.close();
    other.close();
  }

  private void restore() throws SQLException {
    String all =
        one.queryString(
            "select string_agg(oid::regclass::text, ', ') from pg_class where relkind = 'r' and"
                + " relnamespace in ('public'::regnamespace, '\"App\"'::regnamespace)");
    for (Connection each : List.of(larder[0], bare[0])) {
      LarderProbe.run(each, "truncate " + all + " restart identity", rows);
    }
  }

  private static String run(Connection connection, Filled filled) {
    try (PreparedStatement statement = filled.prepare(connection)) {
      if (!statement.execute()) {
        return "#" + statement.getUpdateCount();
      }
      try (ResultSet result = statement.getResultSet()) {
        return LarderProbe.rows(result).stream().sorted().toList().toString();
      }
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private static String run(Connection connection, List<Filled> batch) {
    try (PreparedStatement statement = connection.prepareStatement(batch.get(0).text())) {
      for (Filled each : batch) {
        each.set(statement);
        statement.addBatch();
      }
      return Arrays.toString(statement.executeBatch());
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private void same(String name, Object what, String larders, String bares) {
    assertThat(larders)
        .as(
            "%s: %s%nafter %s",
            name,
            what,
            String.join("\n  ", log.subList(Math.max(0, log.size() - SHOWN_STEPS), log.size())))
        .isEqualTo(bares);
  }

  private void compare(int session) {
    for (Map.Entry<String, Filled> each : kept.entrySet()) {
      int asking = session < 0 ? random.nextInt(SESSIONS) : session;
      compared++;
      String expected = run(bare[asking], each.getValue());
      same(each.getKey(), each.getValue(), run(larder[asking], each.getValue()), expected);
    }
  }

  /** Writes with a session; returns false where that fails. */
  private boolean write(int session, Filled write) {
    log.add(session + "> " + write);
    String expected = run(bare[session], write);
    same("write", write, run(larder[session], write), expected);
    return expected.startsWith("#") || expected.startsWith("[");
  }

  private void unit(FormValues values, List<String> writes) throws SQLException {
    int session = random.nextInt(SESSIONS);
    String write = writes.get(random.nextInt(writes.size()));
    int way = random.nextInt(10);
    if (way < 6) {
      write(session, values.fill(write));
    } else if (way < 8) {
      List<Filled> batch = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        batch.add(values.fill(write, false));
      }
      log.add(session + "> batch " + batch);
      String expected = run(bare[session], batch);
      same("batch", batch, run(larder[session], batch), expected);
    } else {
      transaction(session, values, writes);
    }
    compare(-1);
  }

  private void transaction(int session, FormValues values, List<String> writes)
      throws SQLException {
    larder[session].setAutoCommit(false);
    bare[session].setAutoCommit(false);
    boolean open = true;
    for (int i = random.nextInt(4); i >= 0 && open; i--) {
      String write = writes.get(random.nextInt(writes.size()));
      // Other sessions would wait for the lock of a TRUNCATE.
      open = write.startsWith("truncate") || write(session, values.fill(write));
    }
    compare(session);
    compare((session + 1) % SESSIONS);
    boolean commit = open && random.nextInt(4) > 0;
    log.add(session + (commit ? "> commit" : "> rollback"));
    for (Connection each : List.of(larder[session], bare[session])) {
      if (commit) {
        each.commit();
      } else {
        each.rollback();
      }
      each.setAutoCommit(true);
    }
  }

  @Test
  void noFormGivesRowsThatTheServerDoesNot() throws IOException, SQLException {
    List<String> writes = writes();
    for (int round = 0; round < Integer.getInteger("larder.forms.rounds", 2); round++) {
      FormValues values = new FormValues(random.nextLong(), round % 2 == 0);
      restore();
      kept.clear();
      reads().forEach((name, text) -> kept.put(name, values.fill(text)));
      compare(-1);
      for (int i = 0; i < UNITS; i++) {
        unit(values, writes);
      }
    }
    assertThat(LarderProbe.hits(larder[0])).isGreaterThan(compared / 3);
  }

  @Test
  void thePageSaysOnWhatEachFormDepends() throws IOException, SQLException {
    restore();
    FormValues values = new FormValues(1, false);
    StringBuilder text = new StringBuilder(HEADING).append(HEAD);
    for (Map.Entry<String, String> each : reads().entrySet()) {
      Filled filled = values.fill(each.getValue());
      boolean hit = false;
      for (int i = 0; i < 5 && !hit; i++) {
        long before = LarderProbe.hits(larder[0]);
        run(larder[0], filled);
        hit = LarderProbe.hits(larder[0]) > before;
        LarderProbe.awaitCatalog(larder[0]);
      }
      Map<String, String> told = told(filled.text());
      assertThat(hit).as(each.getKey()).isEqualTo(told.get("depends_on") != null);
      text.append("| %s | %s |%n".formatted(each.getKey(), dependence(told)));
    }
    Path page = Path.of(System.getProperty("basedir", ".")).resolve("../docs/precision.md");
    String written = Files.readString(page);
    int start = written.indexOf(HEADING);
    if (Boolean.getBoolean(REWRITE)) {
      Files.writeString(page, (start < 0 ? written : written.substring(0, start)) + text);
    } else {
      assertThat(text.toString()).as("-D" + REWRITE).isEqualTo(written.substring(start));
    }
  }

  private static final String HEAD =
      """

      What other generators send, and what their results depend on: Hibernate, Spring Data, jOOQ,
      MyBatis, Django, Rails, SQLAlchemy, Prisma, EF Core, PostgREST, Hasura and PostGraphile. The
      texts are in [forms-reads.txt][forms]; FormsOfGeneratorsTest asks them after writes of many
      forms beside a bare connection, and says how to rewrite this list.

      [forms]: ../jdbc-wrapper/src/test/resources/dev/larder/jdbc/bykey/forms-reads.txt

      | form | by key, the result depends on |
      |---|---|
      """;

  private static String dependence(Map<String, String> told) {
    String rows = told.get("depends_on");
    if (rows == null) {
      return "bypass: " + told.get("bypass_reason");
    }
    String because = told.get("wider_because");
    boolean whole = rows.contains(" as a whole") && because != null;
    return rows.replace("public.", "")
        + (whole ? ": " + because.replace("public.", "").replaceAll("\\. .*", "") : "");
  }

  private Map<String, String> told(String sql) throws SQLException {
    try (Statement statement = larder[0].createStatement();
        ResultSet row = statement.executeQuery("SHOW larder.queries")) {
      while (row.next()) {
        if (compact(row.getString("query")).equals(compact(sql))) {
          Map<String, String> told = new LinkedHashMap<>();
          for (String each : List.of("depends_on", "wider_because", "bypass_reason")) {
            told.put(each, row.getString(each));
          }
          return told;
        }
      }
    }
    throw new AssertionError("not in SHOW larder.queries: " + sql);
  }

  /** Returns the text without white space and literals, as shapes are told apart. */
  private static String compact(String sql) {
    return sql.replaceAll("'[^']*'|\\b\\d[\\d.]*\\b", "?").replaceAll("\\s+|;", "");
  }
}
