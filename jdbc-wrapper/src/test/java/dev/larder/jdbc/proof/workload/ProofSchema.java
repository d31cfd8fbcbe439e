package dev.larder.jdbc.proof.workload;

import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.proof.history.Line;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables of the proof. A row is a slot: its key, the version that wrote it, and who did. */
public final class ProofSchema {
  private static final String TRIGGERS = "source_mirror=mirror,tap_copy=tapped";

  private static final String[] TABLES = {
    "CREATE TABLE item (k int PRIMARY KEY, n bigint, w bigint, pad int)",
    "CREATE VIEW item_view AS SELECT k, n, w FROM item",
    "CREATE VIEW item_deep AS SELECT v.k, v.n, v.w FROM item_view v WHERE v.k >= 0",
    "CREATE TABLE part (k int, n bigint, w bigint, area int) PARTITION BY LIST (area)",
    "CREATE TABLE part_0 PARTITION OF part FOR VALUES IN (0)",
    "CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1) PARTITION BY RANGE (k)",
    "CREATE TABLE part_1_low PARTITION OF part_1 FOR VALUES FROM (MINVALUE) TO (4)",
    "CREATE TABLE part_1_high PARTITION OF part_1 FOR VALUES FROM (4) TO (MAXVALUE)",
    "CREATE TABLE parent (k int PRIMARY KEY, n bigint, w bigint, UNIQUE (k, n, w))",
    "CREATE TABLE child (k int PRIMARY KEY, n bigint, w bigint, FOREIGN KEY (k, n, w)"
        + " REFERENCES parent (k, n, w) ON UPDATE CASCADE ON DELETE CASCADE)",
    "CREATE TABLE orphan (slot int PRIMARY KEY, k int, n bigint, w bigint, FOREIGN KEY (k, n, w)"
        + " REFERENCES parent (k, n, w) ON UPDATE CASCADE ON DELETE SET NULL)",
    "CREATE TABLE source (k int PRIMARY KEY, n bigint, w bigint)",
    "CREATE TABLE mirror (k int PRIMARY KEY, n bigint, w bigint)",
    "CREATE TABLE choice_version (k int PRIMARY KEY, n bigint, w bigint)",
    "CREATE TABLE tap (k int PRIMARY KEY, n bigint, w bigint, m bigint)",
    "CREATE TABLE tapped (k int PRIMARY KEY, n bigint, w bigint)",
    "CREATE TABLE listed_version (k int PRIMARY KEY, n bigint, w bigint)",
    "CREATE TABLE head (k int PRIMARY KEY, n bigint, w bigint)",
    "CREATE TABLE member (k int PRIMARY KEY, n bigint, w bigint, list int NOT NULL CONSTRAINT"
        + " member_head REFERENCES head ON DELETE CASCADE, code varchar(8) UNIQUE, pad int)",
    "CREATE INDEX member_list ON member (list)",
    "CREATE TABLE hot (k int PRIMARY KEY, n bigint, w bigint, line int, pair int, next int)",
    "CREATE INDEX hot_pair ON hot (pair)",
  };

  private static final String[] ROUTINES = {
    "CREATE FUNCTION mirror() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        + " IF TG_OP = 'DELETE' THEN DELETE FROM mirror WHERE k = OLD.k; RETURN OLD; END IF;"
        + " INSERT INTO mirror VALUES (NEW.k, NEW.n, NEW.w)"
        + " ON CONFLICT (k) DO UPDATE SET n = excluded.n, w = excluded.w; RETURN NEW; END $$",
    "CREATE FUNCTION copy_tap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        + " UPDATE tapped SET n = NEW.n, w = NEW.w; NEW.m := NEW.n; RETURN NEW; END $$",
    "CREATE FUNCTION bump(relation text, id bigint) RETURNS bigint LANGUAGE plpgsql AS $$"
        + " DECLARE v bigint; BEGIN"
        + " EXECUTE format('UPDATE %I SET n = n + 1, w = $1 WHERE k = 0 RETURNING n', relation)"
        + " INTO v USING id; RETURN v; END $$",
    "CREATE FUNCTION bump_item(id bigint) RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE v bigint;"
        + " BEGIN UPDATE item SET n = n + 1, w = id WHERE k = 0 RETURNING n INTO v; RETURN v;"
        + " END $$",
    "CREATE PROCEDURE bump_call(relation text, id bigint, INOUT v bigint) LANGUAGE plpgsql AS $$"
        + " BEGIN v := bump(relation, id); END $$",
  };

