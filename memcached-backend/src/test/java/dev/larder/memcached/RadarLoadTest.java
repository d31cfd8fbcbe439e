package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import dev.larder.testing.Waiting;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nothing that three JVMs that share their results write themselves is taken for somebody else's.
 *
 * <p>{@code -Dlarder.radar.seconds=3600} makes the load longer.
 */
@Tag("proof")
@NeedsProgram(Program.MEMCACHED)
class RadarLoadTest extends RadarFleet {
  private static final long SECONDS = Long.getLong("larder.radar.seconds", 60);

  private void createLoadTables() throws SQLException {
    for (String table : List.of("plain", "stamped", "audited", "upserted", "quiet")) {
      run(outside, "CREATE TABLE " + table + " (id int PRIMARY KEY, v text)");
      run(outside, "INSERT INTO " + table + " SELECT i, 'x' FROM generate_series(0, 99) i");
    }
    run(outside, "CREATE TABLE log (id int, v text)");
    run(outside, "CREATE TABLE parent (id int PRIMARY KEY)");
    run(outside, "CREATE TABLE child (id int REFERENCES parent ON DELETE CASCADE)");
    run(outside, "CREATE TABLE parts (id int, v text) PARTITION BY RANGE (id)");
    run(outside, "CREATE TABLE parts_a PARTITION OF parts FOR VALUES FROM (0) TO (50)");
    run(outside, "CREATE TABLE parts_b PARTITION OF parts FOR VALUES FROM (50) TO (100)");
    run(outside, "INSERT INTO parts SELECT i, 'x' FROM generate_series(0, 99) i");
    run(
        outside,
        "CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN NEW.v := ''stamped''; RETURN NEW; END'");
    run(
        outside,
        "CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO log VALUES (NEW.id, ''t''); RETURN NULL; END'");
    run(outside, "CREATE TRIGGER s BEFORE UPDATE ON stamped FOR EACH ROW EXECUTE FUNCTION stamp()");
    run(outside, "CREATE TRIGGER a AFTER UPDATE ON audited FOR EACH ROW EXECUTE FUNCTION audit()");
  }

  @Override
  String url() {
    return url("failCommit", "larder.triggers.writes=a%3Dlog");
  }

  @Test
  void nothingThatLarderWritesIsTakenForSomebodyElses() throws Exception {
    createLoadTables();
    List<String> tables =
        List.of(
            "plain", "stamped", "audited", "upserted", "quiet", "log", "parent", "child", "parts");
    System.out.println("radar: load of " + SECONDS + " s (-Dlarder.radar.seconds)");
    try (Jvms jvms = launch(true, tables)) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      List<String> chores =
          List.of(
              "VACUUM", "ANALYZE", "VACUUM FULL quiet", "VACUUM FULL plain", "REINDEX TABLE log");
      for (int i = 0; System.nanoTime() < end; i++) {
        run(outside, chores.get(i % chores.size()));
        assertThat(jvms.lines()).noneMatch(line -> line.startsWith("foreign"));
        assertThat(jvms.lines()).noneMatch(line -> line.startsWith("failed"));
        Waiting.pass(Duration.ofSeconds(2));
      }
      // It is not that nobody looks: a stranger is found, among all this. While the catalog is read
      // anew, as after VACUUM FULL, nobody knows whose rows are counted.
      try (Outsider stranger = outsider()) {
        Waiting.until(
            Duration.ofMinutes(4),
            () -> "quiet: " + jvms.lines(),
            () -> {
              stranger.send("UPDATE quiet SET v = 'f'");
              Waiting.pass(Duration.ofMillis(200));
              return jvms.count("foreign quiet") >= JVMS;
            });
      }
      jvms.end();
      assertThat(jvms.lines())
          .filteredOn(line -> line.startsWith("foreign"))
          .allMatch(line -> line.equals("foreign quiet"));
      assertThat(jvms.lines()).anyMatch(line -> line.matches("hits [1-9].*"));
      long writes =
          jvms.lines().stream()
              .filter(line -> line.startsWith(RadarClient.WRITES))
              .mapToLong(line -> Long.parseLong(line.substring(RadarClient.WRITES.length())))
              .sum();
      System.out.println("radar: " + writes + " writes, and none was taken for somebody else's");
      assertThat(writes).isPositive();
    }
  }
}
