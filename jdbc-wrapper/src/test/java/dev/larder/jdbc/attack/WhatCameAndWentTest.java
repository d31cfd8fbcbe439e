package dev.larder.jdbc.attack;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Others make something and drop it again before the catalog is compared. A result that was read in
 * between is not what anybody would read afterwards, and must not outlive the comparison.
 */
@Tag("regression")
final class WhatCameAndWentTest {
  private TestDatabase database;
  private Connection a;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE SCHEMA s1", "CREATE TABLE x (v text)", "INSERT INTO x VALUES ('public')");
  }

  @AfterEach
  void drop() throws SQLException {
    a.close();
    database.close();
  }

  /** Reads while it is there and after a comparison, when it is gone. */
  private void readBeside(String query, String making, String undoing) throws SQLException {
    rows(a, query + " OFFSET 0"); // The catalog was compared before this.
    long version = LarderProbe.catalogVersion(a);
    database.execute(making);
    rows(a, query);
    assertThat(LarderProbe.catalogVersion(a)).as("found already").isEqualTo(version);
    assertThat(isHit(a, query)).as("a hit beside it").isTrue();
    database.execute(undoing);
    a.unwrap(CachingConnection.class).physical().cache().database().catalog().reloadRequested();
    awaitCatalog(a);
    try (Connection bare = database.connect()) {
      run(bare, "SET search_path TO s1, pg_catalog, public");
      assertThat(rows(a, query)).isEqualTo(rows(bare, query));
    }
  }

  private void connect() throws SQLException {
    a = LarderProbe.connect(database);
    run(a, "SET search_path TO s1, pg_catalog, public");
  }

  @Test
  void anOperatorEarlierInThePath() throws SQLException {
    database.execute(
        "CREATE FUNCTION never(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE AS"
            + " 'SELECT false'");
    connect();
    readBeside(
        "SELECT v FROM x WHERE v = 'public'::text",
        "CREATE OPERATOR s1.= (LEFTARG = text, RIGHTARG = text, FUNCTION = never)",
        "DROP OPERATOR s1.= (text, text)");
  }

  @Test
  void aPartition() throws SQLException {
    database.execute(
        "CREATE TABLE p (id int, v text) PARTITION BY LIST (id)",
        "CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)",
        "CREATE TABLE p2 AS SELECT 2 AS id, text 'two' AS v",
        "INSERT INTO p VALUES (1, 'one')");
    connect();
    readBeside(
        "SELECT v FROM p",
        "ALTER TABLE p ATTACH PARTITION p2 FOR VALUES IN (2)",
        "ALTER TABLE p DETACH PARTITION p2");
  }

  @Test
  void aChild() throws SQLException {
    database.execute(
        "CREATE TABLE p (id int, v text)",
        "CREATE TABLE p1 () INHERITS (p)",
        "CREATE TABLE p2 AS SELECT 2 AS id, text 'two' AS v",
        "INSERT INTO p VALUES (1, 'one')");
    connect();
    readBeside("SELECT v FROM p", "ALTER TABLE p2 INHERIT p", "ALTER TABLE p2 NO INHERIT p");
  }

  @Test
  void aCast() throws SQLException {
    database.execute(
        "CREATE TYPE pair AS (l int, r int)",
        "CREATE FUNCTION left_of(pair) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1.l'",
        "CREATE TABLE y (p pair, id int)",
        "INSERT INTO y VALUES (row(1, 2), 1)");
    connect();
    readBeside(
        "SELECT p::text FROM y",
        "CREATE CAST (pair AS text) WITH INOUT",
        "DROP CAST (pair AS text)");
  }

  @Test
  void aDefaultThatWrites() throws SQLException {
    database.execute(
        "CREATE TABLE log (what int)",
        "CREATE FUNCTION log_it() RETURNS text LANGUAGE sql AS"
            + " 'INSERT INTO log VALUES (1); SELECT text ''logged'''");
    connect();
    String count = "SELECT count(*) FROM log";
    LarderProbe.fill(a, count);
    database.execute("ALTER TABLE x ALTER v SET DEFAULT log_it()");
    run(a, "INSERT INTO x DEFAULT VALUES");
    database.execute("ALTER TABLE x ALTER v DROP DEFAULT");
    a.unwrap(CachingConnection.class).physical().cache().database().catalog().reloadRequested();
    awaitCatalog(a);
    assertThat(rows(a, count)).containsExactly("1");
  }
}
