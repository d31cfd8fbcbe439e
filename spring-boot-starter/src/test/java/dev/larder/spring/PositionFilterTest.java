package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.Cookie;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What a response tells of what its request has written. */
class PositionFilterTest {
  private static final String WRITE = "UPDATE book SET title = title WHERE id = 1";

  private ShopDatabase database;
  @AutoClose private Connection connection;

  @BeforeEach
  void open() throws Exception {
    database = ShopDatabase.withBooks();
    connection = DriverManager.getConnection(database.larderUrl() + "&larder.admission=all");
    // Before the catalog is read, a query may write anything.
    SingleConnectionDataSource source = new SingleConnectionDataSource(connection, true);
    JdbcTemplate jdbc = new JdbcTemplate(source);
    ShopDatabase.untilHit(source, () -> jdbc.queryForList("SELECT title FROM book"));
  }

  private void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static MockHttpServletResponse filtered(
      PositionCarrier carrier, MockHttpServletRequest request, FilterChain chain) throws Exception {
    MockHttpServletResponse response = new MockHttpServletResponse();
    new PositionFilter(carrier).doFilter(request, response, chain);
    return response;
  }

  private MockHttpServletResponse headed(FilterChain chain) throws Exception {
    return filtered(PositionCarrier.HEADER, new MockHttpServletRequest(), chain);
  }

  private boolean isWithin(String earlier, String later) throws SQLException {
    return database
        .directly("SELECT '" + offset(earlier) + "'::pg_lsn <= '" + offset(later) + "'")
        .equals("t");
  }

  private static String offset(String position) {
    return position.substring(position.lastIndexOf(':') + 1);
  }

  @Test
  void theHeaderIsAfterWhatWasWrittenAndInTheLog() throws Exception {
    String before = database.directly("SELECT pg_current_wal_insert_lsn()");
    String position = headed((request, response) -> execute(WRITE)).getHeader("Larder-Position");
    assertThat(position)
        .startsWith(database.directly("SELECT system_identifier FROM pg_control_system()") + ":1:");
    assertThat(isWithin("1:1:" + before, position)).isTrue();
    assertThat(offset(position)).isNotEqualTo(before);
    assertThat(isWithin(position, "1:1:" + database.directly("SELECT pg_current_wal_insert_lsn()")))
        .isTrue();
  }

  @Test
  void aTransactionCountsOnceItIsCommitted() throws Exception {
    connection.setAutoCommit(false);
    MockHttpServletResponse open = headed((request, response) -> execute(WRITE));
    assertThat(open.getHeader("Larder-Position")).isNull();
    MockHttpServletResponse rolledBack =
        headed(
            (request, response) -> {
              try {
                connection.rollback();
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(rolledBack.getHeader("Larder-Position")).isNull();
    MockHttpServletResponse committed =
        headed(
            (request, response) -> {
              execute(WRITE);
              try {
                connection.commit();
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(committed.getHeader("Larder-Position")).isNotNull();
  }

  @Test
  void whoOnlyReadsIsToldNothing() throws Exception {
    MockHttpServletResponse response =
        headed((request, answer) -> execute("SELECT title FROM book WHERE id = 1"));
    assertThat(response.getHeaderNames()).isEmpty();
  }

  @Test
  void whatIsWrittenOutsideOfARequestIsNotAskedFor() throws Exception {
    MockHttpServletResponse response = headed((request, answer) -> {});
    execute(WRITE);
    assertThat(response.getHeaderNames()).isEmpty();
    assertThat(headed((request, answer) -> {}).getHeaderNames()).isEmpty();
  }

  @Test
  void theHeaderIsThereBeforeTheBodyIsSent() throws Exception {
    MockHttpServletResponse response =
        headed(
            (request, answer) -> {
              execute(WRITE);
              answer.getWriter().write("a body");
              answer.flushBuffer();
            });
    assertThat(response.isCommitted()).isTrue();
    assertThat(response.getHeader("Larder-Position")).isNotNull();
  }

  @Test
  void theCookieIsForThisSiteAndAMinute() throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.setSecure(true);
    Cookie cookie =
        filtered(PositionCarrier.COOKIE, request, (asked, response) -> execute(WRITE))
            .getCookie("larder-position");
    assertThat(cookie).isNotNull();
    assertThat(cookie.getValue()).matches("\\d+:1:[0-9A-F]+/[0-9A-F]+");
    assertThat(cookie.getMaxAge()).isEqualTo(60);
    assertThat(cookie.isHttpOnly()).isTrue();
    assertThat(cookie.getSecure()).isTrue();
    assertThat(cookie.getPath()).isEqualTo("/");
    assertThat(cookie.getAttribute("SameSite")).isEqualTo("Lax");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "1:1:0/0'; DROP TABLE book",
        "7:1:FFFFFFFF/FFFFFFFF",
        "7:1:0/0|x",
        "|||||",
        "7:1:0/0000000000000000000000000000000000000000000000000000000000000000000000000000"
      })
  void whatAnybodySendsIsNoError(String brought) throws Exception {
    for (PositionCarrier carrier : PositionCarrier.values()) {
      MockHttpServletRequest request = new MockHttpServletRequest();
      request.addHeader("Larder-Position", brought);
      request.setCookies(new Cookie("other", "x"), new Cookie("larder-position", "x"));
      MockHttpServletResponse response =
          filtered(
              carrier, request, (asked, answer) -> execute("SELECT title FROM book WHERE id = 1"));
      assertThat(response.getStatus()).isEqualTo(200);
      assertThat(response.getHeaderNames()).isEmpty();
    }
    assertThat(database.directly("SELECT count(*) FROM book")).isEqualTo("3");
  }

  @Test
  void thePropertyIsReadAsWrittenInYaml() {
    assertThat(PositionCarrier.of(null)).isEqualTo(PositionCarrier.OFF);
    assertThat(PositionCarrier.of("false")).isEqualTo(PositionCarrier.OFF);
    assertThat(PositionCarrier.of(" Cookie")).isEqualTo(PositionCarrier.COOKIE);
    assertThatThrownBy(() -> PositionCarrier.of("true"))
        .isInstanceOf(InvalidLarderPropertyException.class)
        .hasMessageContaining("larder.feed.position is 'true'; it must be off, header, cookie.");
  }
}