  private static final String[] ROWS = {
    "INSERT INTO item SELECT k, 1, 0, 0 FROM generate_series(0, 7) k",
    "INSERT INTO part SELECT k, 1, 0, k % 2 FROM generate_series(0, 7) k",
    "INSERT INTO parent SELECT k, 1, 0 FROM generate_series(0, 7) k",
    "INSERT INTO child SELECT k, 1, 0 FROM generate_series(0, 7) k",
    "INSERT INTO orphan SELECT k, k, 1, 0 FROM generate_series(0, 7) k",
    "INSERT INTO source SELECT k, 1, 0 FROM generate_series(0, 7) k",
    "INSERT INTO mirror SELECT k, 1, 0 FROM generate_series(0, 7) k",
    "INSERT INTO choice_version VALUES (0, 1, 0)",
    "INSERT INTO tap VALUES (0, 1, 0, 0)",
    "INSERT INTO tapped VALUES (1, 1, 0)",
    "INSERT INTO listed_version VALUES (0, 1, 0)",
    "INSERT INTO head SELECT k, 1, 0 FROM generate_series(0, " + (Line.LISTS - 1) + ") k",
    "INSERT INTO member SELECT k, 1, 0, k % "
        + Line.LISTS
        + ", 'c' || k, 0"
        + " FROM generate_series(1, 7) k",
    "INSERT INTO hot SELECT k, 1, 0, k - 1 + "
        + Line.HOT_1.ordinal()
        + ", 1, k % 3 + 1"
        + " FROM generate_series(1, 3) k",
    choice(1, 0, Line.ITEM),
    "CREATE TRIGGER source_mirror AFTER INSERT OR UPDATE OR DELETE ON source FOR EACH ROW EXECUTE"
        + " FUNCTION mirror()",
    "CREATE TRIGGER tap_copy BEFORE UPDATE ON tap FOR EACH ROW EXECUTE FUNCTION copy_tap()",
  };

  private ProofSchema() {}

  /** Creates everything in a database. */
  public static void create(TestDatabase database) throws SQLException {
    database.execute(
        "ALTER DATABASE " + database.name() + " SET deadlock_timeout = '20ms'",
        "ALTER DATABASE " + database.name() + " SET lock_timeout = '5s'");
    database.execute(TABLES);
    database.execute(ROUTINES);
    database.execute(ROWS);
  }

  /**
   * Returns Larder's URL, with the triggers' writes declared, and an option more. All queries are
   * admitted, so that what is written all the time is checked, too, unless the option says else.
   */
  public static String url(TestDatabase database, int port, String option) {
    String declared = URLEncoder.encode(TRIGGERS, StandardCharsets.UTF_8);
    String admission = option.contains("larder.admission") ? "" : "&larder.admission=all";
    return database
        .larderUrl(
            "larder.writers=this-jvm", "larder.triggers.writes=" + declared, option + admission)
        .replace(":" + database.port() + "/", ":" + port + "/");
  }

  /** Returns what defines the view anew: its version, and the line that it shows. */
  static String choice(long version, long id, Line shown) {
    return "CREATE OR REPLACE VIEW choice AS SELECT "
        + Line.CHOICE.ordinal()
        + " AS line, 0 AS k, "
        + version
        + "::bigint AS n, "
        + id
        + "::bigint AS w UNION ALL SELECT "
        + shown.ordinal()
        + ", k, n, w FROM "
        + shown.table();
  }

  /** Reads the counters of all lines from one snapshot. */
  public static long[] versions(Connection past) throws SQLException {
    StringBuilder sql = new StringBuilder("SELECT ");
    for (int l = 0; l < Line.count(); l++) {
      sql.append(l == 0 ? "" : ", ")
          .append("(SELECT n FROM ")
          .append(Line.of(l).table())
          .append(" WHERE k = ")
          .append(Line.of(l).counter())
          .append(')');
    }
    try (Statement statement = past.createStatement();
        ResultSet row = statement.executeQuery(sql.toString())) {
      row.next();
      long[] versions = new long[Line.count()];
      for (int l = 0; l < versions.length; l++) {
        versions[l] = row.getLong(l + 1);
      }
      return versions;
    }
  }
}
