package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code tableoid::regclass}: the name of the table that a row is in, as the server shows it, which
 * depends on the catalog, the search path and quote_all_identifiers.
 */
@Tag("each-jdk")
final class TableNamesTest {
  private static final String READ =
      "SELECT tableoid::regclass, tableoid::regclass::text, id FROM a.measure ORDER BY id";

  private TestDatabase database;
  private Connection larder;
  private Connection direct;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE SCHEMA a",
        "CREATE SCHEMA b",
        "CREATE TABLE a.measure (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE a.low PARTITION OF a.measure FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE b.high PARTITION OF a.measure FOR VALUES FROM (10) TO (20)",
        "INSERT INTO a.measure VALUES (1), (11)");
    larder = LarderProbe.connect(database);
    direct = database.connect();
    both("SET search_path = a");
  }

  @AfterEach
  void close() throws SQLException {
    larder.close();
    direct.close();
    database.close();
  }

  private void both(String sql) throws SQLException {
    run(larder, sql);
    run(direct, sql);
  }

  private List<String> hit() throws SQLException {
    fill(larder, READ);
    assertThat(isHit(larder, READ)).isTrue();
    List<String> answer = rows(larder, READ);
    assertThat(answer).isEqualTo(rows(direct, READ));
    return answer;
  }

  @Test
  void theSearchPathDecidesWhatIsShown() throws SQLException {
    assertThat(hit()).containsExactly("low,low,1", "b.high,b.high,11");
    both("SET search_path = b");
    assertThat(hit()).containsExactly("a.low,a.low,1", "high,high,11");
    both("SET quote_all_identifiers = on");
    assertThat(hit()).containsExactly("\"a\".\"low\",\"a\".\"low\",1", "\"high\",\"high\",11");
    both("SET search_path = a");
    both("RESET quote_all_identifiers");
    assertThat(hit()).containsExactly("low,low,1", "b.high,b.high,11");
  }

  /** An index of the table's name in a schema before it, which Larder would not notice. */
  @Test
  void ofSeveralSchemasInThePathNothingIsKept() throws SQLException {
    both("SET search_path = b, a");
    run(direct, "CREATE INDEX low ON b.high (id)");
    rows(larder, READ);
    assertThat(isHit(larder, READ)).isFalse();
    assertThat(rows(larder, READ)).containsExactly("a.low,a.low,1", "high,high,11");
  }

  @Test
  void aTableThatIsRenamedIsShownByItsNewName() throws SQLException {
    hit();
    run(larder, "ALTER TABLE a.low RENAME TO \"Lower\"");
    assertThat(hit()).containsExactly("\"Lower\",\"Lower\",1", "b.high,b.high,11");
    run(larder, "ALTER TABLE b.high SET SCHEMA a");
    assertThat(hit()).containsExactly("\"Lower\",\"Lower\",1", "high,high,11");
  }

  @Test
  void whatOthersRenameIsNoticed() throws SQLException {
    hit();
    run(direct, "ALTER TABLE a.low RENAME TO lower");
    Waiting.until("it is noticed", () -> rows(larder, READ).contains("lower,lower,1"));
    assertThat(hit()).containsExactly("lower,lower,1", "b.high,b.high,11");
    run(direct, "ALTER SCHEMA b RENAME TO c");
    Waiting.until("it is noticed", () -> rows(larder, READ).contains("c.high,c.high,11"));
    assertThat(hit()).containsExactly("lower,lower,1", "c.high,c.high,11");
  }

  @Test
  void aRowThatMovesIsShownWhereItIs() throws SQLException {
    hit();
    run(larder, "UPDATE a.measure SET id = 12 WHERE id = 1");
    assertThat(hit()).containsExactly("b.high,b.high,11", "b.high,b.high,12");
  }
}
