package dev.larder.jdbc.bykey;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Caches of one database whose settings say different things of what a write invalidates. */
final class MixedInvalidationTest {
  private static final String ONE = "SELECT name FROM product WHERE id = 1";
  private static final String LISTED = "SELECT id, name FROM product WHERE category_id = 10";
  private static final String ALL = "SELECT count(*) FROM product WHERE name <> 'new'";
  private static final String JOINED =
      "SELECT c.id, p.id, p.name FROM category c JOIN product p ON p.category_id = c.id"
          + " WHERE c.id = 10 AND p.id = 1";

  private static final String BY_KEY = "larder.invalidation=key";
  private static final String ONLY_OTHERS =
      "larder.invalidation=key&larder.tables.invalidation=product%3Dtable";
  private static final String ONLY_THIS = "larder.tables.invalidation=public.product%3Dkey";
  private static final String BY_TABLE = "larder.invalidation=table";

  private static final List<String> SETTINGS = List.of(BY_KEY, ONLY_OTHERS, ONLY_THIS, BY_TABLE);

  private static final Map<String, Connection> READERS = new HashMap<>();
  private static final Map<String, Connection> WRITERS = new HashMap<>();

  private static TestDatabase database;

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE category (id int PRIMARY KEY, label text)",
        "CREATE TABLE product (id int PRIMARY KEY, name text NOT NULL, category_id int NOT NULL"
            + " REFERENCES category)");
    for (String setting : SETTINGS) {
      READERS.put(setting, LarderProbe.connect(database, setting));
      WRITERS.put(setting, LarderProbe.connect(database, setting));
    }
  }

  @BeforeEach
  void fillTables() throws SQLException {
    run(
        WRITERS.get(BY_TABLE),
        "TRUNCATE category, product",
        "INSERT INTO category VALUES (10, 'a'), (20, 'b')",
        "INSERT INTO product VALUES (1, 'one', 10), (2, 'two', 20)");
  }

  @AfterAll
  static void close() throws SQLException {
    for (String setting : SETTINGS) {
      READERS.get(setting).close();
      WRITERS.get(setting).close();
    }
    database.close();
  }

  static Stream<Arguments> pairs() {
    return SETTINGS.stream()
        .flatMap(reader -> SETTINGS.stream().map(writer -> Arguments.of(reader, writer)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aReaderMeetsEveryWriterAndKeepsWhatBothKnowByKey(String reader, String writer)
      throws SQLException {
    boolean byKey = isByKey(reader) && isByKey(writer);
    Connection reads = READERS.get(reader);
    Connection writes = WRITERS.get(writer);
    fillAll(reads);
    run(writes, "UPDATE product SET name = 'changed' WHERE id = 2");
    assertThat(isHit(reads, ONE)).isEqualTo(byKey);
    assertThat(isHit(reads, LISTED)).isEqualTo(byKey);
    assertThat(isHit(reads, ALL)).isFalse();

    fillAll(reads);
    run(writes, "UPDATE product SET name = 'new' WHERE id = 1");
    assertThat(rows(reads, ONE)).containsExactly("new");
    assertThat(rows(reads, LISTED)).containsExactly("1,new");
    assertThat(rows(reads, ALL)).containsExactly("1");
    assertThat(rows(reads, JOINED)).containsExactly("10,1,new");

    fillAll(reads);
    run(writes, "INSERT INTO product VALUES (3, 'three', 10)", "DELETE FROM product WHERE id = 1");
    assertThat(rows(reads, ONE)).isEmpty();
    assertThat(rows(reads, LISTED)).containsExactly("3,three");
    assertThat(rows(reads, ALL)).containsExactly("2");
    assertThat(rows(reads, JOINED)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aTransactionReadsWhatItHasWrittenItself(String setting, String other) throws SQLException {
    Connection connection = WRITERS.get(setting);
    Connection reads = READERS.get(other);
    fillAll(connection);
    fillAll(reads);
    connection.setAutoCommit(false);
    try {
      run(connection, "UPDATE product SET name = 'mine' WHERE id = 1");
      assertThat(rows(connection, ONE)).containsExactly("mine");
      assertThat(rows(connection, LISTED)).containsExactly("1,mine");
      assertThat(rows(reads, ONE)).containsExactly("one");
      connection.commit();
    } finally {
      connection.setAutoCommit(true);
    }
    assertThat(rows(reads, ONE)).containsExactly("mine");
    assertThat(rows(reads, JOINED)).containsExactly("10,1,mine");
  }

  @Test
  void theOtherTablesOfAQueryAreStillReadByKey() throws SQLException {
    String sql =
        "SELECT c.label, p.id FROM category c JOIN product p ON p.category_id = c.id WHERE c.id ="
            + " 10";
    Connection connection = READERS.get(ONLY_OTHERS);
    fill(connection, sql);
    run(connection, "UPDATE category SET label = 'c' WHERE id = 20");
    assertThat(isHit(connection, sql)).isTrue();
    run(connection, "UPDATE product SET name = 'c' WHERE id = 2");
    assertThat(isHit(connection, sql)).isFalse();
  }

  private static boolean isByKey(String setting) {
    return setting.equals(BY_KEY) || setting.equals(ONLY_THIS);
  }

  private static void fillAll(Connection connection) throws SQLException {
    for (int pass = 0; pass < 2; pass++) { // What the rows show is kept once its cells are there.
      for (String query : new String[] {ONE, LISTED, ALL, JOINED}) {
        fill(connection, query);
      }
    }
  }
}
