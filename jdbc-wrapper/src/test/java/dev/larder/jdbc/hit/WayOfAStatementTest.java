package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.hit.WatchedCalls.Way;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The way of a statement is short enough to be followed with a debugger. What is asserted is how
 * many methods it enters, in how many classes; these numbers may only sink.
 */
class WayOfAStatementTest {
  @Test
  void aHitAndAWriteEnterFewMethods() throws Exception {
    List<Way> ways;
    try (TestDatabase database = TestDatabase.create()) {
      database.execute(
          "CREATE TABLE item (id int PRIMARY KEY, amount int)", "INSERT INTO item VALUES (1, 1)");
      ways =
          WatchedCalls.of(
              WayOfAStatement.class,
              database.larderUrl("larder.writers=this-jvm"),
              "SELECT amount FROM item WHERE id = ?",
              "UPDATE item SET amount = amount + 1 WHERE id = ?");
    }
    Way hit = ways.get(0);
    // Now and then the radar has counts to add up.
    Way write = ways.stream().skip(1).min(Comparator.comparingInt(Way::length)).orElseThrow();

    assertThat(hit.length()).as(hit.toString()).isLessThanOrEqualTo(48);
    assertThat(hit.classes()).as(hit.toString()).isLessThanOrEqualTo(31);
    assertThat(hit.changesOfModule()).as(hit.toString()).isLessThanOrEqualTo(6);
    assertThat(write.length()).as(write.toString()).isLessThanOrEqualTo(200);
    assertThat(write.classes()).as(write.toString()).isLessThanOrEqualTo(56);
  }
}
