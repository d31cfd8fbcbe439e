package dev.larder.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.examples.Postgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("gate")
final class DemoTest {
  private static final int SECONDS = 3;

  private static Postgres postgres;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void start() throws IOException {
    postgres = Postgres.start();
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
  }

  @Test
  void everyAnswerIsRightAndMostAreHits() throws SQLException {
    int code = runOnServer(Side.LARDER);
    assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    String report = report();
    assertThat(code).as(report).isEqualTo(Demo.RIGHT);
    assertThat(number(report, "hit ratio +- +([0-9.]+) %")).as(report).isPositive();
    assertThat(number(report, "wrong rows +([0-9,]+) ")).isZero();
    assertThat(number(report, "wrong rows +[0-9,]+ +([0-9,]+)")).isZero();
    assertThat(number(report, "answers checked +([0-9,]+) ")).isPositive();
    assertThat(report).contains("SHOW larder.queries", "FROM pgbench_accounts WHERE aid = ?");
    assertThat(schemas()).isZero();
  }

  @Test
  void theReportFitsIntoEightyColumns() {
    runOnServer(Side.LARDER);
    assertThat(report().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  /**
   * A writer that Larder does not see leaves stale results: the check must notice them. On a busy
   * machine a short run may read none of them again, so longer runs follow.
   */
  @Test
  void staleRowsAreFoundWhereThereAreSome() throws SQLException {
    int code = Demo.RIGHT;
    for (int seconds = SECONDS; code == Demo.RIGHT && seconds <= 16 * SECONDS; seconds *= 2) {
      out.reset();
      code = runOnServer(Side.DIRECT, seconds);
    }
    assertThat(code).as(report()).isEqualTo(Demo.WRONG);
    String report = report();
    assertThat(number(report, "wrong rows +([0-9,]+) ")).isZero();
    assertThat(number(report, "wrong rows +[0-9,]+ +([0-9,]+)")).isPositive();
    assertThat(report).contains("WRONG ROWS", "seen or acknowledged before");
    assertThat(schemas()).isZero();
  }

  @Test
  void aFailureDropsTheSchema() throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.url());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE narrow LOGIN CONNECTION LIMIT 3");
      statement.execute("GRANT CREATE ON DATABASE postgres TO narrow");
    }
    String url = postgres.url().replace("user=postgres", "user=narrow");
    assertThat(run(Side.LARDER, "--url", url, "--accounts", "1000")).isEqualTo(Demo.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("The demo could not run: ");
    assertThat(schemas()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "--threads=0, --threads is '0'; it must be a whole number from 1 to 64.",
    "--seconds=soon, --seconds is 'soon'; it must be a whole number from 2 to 3600.",
    "--accounts, --accounts needs a value",
    "--thread=4, '--thread' is no option. Options are",
    "--url=jdbc:mysql://host/db, --url must begin with jdbc:postgresql:",
  })
  void aBadOptionIsExplained(String argument, String message) {
    assertThat(run(Side.LARDER, argument)).isEqualTo(Demo.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(message, "Try --help.");
    assertThat(report()).isEmpty();
  }

  @Test
  void helpNamesEveryOption() {
    assertThat(run(Side.LARDER, "--help")).isEqualTo(Demo.RIGHT);
    assertThat(report()).contains("--seconds", "--threads", "--accounts", "--url", "Exit code");
  }

  private int runOnServer(Side larderWriter) {
    return runOnServer(larderWriter, SECONDS);
  }

  private int runOnServer(Side larderWriter, int seconds) {
    return run(
        larderWriter,
        "--url",
        postgres.url(),
        "--seconds=" + seconds,
        "--threads=2",
        "--accounts=5000");
  }

  private int run(Side larderWriter, String... arguments) {
    return Demo.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        larderWriter,
        arguments);
  }

  private String report() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private static double number(String report, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(report);
    assertThat(matcher.find()).as("%s in %s", pattern, report).isTrue();
    return Double.parseDouble(matcher.group(1).replace(",", ""));
  }

  private static long schemas() throws SQLException {
    try (Connection connection = DriverManager.getConnection(postgres.url());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'larder_demo%'")) {
      row.next();
      return row.getLong(1);
    }
  }
}
