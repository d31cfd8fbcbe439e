package dev.larder.jdbc;

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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Passes bytes to a server on this machine, and cuts connections, or lets them fall silent, when it
 * is told. Thread-safe.
 */
public final class TcpProxy implements Closeable {
  private final ServerSocket listener;
  private volatile int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger age = new AtomicInteger();
  private volatile @Nullable String fatal;
  private volatile @Nullable String unanswered;

  /** How many answers were lost. */
  public final AtomicInteger lost = new AtomicInteger();

  public TcpProxy(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** From now on the connection on which {@code text} is sent is cut when the server answers it. */
  public void cutAnswerTo(String text) {
    fatal = text;
  }

  /**
   * From now on nothing comes any more on a connection on which {@code text} is sent, which stays
   * open; null for no text.
   */
  public void loseAnswersTo(@Nullable String text) {
    unanswered = text;
  }

  /** From now on nothing comes any more on the connections that there are, which stay open. */
  public void freeze() {
    age.incrementAndGet();
  }

  /** From now on new connections lead to another server. */
  public void leadTo(int port) {
    target = port;
  }

  /** Cuts every connection. */
  public void cut() {
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
    private volatile boolean silent;
    private final int made = age.get();

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

    private static boolean isIn(String text, @Nullable String part) {
      return part != null && text.contains(part);
    }

    private void pump(Socket from, Socket to, boolean request) {
      byte[] buffer = new byte[8192];
      try (InputStream in = from.getInputStream();
          OutputStream out = to.getOutputStream()) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          if (request) {
            String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
            doomed |= isIn(text, fatal);
            silent |= isIn(text, unanswered);
          } else if (doomed) {
            break;
          } else if (silent || made != age.get()) {
            lost.incrementAndGet();
            continue;
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
