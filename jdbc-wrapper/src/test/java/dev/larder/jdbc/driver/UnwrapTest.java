package dev.larder.jdbc.driver;

import static dev.larder.jdbc.LarderProbe.fill;
import static dev.larder.jdbc.LarderProbe.isHit;
import static dev.larder.jdbc.LarderProbe.reason;
import static dev.larder.jdbc.LarderProbe.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import dev.larder.testing.Waiting;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PgDatabaseMetaData;
import org.postgresql.jdbc.PgResultSet;
import org.postgresql.jdbc.PgStatement;

/** What climbing out of Larder's objects leads to. */
@Tag("each-jdk")
@Tag("regression")
final class UnwrapTest {
  private static final String NAME = "SELECT name FROM item";

  private TestDatabase database;
  private Connection one;
  private Connection two;
  private WeakReference<Connection> forgotten;

  @BeforeEach
  void connect() throws SQLException {
    database = TestDatabase.create();
    database.execute("CREATE TABLE item (name text)", "INSERT INTO item VALUES ('first')");
    one = LarderProbe.connect(database);
    two = LarderProbe.connect(database);
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    two.close();
    database.close();
  }

  @Test
  void theDriversInterfaceIsLardersOwn() throws SQLException {
    PGConnection extensions = two.unwrap(PGConnection.class);
    assertThat(extensions).isSameAs(two);
    assertThat(two.isWrapperFor(PGConnection.class)).isTrue();
    fill(one, NAME);
    extensions.setPrepareThreshold(7);
    assertThat(extensions.getNotifications()).isNullOrEmpty();
    assertThat(isHit(two, NAME)).isTrue();
    assertThat(isHit(one, NAME)).isTrue();
  }

  @Test
  void itsCopyInvalidatesTheTable() throws Exception {
    fill(one, NAME);
    two.unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("COPY item FROM STDIN", new StringReader("second\n"));
    assertThat(rows(one, NAME)).containsExactly("first", "second");
    fill(one, NAME);
    two.setAutoCommit(false);
    two.unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("COPY item FROM STDIN", new StringReader("third\n"));
    assertThat(isHit(one, NAME)).isTrue();
    two.commit();
    assertThat(rows(one, NAME)).hasSize(3);
  }

  @Test
  void aClassOfTheDriverMakesEverythingUncachedUntilTheConnectionCloses() throws SQLException {
    fill(one, NAME);
    try (Connection three = LarderProbe.connect(database)) {
      Connection raw = three.unwrap(PgConnection.class);
      assertThat(isHit(one, NAME)).isFalse();
      assertThat(isHit(one, NAME)).isFalse();
      rows(three, NAME);
      assertThat(reason(three, NAME)).contains("unwrapped");
      try (Statement unseen = raw.createStatement()) {
        unseen.execute("UPDATE item SET name = 'second'");
      }
      assertThat(rows(one, NAME)).containsExactly("second");
    }
    awaitHit();
    assertThat(rows(one, NAME)).containsExactly("second");
  }

  /** Asks on until the server process of the closed connection is gone. */
  private void awaitHit() throws SQLException {
    awaitHit(() -> {});
  }

  private void awaitHit(Runnable between) throws SQLException {
    await(() -> isHit(one, NAME), between);
  }

  /** Something that comes true. */
  private interface Condition {
    boolean holds() throws SQLException;
  }

  private static void await(Condition condition, Runnable between) throws SQLException {
    Waiting.until(
        "it has come true",
        () -> {
          boolean holds = condition.holds();
          if (!holds) {
            between.run();
          }
          return holds;
        });
  }

  @Test
  void closingTheDriversConnectionEndsIt() throws SQLException {
    fill(one, NAME);
    Connection larder = LarderProbe.connect(database);
    try (PgConnection driver = larder.unwrap(PgConnection.class);
        Statement unseen = driver.createStatement()) {
      assertThat(isHit(one, NAME)).isFalse();
      unseen.execute("UPDATE item SET name = 'second'");
    }
    awaitHit();
    assertThat(rows(one, NAME)).containsExactly("second");
    assertThat(larder.isClosed()).isTrue();
  }

  @Test
  void forgettingItWithoutClosingEndsIt() throws SQLException {
    fill(one, NAME);
    LarderProbe.connect(database).unwrap(PgConnection.class);
    assertThat(isHit(one, NAME)).isFalse();
    awaitHit(System::gc);
  }

  @Test
  void theDriversConnectionIsAWriterForAsLongAsItIsUsedThoughLardersIsForgotten() throws Exception {
    fill(one, NAME);
    WeakReference<Connection> larder;
    try (PgConnection driver = unwrapped();
        Statement unseen = driver.createStatement()) {
      larder = forgotten;
      while (larder.get() != null) {
        System.gc();
      }
      assertThat(isHit(one, NAME)).isFalse();
      unseen.execute("UPDATE item SET name = 'second'");
      assertThat(rows(one, NAME)).containsExactly("second");
      assertThat(isHit(one, NAME)).isFalse();
    }
    awaitHit();
  }

