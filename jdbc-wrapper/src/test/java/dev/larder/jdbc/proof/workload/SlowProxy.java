package dev.larder.jdbc.proof.workload;

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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Passes bytes to a server on this machine, some of them late: a commit then is under way for
 * longer, and its answer comes long after others see it. A proxy of the other sort cuts the client
 * off when it sends COMMIT, and passes that on afterwards. Thread-safe.
 */
public final class SlowProxy implements Closeable {
  private static final int LATE_PERCENT = 20;
  private static final long LATEST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long AFTER_DEATH_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

  private final ServerSocket listener;
  private final int target;
  private final boolean cutsCommits;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger deathsUnderWay = new AtomicInteger();

  /** Listens on a port of its own. */
  public SlowProxy(int target, boolean cutsCommits) throws IOException {
    this.target = target;
    this.cutsCommits = cutsCommits;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  /** Returns the port that it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Returns whether a COMMIT of a dead client has yet to be passed on. */
  public boolean isBusy() {
    return deathsUnderWay.get() > 0;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    sockets.forEach(SlowProxy::close);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        serve(listener.accept());
      } catch (IOException e) {
        return;
      }
    }
  }

  /** A server that refuses one client must not end them all. */
  private void serve(Socket client) {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.add(client);
      sockets.add(server);
      start(() -> pump(client, server, cutsCommits));
      start(() -> pump(server, client, false));
    } catch (IOException e) {
      close(client);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "slow-proxy");
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

  private void pump(Socket from, Socket to, boolean cuts) {
    byte[] buffer = new byte[8192];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (cuts && new String(buffer, 0, read, StandardCharsets.ISO_8859_1).contains("COMMIT")) {
          passOnAfterDeath(from, out, buffer, read);
          return;
        }
        if (!cutsCommits && ThreadLocalRandom.current().nextInt(100) < LATE_PERCENT) {
          LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LATEST_NANOS));
        }
        out.write(buffer, 0, read);
        out.flush();
      }
    } catch (IOException e) {
      // One side has closed: so is the other.
    } finally {
      close(from);
      close(to);
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private void passOnAfterDeath(Socket client, OutputStream server, byte[] commit, int length)
      throws IOException {
    deathsUnderWay.incrementAndGet();
    try {
      client.close();
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(AFTER_DEATH_NANOS));
      server.write(commit, 0, length);
      server.flush();
    } finally {
      deathsUnderWay.decrementAndGet();
    }
  }
}
