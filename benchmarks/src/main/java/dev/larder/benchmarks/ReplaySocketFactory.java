package dev.larder.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.SocketFactory;

/**
 * Makes {@link ReplaySocket}s, for the driver's property {@code socketFactory}, and finds the one
 * that a connection has.
 */
public final class ReplaySocketFactory extends SocketFactory {
  private static final List<ReplaySocket> MADE = new CopyOnWriteArrayList<>();

  /** For the driver, which makes one for each connection. */
  public ReplaySocketFactory() {}

  /** Returns the socket of {@code connection}. */
  static ReplaySocket socketOf(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT inet_client_port()")) {
      row.next();
      int port = row.getInt(1);
      return MADE.stream()
          .filter(socket -> !socket.isClosed() && socket.getLocalPort() == port)
          .findAny()
          .orElseThrow(() -> new SQLException("the connection has a socket of another factory"));
    }
  }

  @Override
  public Socket createSocket() {
    ReplaySocket socket = new ReplaySocket();
    MADE.add(socket);
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress local, int localPort)
      throws IOException {
    throw new UnsupportedOperationException("the driver connects by itself");
  }
}