  private PgConnection unwrapped() throws SQLException {
    Connection larder = LarderProbe.connect(database);
    forgotten = new WeakReference<>(larder);
    return larder.unwrap(PgConnection.class);
  }

  /** Whoever closes the driver's connection alone, or nothing, is done with Larder's, too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConnectionThatIsOnlyForgottenReleasesItsCache(boolean closed) throws Exception {
    String name = "larder.name=" + database.name();
    ObjectName bean =
        new ObjectName("dev.larder:type=Cache,name=" + ObjectName.quote(database.name()) + ",*");
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    Connection larder = LarderProbe.connect(database, name);
    assertThat(beans.queryNames(bean, null)).hasSize(1);
    if (closed) {
      larder.unwrap(PgConnection.class).close();
    }
    larder = null;
    await(() -> beans.queryNames(bean, null).isEmpty(), closed ? () -> {} : System::gc);
  }

  @Test
  void aCopyThatIsForgottenUnfinishedLeavesItsTableCached() throws Exception {
    fill(one, NAME);
    LarderProbe.connect(database)
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("COPY item FROM STDIN");
    assertThat(isHit(one, NAME)).isFalse();
    awaitHit(System::gc);
    assertThat(rows(one, NAME)).containsExactly("first");
  }

  @Test
  void itIsRefusedWhereTheUserWantsThat() throws SQLException {
    try (Connection three = LarderProbe.connect(database, "larder.unwrap=refuse");
        Statement statement = three.createStatement();
        ResultSet row = statement.executeQuery(NAME)) {
      fill(one, NAME);
      assertThatThrownBy(() -> three.unwrap(PgConnection.class))
          .isInstanceOf(SQLFeatureNotSupportedException.class)
          .hasMessageContaining("larder.unwrap=refuse");
      assertThat(three.unwrap(BaseConnection.class)).isNotNull();
      assertThatThrownBy(() -> statement.unwrap(PgStatement.class))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
      assertThatThrownBy(() -> row.unwrap(PgResultSet.class))
          .isInstanceOf(SQLFeatureNotSupportedException.class);
      assertThat(three.unwrap(PGConnection.class)).isNotNull();
      assertThat(statement.unwrap(PGStatement.class)).isNotNull();
      assertThat(isHit(one, NAME)).isTrue();
    }
  }

  @Test
  void theStatementsInterfaceIsHarmless() throws SQLException {
    fill(one, NAME);
    try (PreparedStatement statement = two.prepareStatement(NAME)) {
      PGStatement extensions = statement.unwrap(PGStatement.class);
      assertThat(extensions).isSameAs(statement);
      extensions.setPrepareThreshold(3);
      assertThat(extensions.getPrepareThreshold()).isEqualTo(3);
    }
    try (CallableStatement call = two.prepareCall(NAME)) {
      PGStatement extensions = call.unwrap(PGStatement.class);
      assertThat(extensions).isSameAs(call);
      extensions.setPrepareThreshold(3);
      assertThat(extensions.getPrepareThreshold()).isEqualTo(3);
    }
    assertThat(isHit(one, NAME)).isTrue();
    assertThat(isHit(two, NAME)).isTrue();
  }

  @Test
  void theStatementsClassIsTakenForAWriter() throws SQLException {
    fill(one, NAME);
    try (Statement statement = two.createStatement()) {
      statement.unwrap(PgStatement.class).executeUpdate("UPDATE item SET name = 'second'");
    }
    assertThat(rows(one, NAME)).containsExactly("second");
    assertThat(isHit(one, NAME)).isFalse();
  }

  /** Hands something of the driver out that leads to its connection. */
  private interface Way {
    Connection out(Connection larder) throws Exception;
  }

  static Stream<Named<Way>> waysOut() {
    return Stream.of(
        named("metadata", c -> c.getMetaData().unwrap(PgDatabaseMetaData.class).getConnection()),
        named("metadata's rows", c -> driversRow(c.getMetaData().getTypeInfo()).getConnection()),
        named("row", c -> driversRow(row(c)).getConnection()),
        named("call", c -> driversCall(c.prepareCall(NAME)).getConnection()),
        named("call's row", c -> driversRow(c.prepareCall(NAME).executeQuery()).getConnection()),
        named("keys", c -> driversRow(c.createStatement().getGeneratedKeys()).getConnection()));
  }

  private static Named<Way> named(String name, Way way) {
    return Named.of(name, way);
  }

  private static Statement driversRow(ResultSet rows) throws SQLException {
    return rows.unwrap(PgResultSet.class).getStatement();
  }

