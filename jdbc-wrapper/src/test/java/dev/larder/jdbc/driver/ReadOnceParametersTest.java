package dev.larder.jdbc.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.larder.bypass.BypassReason;
import dev.larder.jdbc.BesideTheDriver;
import dev.larder.jdbc.LarderProbe;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.JDBCType;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Types;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Parameters that can be read only once or lie at the server: streams, readers, large objects, XML.
 * Each way to set one answers, stores and refuses as the driver does, and is never answered from
 * memory.
 */
final class ReadOnceParametersTest extends BesideTheDriver {
  private static final String TEXT = "?::text";
  private static final String BYTES = "convert_from(?, 'UTF8')";
  private static final String OBJECT = "convert_from(lo_get(?), 'UTF8')";
  private static final List<String> CONTENTS = List.of("<first/>", "<second/>");

  /** Sets a parameter to a text, or to null. */
  private interface Setter {
    void set(PreparedStatement statement, int index, String text) throws SQLException;
  }

  /**
   * A way to set a parameter.
   *
   * @param read the expression by which the server reads it as a text
   */
  private record Way(String name, String read, Setter setter) {
    String select() {
      return "SELECT " + read + ", count(*) FROM item";
    }

    String insert() {
      return "INSERT INTO kept VALUES (" + read + ")";
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static InputStream in(String text) {
    return text == null ? null : new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Reader reader(String text) {
    return text == null ? null : new StringReader(text);
  }

  private static int length(String text) {
    return text == null ? 0 : text.length();
  }

  static Stream<Way> taken() {
    return Stream.of(
        new Way("ASCII, int", TEXT, (s, i, t) -> s.setAsciiStream(i, in(t), length(t))),
        new Way("Unicode, int", TEXT, ReadOnceParametersTest::setUnicodeStream),
        new Way("binary, int", BYTES, (s, i, t) -> s.setBinaryStream(i, in(t), length(t))),
        new Way("binary, long", BYTES, (s, i, t) -> s.setBinaryStream(i, in(t), (long) length(t))),
        new Way("binary", BYTES, (s, i, t) -> s.setBinaryStream(i, in(t))),
        new Way("reader, int", TEXT, (s, i, t) -> s.setCharacterStream(i, reader(t), length(t))),
        new Way("reader", TEXT, (s, i, t) -> s.setCharacterStream(i, reader(t))),
        new Way("XML", TEXT, (s, i, t) -> s.setSQLXML(i, xml(s.getConnection(), t))),
        new Way("BLOB", OBJECT, (s, i, t) -> s.setBlob(i, blob(s.getConnection(), t))),
        new Way("BLOB, stream", OBJECT, (s, i, t) -> s.setBlob(i, in(t))),
        new Way("BLOB, stream, long", OBJECT, (s, i, t) -> s.setBlob(i, in(t), length(t))),
        new Way("CLOB", OBJECT, (s, i, t) -> s.setClob(i, clob(s.getConnection(), t))),
        new Way("BLOB object", OBJECT, (s, i, t) -> s.setObject(i, blob(s.getConnection(), t))),
        new Way("BLOB by type", OBJECT, (s, i, t) -> s.setObject(i, in(t), Types.BLOB)),
        new Way(
            "CLOB by type", OBJECT, (s, i, t) -> s.setObject(i, clob(s.getConnection(), t), 2005)));
  }

  static Stream<Way> refused() {
    return Stream.of(
        new Way("ASCII, long", TEXT, (s, i, t) -> s.setAsciiStream(i, in(t), (long) length(t))),
        new Way("ASCII", TEXT, (s, i, t) -> s.setAsciiStream(i, in(t))),
        new Way("reader, long", TEXT, (s, i, t) -> s.setCharacterStream(i, reader(t), 8L)),
        new Way("national text", TEXT, PreparedStatement::setNString),
        new Way("national reader", TEXT, (s, i, t) -> s.setNCharacterStream(i, reader(t))),
        new Way("national reader, long", TEXT, (s, i, t) -> s.setNCharacterStream(i, reader(t), 8)),
        new Way("CLOB, reader", OBJECT, (s, i, t) -> s.setClob(i, reader(t))),
        new Way("CLOB, reader, long", OBJECT, (s, i, t) -> s.setClob(i, reader(t), 8)),
        new Way("NCLOB", OBJECT, (s, i, t) -> s.setNClob(i, (NClob) null)),
        new Way("NCLOB, reader", OBJECT, (s, i, t) -> s.setNClob(i, reader(t))),
        new Way("NCLOB, reader, long", OBJECT, (s, i, t) -> s.setNClob(i, reader(t), 8)),
        new Way("row", TEXT, (s, i, t) -> s.setRowId(i, null)),
        new Way("reference", TEXT, (s, i, t) -> s.setRef(i, null)),
        new Way("URL", TEXT, (s, i, t) -> s.setURL(i, url(t))),
        new Way("SQLType", TEXT, (s, i, t) -> s.setObject(i, t, JDBCType.VARCHAR)),
        new Way("SQLType, scale", TEXT, (s, i, t) -> s.setObject(i, t, JDBCType.VARCHAR, 1)));
  }

  static Stream<Way> all() {
    return Stream.concat(taken(), refused());
  }

  @SuppressWarnings("deprecation") // Of JDBC, not of the driver.
  private static void setUnicodeStream(PreparedStatement statement, int index, String text)
      throws SQLException {
    statement.setUnicodeStream(index, in(text), length(text));
  }

  private static SQLXML xml(Connection connection, String text) throws SQLException {
    if (text == null) {
      return null;
    }
    SQLXML value = connection.createSQLXML();
    value.setString(text);
    return value;
  }

  private static URL url(String text) {
    try {
      return text == null ? null : URI.create("http://localhost/" + text.length()).toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs the query for the large object of a content. */
  private static <T> T object(Connection connection, String text, Getter<T> getter)
      throws SQLException {
    if (text == null) {
      return null;
    }
    try (PreparedStatement find =
        connection.prepareStatement("SELECT content FROM doc WHERE name = ?")) {
      find.setString(1, text);
      ResultSet row = find.executeQuery();
      row.next();
      return getter.get(row);
    }
  }

  private interface Getter<T> {
    T get(ResultSet row) throws SQLException;
  }

  private static Blob blob(Connection connection, String text) throws SQLException {
    return object(connection, text, row -> row.getBlob(1));
  }

  private static Clob clob(Connection connection, String text) throws SQLException {
    return object(connection, text, row -> row.getClob(1));
  }

  @Override
  protected void createMore() throws SQLException {
    database.execute("CREATE TABLE kept (value text)", "CREATE TABLE doc (name text, content oid)");
    for (String content : CONTENTS) {
      database.execute(
          "INSERT INTO doc VALUES ('%1$s', lo_from_bytea(0, '%1$s'))".formatted(content));
    }
  }

  @Override
  protected void begin() throws SQLException {
    // The driver makes large objects in transactions only.
    bare.setAutoCommit(false);
    larder.setAutoCommit(false);
  }

  /** Something that is done with a statement. */
  private interface Use {
    Object of(PreparedStatement statement) throws SQLException;
  }

  /** Returns what comes of it, in a transaction that it may let fail. */
  private static String outcome(Connection connection, String sql, Use use) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return String.valueOf(use.of(statement));
    } catch (SQLException e) {
      connection.rollback();
      return e.getClass().getName() + ' ' + e.getSQLState() + ' ' + e.getMessage();
    }
  }

  private void assertSame(String sql, Use use) throws SQLException {
    assertThat(outcome(larder, sql, use)).isEqualTo(outcome(bare, sql, use));
  }

  private static List<String> rows(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      return LarderProbe.rows(result);
    }
  }

  @ParameterizedTest
  @MethodSource("taken")
  void everyExecutionAnswersItsOwnContent(Way way) throws SQLException {
    String plain = "SELECT name FROM item ORDER BY id";
    LarderProbe.fill(larder, plain);
    long before = LarderProbe.hits(larder);
    for (int round = 0; round < 3; round++) {
      for (String content : CONTENTS) {
        for (Connection connection : List.of(bare, larder)) {
          try (PreparedStatement statement = connection.prepareStatement(way.select())) {
            way.setter().set(statement, 1, content);
            assertThat(rows(statement)).containsExactly(content + ",2");
          }
        }
      }
    }
    assertThat(LarderProbe.hits(larder)).isEqualTo(before);
    assertThat(LarderProbe.reason(larder, way.select()))
        .contains(
            way.select().replace("'UTF8'", "''") + ": " + BypassReason.BIND_TYPE.description());
    assertThat(LarderProbe.isHit(larder, plain)).as("the transaction is not to blame").isTrue();
  }

  @ParameterizedTest
  @MethodSource("taken")
  void whatIsStoredIsSeenByWhoeverReadsThroughTheCache(Way way) throws SQLException {
    String kept = "SELECT value FROM kept ORDER BY value";
    try (Connection reader = LarderProbe.connect(database);
        PreparedStatement insert = larder.prepareStatement(way.insert())) {
      LarderProbe.run(reader, "TRUNCATE kept");
      for (String content : CONTENTS) {
        LarderProbe.fill(reader, kept);
        way.setter().set(insert, 1, content);
        assertThat(insert.executeUpdate()).isEqualTo(1);
        assertThat(LarderProbe.rows(reader, kept)).doesNotContain(content);
        larder.commit();
        assertThat(LarderProbe.rows(reader, kept))
            .contains(content)
            .isEqualTo(LarderProbe.rows(bare, kept));
        bare.rollback();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatTheDriverRefusesLeavesTheValueThatWasThere(Way way) throws SQLException {
    long before = LarderProbe.hits(larder);
    Use refused =
        s -> {
          s.setString(1, "before");
          way.setter().set(s, 1, CONTENTS.get(0));
          return "taken";
        };
    assertThat(outcome(larder, way.select(), refused))
        .isEqualTo(outcome(bare, way.select(), refused))
        .startsWith("java.sql.SQLFeatureNotSupportedException 0A000");
    String sql = "SELECT ?::text, count(*) FROM item";
    for (int round = 0; round < 3; round++) {
      try (PreparedStatement statement = larder.prepareStatement(sql)) {
        statement.setString(1, "before");
        assertThat(catchThrowable(() -> way.setter().set(statement, 1, CONTENTS.get(0))))
            .isInstanceOf(SQLException.class);
        assertThat(rows(statement)).containsExactly("before,2");
      }
    }
    assertThat(LarderProbe.hits(larder)).as("its value is a plain one").isGreaterThan(before);
  }

  @ParameterizedTest
  @MethodSource("all")
  void nullAndWhatIsOutOfPlaceAreTheDrivers(Way way) throws SQLException {
    assertSame(
        way.select(),
        s -> {
          way.setter().set(s, 1, null);
          return rows(s);
        });
    for (int index : new int[] {0, 2}) {
      assertSame(
          way.select(),
          s -> {
            way.setter().set(s, index, CONTENTS.get(0));
            return "taken";
          });
    }
    assertSame(
        way.select(),
        s -> {
          s.close();
          way.setter().set(s, 1, CONTENTS.get(0));
          return "taken";
        });
  }

  @ParameterizedTest
  @MethodSource("taken")
  void aSecondExecutionOfOneValueIsTheDrivers(Way way) throws SQLException {
    assertSame(
        way.select(),
        s -> {
          way.setter().set(s, 1, CONTENTS.get(0));
          return rows(s) + " " + rows(s);
        });
  }

  private static final InputStream BROKEN =
      new InputStream() {
        @Override
        public int read() throws IOException {
          throw new IOException("broken");
        }
      };

  static Stream<Way> broken() {
    return Stream.of(
        new Way("too short", BYTES, (s, i, t) -> s.setBinaryStream(i, in(t), 1000)),
        new Way("cut", BYTES, (s, i, t) -> s.setBinaryStream(i, in(t), 3)),
        new Way("reader too short", TEXT, (s, i, t) -> s.setCharacterStream(i, reader(t), 1000)),
        new Way("negative", BYTES, (s, i, t) -> s.setBinaryStream(i, in(t), -1)),
        new Way("broken", BYTES, (s, i, t) -> s.setBinaryStream(i, BROKEN, 5)),
        new Way("broken ASCII", TEXT, (s, i, t) -> s.setAsciiStream(i, BROKEN, 5)),
        new Way("broken BLOB", OBJECT, (s, i, t) -> s.setBlob(i, BROKEN)));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void aStreamThatBreaksOffIsTheDriversError(Way way) throws SQLException {
    for (int round = 0; round < 2; round++) {
      assertSame(
          way.select(),
          s -> {
            way.setter().set(s, 1, CONTENTS.get(0));
            return rows(s);
          });
      assertSame("SELECT name FROM item ORDER BY id", ReadOnceParametersTest::rows);
    }
  }

  @ParameterizedTest
  @MethodSource("taken")
  void aPlainValueInItsPlaceIsServedAgain(Way way) throws SQLException {
    String sql = "SELECT ?::text IS NULL, id FROM item ORDER BY id";
    try (PreparedStatement statement = larder.prepareStatement(sql)) {
      for (int round = 0; round < 3; round++) {
        way.setter().set(statement, 1, null);
        assertThat(rows(statement)).containsExactly("t,1", "t,2");
        statement.setString(1, "plain");
        assertThat(rows(statement)).containsExactly("f,1", "f,2");
      }
    }
    assertThat(LarderProbe.hits(larder)).isGreaterThanOrEqualTo(2);
  }

  /** The driver makes the object when it is set, before anything is executed. */
  @Test
  void theSnapshotIsThatOfTheLargeObjectThatWasMadeFirst() throws SQLException {
    String sql = "SELECT name FROM item ORDER BY id";
    try (Connection writer = LarderProbe.connect(database);
        PreparedStatement statement = larder.prepareStatement("INSERT INTO doc VALUES ('x', ?)")) {
      LarderProbe.run(writer, "UPDATE item SET name = 'a' WHERE id = 1");
      LarderProbe.fill(writer, sql);
      larder.rollback();
      larder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.setBlob(1, in("text"));
      LarderProbe.run(writer, "UPDATE item SET name = 'new' WHERE id = 1");
      for (int round = 0; round < 3; round++) {
        assertThat(LarderProbe.rows(larder, sql)).containsExactly("a", "b");
        assertThat(LarderProbe.rows(writer, sql)).containsExactly("new", "b");
      }
      assertThat(LarderProbe.isHit(writer, sql)).isTrue();
      larder.rollback();
      assertThat(LarderProbe.rows(larder, sql)).containsExactly("new", "b");
    }
  }
}
