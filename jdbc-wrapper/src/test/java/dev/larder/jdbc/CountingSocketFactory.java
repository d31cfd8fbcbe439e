package dev.larder.jdbc;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the sockets of the driver ({@code socketFactory=}), which count what is sent: the driver
 * has a buffer of its own, and what it flushes is a request whose answer it waits for. Thread-safe.
 */
public final class CountingSocketFactory extends DriverSocketFactory {
  /** The parameter of a URL that makes the driver use it. */
  public static final String PARAMETER = "socketFactory=" + CountingSocketFactory.class.getName();

  private static final List<CountingSocket> MADE = new CopyOnWriteArrayList<>();

  /** Returns the count of requests of {@code connection}, which goes on. */
  public static AtomicLong requestsOf(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT inet_client_port()")) {
      row.next();
      int port = row.getInt(1);
      return MADE.stream()
          .filter(socket -> !socket.isClosed() && socket.getLocalPort() == port)
          .findAny()
          .orElseThrow()
          .requests;
    }
  }

  @Override
  public Socket createSocket() {
    CountingSocket socket = new CountingSocket();
    MADE.add(socket);
    return socket;
  }

  private static final class CountingSocket extends Socket {
    private final AtomicLong requests = new AtomicLong();

    @Override
    public synchronized void close() throws IOException {
      MADE.remove(this);
      super.close();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        private boolean written;

        @Override
        public void write(int value) throws IOException {
          written = true;
          out.write(value);
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
          written = true;
          out.write(buffer, offset, length);
        }

        @Override
        public void flush() throws IOException {
          if (written) {
            requests.incrementAndGet();
            written = false;
          }
          out.flush();
        }
      };
    }
  }
}
