package dev.larder.memcached;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The way to a server, on which requests are looked at one by one. */
final class CountingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final InetSocketAddress target;
  private final Watch watch;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** What is told of each connection, by one thread for each direction. */
  interface Watch {
    /**
     * Returns the next request of a connection, to be passed on.
     *
     * @param connection its number, from 0 on
     */
    byte[] request(int connection, DataInputStream from) throws IOException;

    /** Something was answered, and is about to be passed on. */
    void answered(int connection) throws InterruptedException;
  }

  CountingProxy(InetSocketAddress target, Watch watch) throws IOException {
    this.target = target;
    this.watch = watch;
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", listening.getLocalPort());
  }

  private void accept() {
    try {
      for (int connection = 0; ; connection++) {
        int number = connection;
        Socket client = listening.accept();
        Socket server = new Socket(target.getAddress(), target.getPort());
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.add(client);
        open.add(server);
        daemon(() -> requests(number, client, server));
        daemon(() -> answers(number, server, client));
      }
    } catch (IOException e) {
      // This proxy is closed.
    }
  }

  private void requests(int connection, Socket client, Socket server) {
    try (client;
        server) {
      DataInputStream from = new DataInputStream(client.getInputStream());
      while (true) {
        server.getOutputStream().write(watch.request(connection, from));
      }
    } catch (IOException e) {
      // Both ends go together.
    }
  }

  private void answers(int connection, Socket server, Socket client) {
    byte[] buffer = new byte[8_192];
    try (client;
        server) {
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        watch.answered(connection);
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // Both ends go together.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "counting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
