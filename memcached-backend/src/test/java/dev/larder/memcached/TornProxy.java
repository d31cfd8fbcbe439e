package dev.larder.memcached;

import dev.larder.testing.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** The way to a server, which can be cut off: broken, or silent. */
final class TornProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final InetSocketAddress target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;
  private volatile Duration delay = Duration.ZERO;

  /** What passes waits for it. */
  private volatile CountDownLatch way = new CountDownLatch(0);

  TornProxy(InetSocketAddress target) throws IOException {
    this.target = target;
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", listening.getLocalPort());
  }

  /** Ends all connections and lets none live. */
  void cut() {
    cut = true;
    open.forEach(TornProxy::close);
  }

  /** Holds back everything, on connections that stay open. */
  void silence() {
    way = new CountDownLatch(1);
  }

  /** Has each answer come so much later. */
  void delay(Duration each) {
    delay = each;
  }

  /** Lets everything pass again, what was held back first. */
  void mend() {
    cut = false;
    way.countDown();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        connect(listening.accept());
      } catch (IOException e) {
        // This proxy is closed.
        open.removeIf(Socket::isClosed);
      }
    }
  }

  private void connect(Socket client) {
    try {
      if (cut) {
        throw new IOException("cut off");
      }
      Socket server = new Socket(target.getAddress(), target.getPort());
      open.add(client);
      open.add(server);
      daemon(() -> pass(client, server, false));
      daemon(() -> pass(server, client, true));
    } catch (IOException e) {
      close(client);
    }
  }

  private void pass(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[8_192];
    try (from;
        to) {
      from.setTcpNoDelay(true);
      to.setTcpNoDelay(true);
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        way.await();
        if (answers && !delay.isZero()) {
          Waiting.pass(delay);
        }
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // Both ends go together.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "torn-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cut();
    mend();
  }
}
