package dev.larder.jdbc.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.testing.Waiting;
import dev.larder.watch.Catalog;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * A tenant with few rights beside an administrator who gives a right and takes it back. Confined to
 * one thread.
 */
final class RightAfterRight implements AutoCloseable {
  /**
   * A right that is given, and taken back.
   *
   * @param query what it lets the tenant read; it ends in a condition that another joins
   */
  record Pair(String there, String back, String query) {
    @Override
    public String toString() {
      return there;
    }
  }

  private static final String ITEMS = "SELECT n FROM item WHERE true";
  private static final String SECRETS = "SELECT n FROM secret WHERE true";
  private static final String HIDDEN = "SELECT n FROM hidden.item WHERE true";
  private static final String VIEW = "SELECT n FROM shown WHERE true";

  private final TestDatabase database;
  private final String tenant;
  private final String group;
  private final Connection bare;
  private final Connection cached;
  private int asked;

  RightAfterRight(TestDatabase database) throws SQLException {
    this.database = database;
    tenant = "tenant_of_" + database.name();
    group = "group_of_" + database.name();
    database.execute(
        "CREATE ROLE " + tenant + " LOGIN",
        "CREATE ROLE " + group,
        "CREATE TABLE item (n int, owner text)",
        "INSERT INTO item VALUES (1, '" + tenant + "'), (2, 'another')",
        "CREATE TABLE shadow (n int, owner text)",
        "INSERT INTO shadow VALUES (7, 'nobody')",
        "GRANT SELECT ON item, shadow TO " + tenant,
        "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON item USING (owner = current_user)",
        "CREATE TABLE secret AS SELECT 3 AS n",
        "GRANT SELECT ON secret TO " + group,
        "CREATE SCHEMA hidden",
        "CREATE TABLE hidden.item AS SELECT 4 AS n",
        "GRANT SELECT ON hidden.item TO " + tenant,
        "CREATE VIEW shown AS SELECT 5 AS n FROM secret");
    bare = DriverManager.getConnection(ofTenant(database.url()));
    cached = DriverManager.getConnection(ofTenant(database.larderUrl("larder.writers=this-jvm")));
    LarderProbe.awaitCatalog(cached);
  }

  private String ofTenant(String url) {
    return url.replace("user=postgres", "user=" + tenant);
  }

  /** Returns pairs of changes; those of roles leave no row behind that anybody may look at. */
  List<Pair> pairs() {
    String open = "CREATE POLICY everything ON item USING (true)";
    return List.of(
        new Pair(
            "ALTER TABLE item DISABLE ROW LEVEL SECURITY",
            "ALTER TABLE item ENABLE ROW LEVEL SECURITY",
            ITEMS),
        new Pair(
            "ALTER POLICY own ON item USING (true)",
            "ALTER POLICY own ON item USING (owner = current_user)",
            ITEMS),
        new Pair(
            "DROP POLICY own ON item",
            "CREATE POLICY own ON item USING (owner = current_user)",
            ITEMS),
        new Pair(open, "DROP POLICY everything ON item", ITEMS),
        new Pair(
            "ALTER TABLE item OWNER TO " + tenant,
            "ALTER TABLE item OWNER TO postgres; GRANT SELECT ON item TO " + tenant,
            ITEMS),
        new Pair(
            "ALTER TABLE item RENAME TO put_by; ALTER TABLE shadow RENAME TO item",
            "ALTER TABLE item RENAME TO shadow; ALTER TABLE put_by RENAME TO item",
            ITEMS),
        new Pair(
            "ALTER ROLE " + tenant + " BYPASSRLS", "ALTER ROLE " + tenant + " NOBYPASSRLS", ITEMS),
        new Pair(
            "ALTER ROLE " + tenant + " SUPERUSER",
            "ALTER ROLE " + tenant + " NOSUPERUSER",
            SECRETS),
        new Pair(
            "GRANT " + group + " TO " + tenant, "REVOKE " + group + " FROM " + tenant, SECRETS),
        new Pair(
            "GRANT SELECT ON secret TO " + tenant, "REVOKE ALL ON secret FROM " + tenant, SECRETS),
        new Pair(
            "GRANT SELECT (n) ON secret TO " + tenant,
            "REVOKE ALL (n) ON secret FROM " + tenant,
            SECRETS),
        new Pair(
            "GRANT USAGE ON SCHEMA hidden TO " + tenant,
            "REVOKE USAGE ON SCHEMA hidden FROM " + tenant,
            HIDDEN),
        new Pair("GRANT SELECT ON shown TO " + tenant, "REVOKE ALL ON shown FROM " + tenant, VIEW));
  }

  /** Has the tenant read with the right; returns the query, whose answer is cached. */
  String readsWith(Pair pair, Duration apart) throws SQLException {
    asked++;
    String query = pair.query() + " AND n < " + (1_000 + asked);
    database.execute(pair.there());
    try {
      LarderProbe.fill(cached, query);
      assertThat(LarderProbe.isHit(cached, query)).isTrue();
      Waiting.pass(apart);
      return query;
    } finally {
      database.execute(pair.back());
    }
  }

  /** Returns whether Larder answers as the driver does. */
  boolean agrees(String query) throws SQLException {
    return answer(cached, query).equals(answer(bare, query));
  }

  private static String answer(Connection connection, String query) {
    try {
      return LarderProbe.rows(connection, query).toString();
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  /** Has Larder compare the catalog, as it does every five seconds. */
  void compare() throws SQLException {
    Catalog catalog =
        cached.unwrap(CachingConnection.class).physical().cache().database().catalog();
    catalog.reloadRequested();
    LarderProbe.awaitCatalog(cached);
  }

  @Override
  public void close() throws SQLException {
    cached.close();
    bare.close();
    database.execute("DROP OWNED BY " + tenant, "DROP ROLE " + tenant);
    database.execute("DROP OWNED BY " + group, "DROP ROLE " + group);
  }
}
