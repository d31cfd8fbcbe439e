package dev.larder.jdbc.write;

import static dev.larder.jdbc.LarderProbe.awaitCatalog;
import static dev.larder.jdbc.LarderProbe.count;
import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static dev.larder.jdbc.LarderProbe.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.jdbc.statement.CachingConnection;
import dev.larder.testing.Waiting;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DDL of a table loses no result of another, by whomever it is. */
final class QuietDdlTest {
  private static final String ITEM = "SELECT name FROM item WHERE id = 1";
  private static final String COUNT = "SELECT count(*) FROM item";
  private static final String OTHER = "SELECT count(*) FROM other";
  private static final int READERS = 4;
  private static final int EACH = 10;

  private TestDatabase database;
  private Connection reader;
  private Connection writer;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (id int PRIMARY KEY, name text)",
        "INSERT INTO item VALUES (1, 'a')",
        "CREATE TABLE other (id int PRIMARY KEY, name text, made timestamptz)",
        "CREATE VIEW shown AS SELECT * FROM other",
        "CREATE FUNCTION log_that() RETURNS trigger LANGUAGE plpgsql"
            + " AS $$ BEGIN INSERT INTO other VALUES (7); RETURN NULL; END $$");
    database.awaitCountOf(1);
    reader = LarderProbe.connect(database);
    writer = LarderProbe.connect(database);
    fill(reader, ITEM);
    fill(reader, COUNT);
  }

  @AfterEach
  void drop() throws SQLException {
    reader.close();
    writer.close();
    database.close();
  }

  private void execute(boolean byOthers, String sql) throws SQLException {
    if (byOthers) {
      database.execute(sql);
      reader
          .unwrap(CachingConnection.class)
          .physical()
          .cache()
          .database()
          .catalog()
          .comparisonRequested();
    } else {
      run(writer, sql);
    }
    awaitCatalog(reader);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ANALYZE",
        "COMMENT ON TABLE other IS 'one'",
        "CREATE INDEX ON other (name)",
        "REINDEX TABLE other",
        "GRANT SELECT ON other TO PUBLIC",
        "GRANT SELECT (name) ON other TO PUBLIC",
        "REVOKE ALL ON TABLE public.other FROM PUBLIC",
        "CREATE SCHEMA apart",
        "CREATE TABLE made (id serial PRIMARY KEY, name text DEFAULT 'x', at date)",
        "CREATE TABLE IF NOT EXISTS public.made (id int)",
        "CREATE TABLE made AS SELECT 1 AS n",
        "ALTER TABLE other ADD COLUMN more int DEFAULT 3",
        "ALTER TABLE other ALTER name SET NOT NULL",
        "ALTER TABLE other RENAME TO renamed",
        "ALTER TABLE other ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE other OWNER TO CURRENT_USER"
      })
  @Tag("each-server")
  void losesNoResultOfAnotherTable(String sql) throws SQLException {
    long before = count(reader, "writes_of_everything");
    execute(true, sql);
    assertThat(isHit(reader, ITEM)).isTrue();
    assertThat(isHit(reader, COUNT)).isTrue();
    assertThat(count(reader, "writes_of_everything")).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE INDEX ON other (name)",
        "GRANT SELECT ON other TO PUBLIC",
        "REVOKE ALL ON TABLE public.other FROM PUBLIC",
        "CREATE SCHEMA apart",
        "CREATE TABLE made (id serial PRIMARY KEY, name text DEFAULT 'x', at date)",
        "ALTER TABLE other ADD COLUMN more int DEFAULT 3",
        "ALTER TABLE other ALTER name SET NOT NULL"
      })
  @Tag("each-server")
  void norByOnesOwn(String sql) throws SQLException {
    fill(reader, OTHER);
    long before = count(reader, "writes_of_everything");
    execute(false, sql);
    assertThat(isHit(reader, ITEM)).isTrue();
    assertThat(isHit(reader, COUNT)).isTrue();
    assertThat(count(reader, "writes_of_everything")).isEqualTo(before);
  }

  /** A table that a statement may take for another, and what a write does besides. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE apart.item (id int, name text)",
        "CREATE TABLE apart.shown (id int)",
        "CREATE TABLE apart.log_that (id int)",
        "ALTER TABLE other RENAME TO log_that",
        "CREATE TRIGGER t AFTER UPDATE ON other FOR EACH ROW EXECUTE FUNCTION log_that()",
        "CREATE RULE r AS ON UPDATE TO other DO ALSO DELETE FROM item",
        "ALTER TABLE other ADD FOREIGN KEY (id) REFERENCES item ON DELETE CASCADE",
        "CREATE TABLE child () INHERITS (item)",
        "GRANT SELECT ON shown TO PUBLIC",
        "CREATE POLICY p ON other USING (true)",
        "GRANT USAGE ON SCHEMA apart TO PUBLIC",
        "ALTER FUNCTION log_that() COST 7"
      })
  void whatMayConcernOthersLosesEverything(String sql) throws SQLException {
    apart();
    execute(true, sql);
    assertThat(isHit(reader, COUNT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE apart.item (id int, name text)",
        "CREATE TABLE apart.made (id int) INHERITS (item)",
        "ALTER TABLE other RENAME TO log_that",
        "ALTER TABLE other ADD FOREIGN KEY (id) REFERENCES item ON DELETE CASCADE",
        "ALTER TABLE other ADD COLUMN more apart.named",
        "GRANT SELECT ON shown TO PUBLIC",
        "GRANT SELECT ON item, other TO PUBLIC",
        "GRANT USAGE ON SCHEMA apart TO PUBLIC"
      })
  void byOnesOwnToo(String sql) throws SQLException {
    apart();
    execute(false, sql);
    assertThat(isHit(reader, COUNT)).isFalse();
  }

  private void apart() throws SQLException {
    database.execute("CREATE SCHEMA apart", "CREATE DOMAIN apart.named AS text DEFAULT 'x'");
    execute(true, "ANALYZE");
    fill(reader, ITEM);
    fill(reader, COUNT);
  }

  /** Its settings are asked for once there is a catalog. */
  @Test
  void aConnectionOfWhichNoSettingsAreKnownReadsWhileThereIsNoCatalog() throws Exception {
    var catalog = reader.unwrap(CachingConnection.class).physical().cache().database().catalog();
    long before = count(reader, "writes_of_everything");
    Thread comparing =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                catalog.comparisonRequested();
              }
            });
    comparing.start();
    try (Connection late =
        DriverManager.getConnection(database.larderUrl("larder.writers=this-jvm"))) {
      for (int i = 0; i < EACH; i++) {
        rows(late, ITEM);
      }
      late.setAutoCommit(false);
      rows(late, COUNT);
      late.commit();
    } finally {
      comparing.interrupt();
      comparing.join();
    }
    awaitCatalog(reader);
    assertThat(isHit(reader, ITEM)).isTrue();
    assertThat(count(reader, "writes_of_everything")).isEqualTo(before);
  }

  @Test
  void tenOfEachLoseNothingBesideReaders() throws Exception {
    tenOfEach(Duration.ZERO);
  }

  @Test
  @Tag("proof")
  void tenOfEachLoseNothingAfterAMinute() throws Exception {
    tenOfEach(Duration.ofSeconds(61));
  }

  private void tenOfEach(Duration idle) throws Exception {
    Waiting.pass(idle);
    rows(reader, OTHER);
    awaitCatalog(reader);
    assertThat(isHit(reader, ITEM)).isTrue();
    long everything = count(reader, "writes_of_everything");
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    List<Future<?>> reading = new ArrayList<>();
    long misses = count(reader, "misses");
    for (int i = 0; i < READERS; i++) {
      reading.add(threads.submit(this::readUntilInterrupted));
    }
    for (int i = 0; i < EACH; i++) {
      for (boolean byOthers : new boolean[] {true, false}) {
        execute(byOthers, "ANALYZE other");
        execute(byOthers, "CREATE INDEX ON other (name)");
        execute(byOthers, "CREATE TABLE made_" + i + "_" + byOthers + " (id int PRIMARY KEY)");
      }
    }
    threads.shutdownNow();
    for (Future<?> each : reading) {
      each.get();
    }
    assertThat(count(reader, "misses")).isEqualTo(misses);
    assertThat(isHit(reader, ITEM)).isTrue();
    assertThat(isHit(reader, COUNT)).isTrue();
    assertThat(count(reader, "writes_of_everything")).isEqualTo(everything);
  }

  /** While the catalog is read, no result is looked for; that is no miss. */
  private @Nullable Void readUntilInterrupted() throws SQLException {
    try (Connection own = LarderProbe.connect(database)) {
      while (!Thread.currentThread().isInterrupted()) {
        rows(own, ITEM);
        rows(own, COUNT);
      }
    }
    return null;
  }
}
