package dev.larder.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.Tokens;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WriteTargetsTest {
  private static Writes writes(String sql) {
    return new Writes(Tokens.of(SqlLexer.lex(sql, LexOptions.STATEMENT).shape()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select a from t",
        "select t.delete, t.insert, t.update, t.merge from t",
        "select \"delete\", 'insert' from t",
        "select a from t for update",
        "select a from t for update of t",
        "select a from t for no key update of t",
        "select a from t for key update",
        "select inserts, into_t from t",
        "select delete from t",
        "select a, delete from t where insert and update = merge",
        "select f(update), (insert) from t",
        "select a from t where delete",
        "select a from t as update, u delete",
        "select a from t for share update",
      })
  void othersAreNoWrites(String sql) {
    Writes writes = writes(sql);
    assertThat(writes.targets()).isEmpty();
    assertThat(writes.isUnclear()).isFalse();
    assertThat(writes.hasSelectInto()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "with x as (delete from 1) select 1",
        "copy (insert into 'a' values (1)) to stdout",
        "delete from only (select)",
        "delete from a; (delete from 1); delete from b",
      })
  void targetsThatAreNoNamesAreUnclear(String sql) {
    assertThat(writes(sql).isUnclear()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "select 'key' from a update t, t",
    "with x as (table y) search depth first by key set key update t set a = 1, t",
    "with x as (table y) cycle a set for_it using no update t set a = 1, t",
  })
  void namesLikeThoseOfALockLockNothing(String sql, String target) {
    assertThat(writes(sql).targets())
        .extracting(write -> write.relation().name())
        .containsExactly(target);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select a into b from t | true",
        "select t.into from t | false",
        "insert into t select a from u | false",
        "insert into t select a into b from u | true",
        "merge into t using u on true when matched then delete | false",
        "with x as (insert into t select 1 returning 1) select * into y from x | true",
      })
  void selectIntoIsToldFromInsertInto(String sql, boolean into) {
    assertThat(writes(sql).hasSelectInto()).isEqualTo(into);
  }
}
