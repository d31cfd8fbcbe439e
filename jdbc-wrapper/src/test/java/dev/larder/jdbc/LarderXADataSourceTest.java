package dev.larder.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.QueryCacheConfig;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LarderXADataSourceTest {
  private static final AtomicInteger XIDS = new AtomicInteger();

  @AutoClose private TestDatabase database;

  @BeforeEach
  void createDatabase() throws SQLException {
    database = TestDatabase.create();
    database.execute("CREATE TABLE t (a int)");
  }

  @Test
  void aBranchIsPreparedAndCommitted() throws SQLException, XAException {
    LarderXADataSource source = new LarderXADataSource(database.xaDataSource());
    assertTwoPhaseCommit(source);
    assertThat(database.queryString("SELECT count(*) FROM t")).isEqualTo("1");
  }

  @Test
  void theBeanConnectsByUrl() throws SQLException, XAException {
    LarderXADataSource source = new LarderXADataSource();
    source.setUrl(database.larderUrl("larder.mode=all", "ApplicationName=of%20url"));
    Properties properties = new Properties();
    properties.setProperty("ApplicationName", "of properties");
    properties.setProperty("options", "-c search_path=a&b");
    source.setProperties(properties);
    XAConnection xa = source.getXAConnection();
    try (Connection connection = xa.getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(connection.getClientInfo("ApplicationName")).isEqualTo("of url");
      var rows = statement.executeQuery("SHOW search_path");
      rows.next();
      assertThat(rows.getString(1)).isEqualTo("a&b");
    } finally {
      xa.close();
    }
    source.setProperties(new Properties());
    assertTwoPhaseCommit(source);
    assertThat(database.queryString("SELECT count(*) FROM t")).isEqualTo("1");
  }

  private static void assertTwoPhaseCommit(LarderXADataSource source)
      throws SQLException, XAException {
    XAConnection xa = source.getXAConnection();
    try {
      XAResource resource = xa.getXAResource();
      Xid xid = new BranchId(XIDS.incrementAndGet());
      try (Connection connection = xa.getConnection();
          Statement statement = connection.createStatement()) {
        resource.start(xid, XAResource.TMNOFLAGS);
        statement.execute("INSERT INTO t VALUES (1)");
        resource.end(xid, XAResource.TMSUCCESS);
      }
      assertThat(resource.prepare(xid)).isEqualTo(XAResource.XA_OK);
      assertThat(resource.recover(XAResource.TMSTARTRSCAN)).hasSize(1);
      resource.commit(xid, false);
      assertThat(resource.recover(XAResource.TMSTARTRSCAN)).isEmpty();
    } finally {
      xa.close();
    }
  }

  @Test
  void aResourceKnowsItself() throws SQLException, XAException {
    LarderXADataSource source = new LarderXADataSource(database.xaDataSource());
    XAConnection one = source.getXAConnection();
    XAConnection other = source.getXAConnection();
    try {
      assertThat(one.getXAResource().isSameRM(one.getXAResource())).isTrue();
      assertThat(one.getXAResource().isSameRM(other.getXAResource())).isFalse();
    } finally {
      one.close();
      other.close();
    }
  }

  @Test
  void listenersHearOfTheConnectionThatTheyListenTo() throws SQLException {
    XAConnection xa = new LarderXADataSource(database.xaDataSource()).getXAConnection();
    List<String> events = new ArrayList<>();
    ConnectionEventListener listener =
        new ConnectionEventListener() {
          @Override
          public void connectionClosed(ConnectionEvent event) {
            assertThat(event.getSource()).isSameAs(xa);
            events.add("closed");
          }

          @Override
          public void connectionErrorOccurred(ConnectionEvent event) {
            assertThat(event.getSource()).isSameAs(xa);
            events.add(event.getSQLException().getSQLState());
          }
        };
    xa.addConnectionEventListener(listener);
    xa.addConnectionEventListener(listener);
    xa.getConnection().close();
    assertThat(events).containsExactly("closed");
    try (Connection connection = xa.getConnection();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("SELECT pg_terminate_backend(pg_backend_pid())"));
    } catch (SQLException e) {
      assertThat(events).contains("57P01");
    }
    assertThat(events).contains("57P01");
    int heard = events.size();
    xa.removeConnectionEventListener(listener);
    assertThatThrownBy(xa::getConnection).isInstanceOf(SQLException.class);
    assertThat(events).hasSize(heard);
    xa.close();
  }

  @Test
  void lardersOwnConnectionClosesTheXaConnectionToo() throws SQLException {
    XAConnection xa = database.xaDataSource().getXAConnection();
    Connection own = new XaOwnConnection(xa);
    try (Statement statement = own.createStatement()) {
      statement.execute("SELECT 1");
    }
    own.close();
    assertThatThrownBy(xa::getConnection).isInstanceOf(SQLException.class);
    assertThat(
            database.queryString(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
                    + " AND query = 'SELECT 1'"))
        .isEqualTo("0");
  }

  @Test
  void badOptionsAreErrors() {
    LarderXADataSource source = new LarderXADataSource();
    assertThatThrownBy(source::getXAConnection)
        .hasMessageContaining("LarderXADataSource has neither");
    source.setUrl("jdbc:larder:postgresql://h/db?larder.x=1");
    assertThatThrownBy(source::getXAConnection).hasMessageContaining("There is no option larder.x");
    source.setUrl("jdbc:larder:nosuch:db?password=secret");
    assertThatThrownBy(source::getXAConnection)
        .isInstanceOf(SQLException.class)
        .hasMessageNotContaining("secret");
    LarderXADataSource both =
        new LarderXADataSource(database.xaDataSource(), QueryCacheConfig.builder().build());
    both.setUser("bob");
    assertThatThrownBy(both::getXAConnection).hasMessageContaining("wraps a data source");
  }

  private record BranchId(int number) implements Xid {
    @Override
    public int getFormatId() {
      return 1;
    }

    @Override
    public byte[] getGlobalTransactionId() {
      return ("g" + number).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] getBranchQualifier() {
      return new byte[] {1};
    }
  }
}