  private static CallableStatement driversCall(CallableStatement call) throws Exception {
    // Its class is not public.
    return call.unwrap(
        Class.forName("org.postgresql.jdbc.PgCallableStatement")
            .asSubclass(CallableStatement.class));
  }

  @ParameterizedTest
  @MethodSource("waysOut")
  void whatLeadsToTheDriversConnectionIsTakenForAWriter(Way way) throws Exception {
    fill(one, NAME);
    Connection raw = way.out(two);
    assertThat(raw).isInstanceOf(PgConnection.class);
    try (Statement unseen = raw.createStatement()) {
      unseen.execute("UPDATE item SET name = 'second'");
    }
    assertThat(rows(one, NAME)).containsExactly("second");
    assertThat(isHit(one, NAME)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("waysOut")
  void everyWayToTheDriversConnectionCanBeRefused(Way way) throws Exception {
    try (Connection three = LarderProbe.connect(database, "larder.unwrap=refuse")) {
      assertThatThrownBy(() -> way.out(three))
          .isInstanceOf(SQLFeatureNotSupportedException.class)
          .hasMessageContaining("larder.unwrap=refuse");
    }
  }

  static Stream<Named<Way>> closedStatements() {
    return Stream.of(
        named("plain", c -> closed(c.createStatement()).getConnection()),
        named("prepared", c -> closed(c.prepareStatement(NAME)).getConnection()),
        named("call", c -> closed(c.prepareCall(NAME)).getConnection()),
        named("row's", c -> closed(row(c).getStatement()).getConnection()),
        named("metadata", c -> c.getMetaData().getConnection()));
  }

  private static ResultSet row(Connection connection) throws SQLException {
    return connection.createStatement().executeQuery(NAME);
  }

  private static Statement closed(Statement statement) throws SQLException {
    statement.close();
    return statement;
  }

  /** The driver's does not refuse the question. */
  @ParameterizedTest
  @MethodSource("closedStatements")
  void aClosedStatementLeadsBackToLarder(Way way) throws Exception {
    fill(one, NAME);
    Connection connection = way.out(two);
    assertThat(connection).isSameAs(two);
    try (Statement seen = connection.createStatement()) {
      seen.execute("UPDATE item SET name = 'second'");
    }
    assertThat(rows(one, NAME)).containsExactly("second");
  }

  @Test
  void whatIsLardersOwnIsNotUnwrapped() throws SQLException {
    fill(one, NAME);
    DatabaseMetaData metaData = two.getMetaData();
    assertThat(metaData.isWrapperFor(DatabaseMetaData.class)).isTrue();
    assertThat(metaData.unwrap(DatabaseMetaData.class)).isSameAs(metaData);
    assertThat(metaData.isWrapperFor(PgDatabaseMetaData.class)).isTrue();
    assertThat(metaData.isWrapperFor(UnwrapTest.class)).isFalse();
    try (CallableStatement call = two.prepareCall(NAME);
        PreparedStatement prepared = two.prepareStatement(NAME)) {
      for (PreparedStatement statement : List.of(call, prepared)) {
        assertThat(statement.isWrapperFor(PreparedStatement.class)).isTrue();
        assertThat(statement.unwrap(PreparedStatement.class)).isSameAs(statement);
        assertThat(statement.isWrapperFor(UnwrapTest.class)).isFalse();
        assertThatThrownBy(() -> statement.unwrap(UnwrapTest.class))
            .isInstanceOf(SQLException.class);
      }
    }
    assertThat(isHit(one, NAME)).isTrue();
  }

  @Test
  void metadataLeadsBackToLarder() throws SQLException {
    DatabaseMetaData metaData = one.getMetaData();
    assertThat(metaData.getConnection()).isSameAs(one);
    // Others find out by it which database it is; none of Larder's options are in it.
    assertThat(metaData.getURL()).isEqualTo(database.url());
    try (ResultSet tables = metaData.getTables(null, "public", "item", null)) {
      assertThat(tables.next()).isTrue();
      assertThat(tables.getString("TABLE_NAME")).isEqualTo("item");
      assertThat(tables.getStatement().getConnection()).isSameAs(one);
      try (Statement seen = tables.getStatement().getConnection().createStatement()) {
        fill(two, NAME);
        seen.execute("UPDATE item SET name = 'second'");
        assertThat(rows(two, NAME)).containsExactly("second");
      }
    }
    try (ResultSet types = metaData.getTypeInfo()) {
      assertThat(types.next()).isTrue();
      assertThat(types.getStatement().getConnection()).isSameAs(one);
    }
    fill(two, NAME);
  }

  @Test
  void resultsLeadBackToTheirStatement() throws SQLException {
    fill(one, NAME);
    try (PreparedStatement statement = one.prepareStatement(NAME);
        ResultSet hit = statement.executeQuery()) {
      assertThat(hit.getStatement()).isSameAs(statement);
      assertThat(hit.getStatement().getConnection()).isSameAs(one);
    }
  }
}
