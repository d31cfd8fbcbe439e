package dev.larder.spring;

import static dev.larder.spring.ShopDatabase.untilHit;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextManager;

/** Tests of a part of an application, as Spring Boot cuts it, have Larder as the whole has. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("gate")
class TestSlicesTest {
  /** The annotations of test classes; Spring Boot 4 has them in other packages than 3. */
  enum Slice {
    DATA_JPA("orm.jpa.DataJpaTest", "data.jpa.test.autoconfigure.DataJpaTest"),
    DATA_JDBC("data.jdbc.DataJdbcTest", "data.jdbc.test.autoconfigure.DataJdbcTest"),
    JDBC("jdbc.JdbcTest", "jdbc.test.autoconfigure.JdbcTest"),
    JOOQ("jooq.JooqTest", "jooq.test.autoconfigure.JooqTest");

    private final String three;
    private final String four;

    Slice(String three, String four) {
      this.three = three;
      this.four = four;
    }
  }

  private ShopDatabase database;

  @BeforeAll
  void open() throws SQLException {
    database = ShopDatabase.withBooks();
  }

  /** Asserts that the data source in the context of a user's test class is answered from memory. */
  private static void hits(Slice slice, String... properties) throws Exception {
    Class<?> test = testClass(slice, properties);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(test.getClassLoader());
    TestContext context = new TestContextManager(test).getTestContext();
    try {
      DataSource source = context.getApplicationContext().getBean(DataSource.class);
      JdbcTemplate jdbc = new JdbcTemplate(source);
      String title =
          untilHit(
              source,
              () -> jdbc.queryForObject("SELECT title FROM book WHERE id = 1", String.class));
      assertThat(title).isEqualTo("Emma");
    } finally {
      context.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static Class<?> testClass(Slice slice, String... properties) throws Exception {
    String quoted =
        Stream.concat(
                Arrays.stream(properties),
                Stream.of(
                    "spring.flyway.enabled=false",
                    "spring.liquibase.enabled=false",
                    "larder.writers=this-jvm"))
            .map(property -> '"' + property + '"')
            .collect(Collectors.joining(", "));
    String database =
        annotation(
            "jdbc.AutoConfigureTestDatabase", "jdbc.test.autoconfigure.AutoConfigureTestDatabase");
    return DocumentedCode.compiled(
        slice.name(),
        """
        package dev.larder.documented;
        @%s(properties = {%s})
        @%s(replace = %s.Replace.NONE)
        public class %s {
          @org.springframework.boot.SpringBootConfiguration
          @org.springframework.boot.autoconfigure.EnableAutoConfiguration
          static class Application {}
        }
        """
            .formatted(
                annotation(slice.three, slice.four), quoted, database, database, slice.name()));
  }

  private static String annotation(String three, String four) {
    return Boot.either(
            "org.springframework.boot.test.autoconfigure." + three,
            "org.springframework.boot." + four)
        .getName();
  }

  @ParameterizedTest
  @EnumSource
  void hitByUrl(Slice slice) throws Exception {
    hits(slice, "spring.datasource.url=" + database.larderUrl());
  }

  @ParameterizedTest
  @EnumSource
  void hitByProperty(Slice slice) throws Exception {
    hits(slice, "spring.datasource.url=" + database.url(), "larder.enabled=true");
  }

  @Test
  void mayLackDataSourcesThatPropertiesName() throws Exception {
    hits(
        Slice.JDBC,
        "spring.datasource.url=" + database.larderUrl(),
        "larder.data-sources.exclude=reportsDataSource");
  }
}
