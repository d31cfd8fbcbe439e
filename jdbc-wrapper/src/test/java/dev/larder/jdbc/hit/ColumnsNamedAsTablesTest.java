package dev.larder.jdbc.hit;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A column or an alias that is called as a table reads nothing of that table. */
final class ColumnsNamedAsTablesTest {
  private static TestDatabase database() throws SQLException {
    TestDatabase database = TestDatabase.create();
    database.execute(
        "create table client (id int primary key, name text)",
        "create table role (id int primary key, client int, name text)",
        "create table user_role (client int, role int)",
        "insert into client values (1, 'c'), (2, 'd')",
        "insert into role values (1, 1, 'r'), (2, 2, 's')",
        "insert into user_role values (1, 1), (2, 2)");
    return database;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select client, role from user_role where client = 1 and role = 1",
        "select u.client, u.role from user_role u order by u.client, u.role",
        "select client.role as role, client.* from user_role as client where client.client in (1, 2)",
        "select count(client), sum(role) as client from user_role role group by role",
        "select u.client::text, role is null as role from user_role u"
            + " where exists (select role from user_role v where v.client = u.client)",
        "select a.role, b.client from user_role a join user_role b using (client)",
      })
  void whatIsWrittenToATableOfThatNameIsNothingToThem(String read) throws SQLException {
    try (TestDatabase database = database();
        Connection larder = LarderProbe.connect(database)) {
      fill(larder, read);
      run(larder, "insert into client values (3, 'e')");
      run(larder, "update role set client = 2");
      assertThat(isHit(larder, read)).isTrue();
      run(larder, "insert into user_role values (2, 1)");
      assertThat(isHit(larder, read)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select to_json(x) from (select null::client, count(*) from user_role) x",
        "select to_json(x), client from json_populate_record(null::client, '{\"id\": 4}') x, user_role",
        "select to_json(cast((1, 'a') as client)), client from user_role where role = 1",
        "select (1, 'a')::client, role from user_role",
        "select null::client as role, client from user_role u",
      })
  void typeOfItsRowsChangesWithTheTable(String read) throws SQLException {
    try (TestDatabase database = database();
        Connection larder = LarderProbe.connect(database);
        Connection bare = database.connect()) {
      assertThat(rows(larder, read)).isEqualTo(rows(bare, read));
      run(larder, "alter table client rename name to called");
      assertThat(rows(larder, read)).isEqualTo(rows(bare, read));
    }
  }

  @Test
  void tableThatTakesTheNameOfAColumnIsNothingToIt() throws SQLException {
    String read = "select name from role where id = 1";
    try (TestDatabase database = database();
        Connection larder = LarderProbe.connect(database);
        Connection bare = database.connect()) {
      fill(larder, read);
      run(larder, "create table name (id int)");
      run(larder, "insert into name values (1)");
      fill(larder, read);
      assertThat(isHit(larder, read)).isTrue();
      assertThat(rows(larder, read)).isEqualTo(rows(bare, read));
    }
  }
}
