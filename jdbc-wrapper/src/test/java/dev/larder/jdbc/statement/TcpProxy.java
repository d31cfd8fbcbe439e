package dev.larder.jdbc.statement;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Passes bytes to a server on this machine, and cuts connections when it is told. Thread-safe. */
final class TcpProxy implements Closeable {
  private final ServerSocket listener;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile @Nullable String fatal;

  TcpProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** From now on the connection on which {@code text} is sent is cut when the server answers it. */
  void cutAnswerTo(String text) {
    fatal = text;
  }

  /** Cuts every connection. */
  void cut() {
    sockets.forEach(TcpProxy::close);
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(server);
        Link link = new Link(client, server);
        start(link::toServer);
        start(link::toClient);
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "tcp-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is as good as closed.
    }
  }

  private final class Link {
    private final Socket client;
    private final Socket server;
    private volatile boolean doomed;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void toServer() {
      pump(client, server, true);
    }

    void toClient() {
      pump(server, client, false);
    }

    private void pump(Socket from, Socket to, boolean request) {
      byte[] buffer = new byte[8192];
      try (InputStream in = from.getInputStream();
          OutputStream out = to.getOutputStream()) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          String text = fatal;
          if (request && text != null) {
            doomed |= new String(buffer, 0, read, StandardCharsets.ISO_8859_1).contains(text);
          }
          if (!request && doomed) {
            break;
          }
          out.write(buffer, 0, read);
          out.flush();
        }
      } catch (IOException e) {
        // One side has closed, or was cut: so is the other.
      } finally {
        TcpProxy.close(client);
        TcpProxy.close(server);
      }
    }
  }
}
