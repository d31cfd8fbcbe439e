package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code docs/matrix.md} says what {@code .ci/run} and the poms say, and the gate runs on that. */
@Tag("each-server")
@Tag("each-jdk")
class MatrixPageTest {
  private static final String REWRITE = "larder.docs.rewrite";
  private static final String COMMAND =
      "mvn -pl jdbc-wrapper -am test -Dtest=MatrixPageTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -D"
          + REWRITE
          + "=true";
  private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("..");

  /** A step's name, or a line that runs tests on a JDK and a server. */
  private static final Pattern STEP =
      Pattern.compile("(?m)^(?:step \"(.+)\"|on(?:_server)? (\\d+) (\\S+) .*)$");

  private static final Pattern OLDER =
      Pattern.compile("<artifactId>postgresql</artifactId>\\s*<version>(\\d.+)</version>");

  @Test
  void thePageIsTheGeneratedOne() throws IOException {
    Path page = ROOT.resolve("docs/matrix.md");
    if (Boolean.getBoolean(REWRITE)) {
      Files.writeString(page, generated());
    }
    assertThat(page).as("write it with: %s", COMMAND).exists();
    assertThat(Files.readString(page))
        .as("docs/matrix.md differs from .ci/run or a pom; rewrite it with: %s", COMMAND)
        .isEqualTo(generated());
  }

  /** The gate says what it means to run on; elsewhere, this JVM and its server are as good. */
  @Test
  void theGateRunsOnWhatItSays() throws SQLException {
    String jdk = String.valueOf(Runtime.version().feature());
    assertThat(jdk).isEqualTo(System.getProperty("gate.jdk", jdk));
    try (TestDatabase database = TestDatabase.create();
        Connection connection = DriverManager.getConnection(database.url());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW server_version")) {
      row.next();
      String server = row.getString(1).split(" ", 2)[0];
      // The binaries have a third number, their own.
      assertThat(System.getProperty("gate.postgres", server) + ".").startsWith(server + ".");
    }
  }

  private static String generated() throws IOException {
    return """
    # Matrix

    <!-- Generated from .ci/run and the poms; MatrixPageTest says how to rewrite it. -->

    This page shows on which versions the gate, `.ci/run`, runs the tests. The tests fail if their JVM or
    their server is another one. [versions.md](versions.md) says what is supported beyond these versions.

    ## JDKs and servers

    | step of the gate | JDK | PostgreSQL |
    |---|---|---|
    %s
    A part of the tests runs once more on servers from Testcontainers, with PostgreSQL %s:
    [testing.md](testing.md#larders-own-tests).

    ## Drivers

    | PostgreSQL JDBC driver | tests |
    |---|---|
    | %s | all but those of Spring Boot |
    | %s | those of Spring Boot %s |
    | %s | those of Spring Boot %s |
    | %s | replay, formats and caching with older drivers |

    ## Frameworks and pools

    | | versions |
    |---|---|
    | Spring Boot | %s, %s |
    | HikariCP | %s, %s, %s |
    | Hibernate | %s, and those of Spring Boot |
    | jOOQ | %s, and those of Spring Boot |
    | MyBatis | %s |
    """
        .formatted(
            steps(),
            parent("postgres.binaries.version"),
            parent("pgjdbc.version"),
            boot3("pgjdbc.version"),
            boot3("spring-boot.version"),
            boot4("pgjdbc.version"),
            boot4("spring-boot.version"),
            olderDrivers(),
            boot3("spring-boot.version"),
            boot4("spring-boot.version"),
            boot3("hikari.version"),
            boot4("hikari.version"),
            parent("hikari.version"),
            parent("hibernate.version"),
            parent("jooq.version"),
            parent("mybatis.version"));
  }

  private static String steps() throws IOException {
    StringBuilder rows = new StringBuilder();
    String name = "";
    List<MatchResult> lines =
        STEP.matcher(Files.readString(ROOT.resolve(".ci/run"))).results().toList();
    for (MatchResult line : lines) {
      if (line.group(1) == null) {
        String server = line.group(3).replace("\"$postgres\"", parent("postgres.binaries.version"));
        rows.append("| %s | %s | %s |\n".formatted(name, line.group(2), server));
      } else {
        name = line.group(1);
      }
    }
    return rows.toString();
  }

  /** Those that {@code DriverVersionsTest} has the pom fetch. */
  private static String olderDrivers() throws IOException {
    return OLDER
        .matcher(Files.readString(ROOT.resolve("jdbc-wrapper/pom.xml")))
        .results()
        .map(driver -> driver.group(1))
        .collect(Collectors.joining(", "));
  }

  private static String parent(String property) throws IOException {
    return property("pom.xml", property);
  }

  private static String boot3(String property) throws IOException {
    return property("spring-boot-starter/pom.xml", property);
  }

  private static String boot4(String property) throws IOException {
    return property("spring-boot-starter/boot-4/pom.xml", property);
  }

  private static String property(String pom, String name) throws IOException {
    String tag = Pattern.quote(name);
    Matcher value =
        Pattern.compile("<" + tag + ">(.+)</" + tag + ">")
            .matcher(Files.readString(ROOT.resolve(pom)));
    assertThat(value.find()).as("%s of %s", name, pom).isTrue();
    return value.group(1);
  }
}
