package dev.larder.jdbc.driver;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGRefCursorResultSet;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.PGStatement;
import org.postgresql.fastpath.FastpathArg;

/** Larder's objects are cast to the public interfaces of the driver as the driver's own are. */
@SuppressWarnings("deprecation") // The driver deprecates some of what applications still use.
@Tag("each-jdk")
final class DriverInterfacesTest {
  private static final String NAME = "SELECT name FROM item ORDER BY name";

  @AutoClose private static TestDatabase database;
  private Connection bare;
  private Connection one;
  private Connection two;

  @BeforeAll
  static void createTable() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE item (name text)",
        "CREATE FUNCTION add_item() RETURNS int LANGUAGE sql AS"
            + " $$INSERT INTO item VALUES ('by function') RETURNING 1$$",
        "CREATE FUNCTION items() RETURNS refcursor LANGUAGE plpgsql AS $$DECLARE c refcursor;"
            + " BEGIN OPEN c FOR SELECT name FROM item; RETURN c; END$$");
  }

  @BeforeEach
  void connect() throws SQLException {
    database.execute("TRUNCATE item", "INSERT INTO item VALUES ('first')");
    bare = database.connect();
    one = LarderProbe.connect(database);
    LarderProbe.run(one, "RESET larder.cache");
    two = LarderProbe.connect(database);
    fill(one, NAME);
  }

  @AfterEach
  void close() throws SQLException {
    bare.close();
    one.close();
    two.close();
  }

  @Test
  void theConnectionsCopyInvalidatesTheTable() throws Exception {
    ((PGConnection) two).getCopyAPI().copyIn("COPY item FROM STDIN", new StringReader("second\n"));
    assertThat(rows(one, NAME)).containsExactly("first", "second");
    fill(one, NAME);
  }

  @Test
  void theConnectionsFastPathInvalidatesEverything() throws Exception {
    int function =
        Integer.parseInt(database.queryString("SELECT 'add_item'::regproc::oid::int::text"));
    ((PGConnection) two).getFastpathAPI().fastpath(function, new FastpathArg[0]);
    assertThat(rows(one, NAME)).containsExactly("by function", "first");
  }

  @Test
  void hitsGoOnBesideThem() throws Exception {
    PGConnection extensions = (PGConnection) two;
    assertThat(extensions.getBackendPID()).hasToString(rows(two, "SELECT pg_backend_pid()").get(0));
    assertThat(extensions.getNotifications()).isNullOrEmpty();
    extensions.setPrepareThreshold(7);
    assertThat(two.unwrap(PGConnection.class).getPrepareThreshold()).isEqualTo(7);
    assertThat(two.isWrapperFor(PGConnection.class)).isTrue();
    assertThat(isHit(two, NAME)).isTrue();
    assertThat(isHit(one, NAME)).isTrue();
  }

  @Test
  void theyAnswerAsTheDriversDo() throws Exception {
    for (Connection connection : new Connection[] {bare, two}) {
      ((PGConnection) connection).setDefaultFetchSize(7);
      ((PGConnection) connection).setPrepareThreshold(3);
      ((PGConnection) connection).setAdaptiveFetch(true);
      ((PGConnection) connection).setQueryTimeout(9);
    }
    assertThat(answers(PGConnection.class, two)).isEqualTo(answers(PGConnection.class, bare));
    try (Statement mine = two.createStatement();
        Statement drivers = bare.createStatement();
        PreparedStatement minePrepared = two.prepareStatement(NAME);
        PreparedStatement driversPrepared = bare.prepareStatement(NAME);
        CallableStatement mineCall = two.prepareCall("{? = call items()}");
        CallableStatement driversCall = bare.prepareCall("{? = call items()}")) {
      for (Statement statement : new Statement[] {minePrepared, driversPrepared}) {
        ((PGStatement) statement).setPrepareThreshold(1);
        ((PGStatement) statement).setAdaptiveFetch(true);
      }
      assertThat(answers(PGStatement.class, mine)).isEqualTo(answers(PGStatement.class, drivers));
      assertThat(answers(PGStatement.class, minePrepared))
          .isEqualTo(answers(PGStatement.class, driversPrepared))
          .containsEntry("getPrepareThreshold", "1");
      assertThat(answers(PGStatement.class, mineCall))
          .isEqualTo(answers(PGStatement.class, driversCall));
    }
  }

  /** Returns what the questions of {@code iface} without parameters are answered with. */
  private static Map<String, String> answers(Class<?> iface, Object object) throws Exception {
    Map<String, String> answers = new TreeMap<>();
    for (Method method : iface.getMethods()) {
      if (method.getParameterCount() == 0
          && !method.getName().endsWith("API")
          && !method.getName().matches("getBackendPID|getNotifications|cancelQuery")) {
        answers.put(method.getName(), String.valueOf(method.invoke(object)));
      }
    }
    assertThat(answers).hasSizeGreaterThan(3);
    return answers;
  }

  @Test
  void theThresholdOfAStatementCounts() throws SQLException {
    String query = "SELECT count(*) FROM item WHERE name > ?";
    try (PreparedStatement select = two.prepareStatement(query)) {
      ((PGStatement) select).setPrepareThreshold(1);
      select.setString(1, "a");
      select.executeQuery().close();
      assertThat(((PGStatement) select).isUseServerPrepare()).isTrue();
    }
    assertThat(rows(two, "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%>%'"))
        .containsExactly("1");
  }

  @Test
  void theColumnsOfAHitSayWhatTheDriversSay() throws SQLException {
    long hits = LarderProbe.hits(one);
    try (ResultSet hit = one.createStatement().executeQuery(NAME);
        ResultSet live = bare.createStatement().executeQuery(NAME)) {
      PGResultSetMetaData mine = (PGResultSetMetaData) hit.getMetaData();
      PGResultSetMetaData drivers = (PGResultSetMetaData) live.getMetaData();
      assertThat(mine.getBaseTableName(1)).isEqualTo(drivers.getBaseTableName(1));
      assertThat(mine.getBaseColumnName(1)).isEqualTo(drivers.getBaseColumnName(1));
      assertThat(mine.getFormat(1)).isEqualTo(drivers.getFormat(1));
      assertThat(((PGRefCursorResultSet) hit).getRefCursor()).isNull();
      assertThat(hit.unwrap(PGRefCursorResultSet.class)).isSameAs(hit);
    }
    assertThat(LarderProbe.hits(one)).isEqualTo(hits + 1);
    assertThat(isHit(one, NAME)).isTrue();
  }

  @Test
  void theRowsOfACursorSayWhatTheDriversSay() throws SQLException {
    List<String> names = new ArrayList<>();
    for (Connection connection : new Connection[] {bare, two}) {
      connection.setAutoCommit(false);
      try (CallableStatement call = connection.prepareCall("{? = call items()}")) {
        call.registerOutParameter(1, Types.REF_CURSOR);
        call.execute();
        ResultSet cursor = (ResultSet) call.getObject(1);
        names.add(((PGRefCursorResultSet) cursor).getRefCursor());
      }
      connection.rollback();
    }
    // The driver forgets the name as soon as it has all rows.
    assertThat(names.get(1)).isEqualTo(names.get(0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theyAreBehindAPoolAsTheDriversAre(boolean larder) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(larder ? database.larderUrl("larder.writers=this-jvm") : database.url());
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection connection = pool.getConnection();
        PreparedStatement select = connection.prepareStatement(NAME)) {
      assertThat(connection).isNotInstanceOf(PGConnection.class);
      // What the pool logs.
      assertThat(connection.toString())
          .containsPattern(
              (larder ? "wrapping Larder@[0-9a-f]+ " : "")
                  + "wrapping org.postgresql.jdbc.PgConnection@");
      assertThat(select.unwrap(PGStatement.class).getPrepareThreshold()).isEqualTo(5);
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY item FROM STDIN", new StringReader("second\n"));
      assertThat(rows(one, NAME)).hasSize(larder ? 2 : 1);
    }
  }

  @Test
  void whatIsClosedSaysSo() throws SQLException {
    PreparedStatement statement = two.prepareStatement(NAME);
    two.close();
    bare.close();
    for (Connection closed : new Connection[] {bare, two}) {
      assertThatThrownBy(() -> ((PGConnection) closed).getCopyAPI().copyIn("COPY item FROM STDIN"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08003"));
      assertThatThrownBy(() -> closed.unwrap(PGConnection.class)).isInstanceOf(SQLException.class);
    }
    PGStatement extensions = (PGStatement) statement;
    assertThatThrownBy(extensions::getLastOID).isInstanceOf(SQLException.class);
    assertThat(extensions.isUseServerPrepare()).isFalse();
  }
}
