package dev.larder.jdbc.caching;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a client and the server as a transaction pooler does: the process number in the
 * key data of the protocol is its own invention. Everything else passes unchanged.
 */
final class PidRewritingProxy implements Closeable {
  private static final int INVENTED_PID = 4_000_000;

  private final ServerSocket listening;
  private final int serverPort;
  private final boolean rewriting;
  private final AtomicLong answers = new AtomicLong();

  PidRewritingProxy(int serverPort) throws IOException {
    this(serverPort, true);
  }

  /** Creates a proxy that rewrites or only counts. */
  PidRewritingProxy(int serverPort, boolean rewriting) throws IOException {
    this.serverPort = serverPort;
    this.rewriting = rewriting;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Returns how many round trips the server has ended. */
  long roundTrips() {
    return answers.get();
  }

  /** Something that runs until a socket is closed. */
  private interface Pump {
    void run() throws IOException;
  }

  private static void start(Pump pump) {
    Thread thread =
        new Thread(
            () -> {
              try {
                pump.run();
              } catch (IOException e) {
                // One side is closed: the other will be.
              }
            },
            "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (!listening.isClosed()) {
      Socket client = listening.accept();
      start(() -> serve(client));
    }
  }

  /** On a thread of its own, so that a server that refuses one client does not end them all. */
  private void serve(Socket client) throws IOException {
    try (client) {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      start(() -> rewrite(server, client));
      forward(client, server);
    }
  }

  private static void forward(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    }
  }

  private void rewrite(Socket from, Socket to) throws IOException {
    try (from;
        to;
        DataInputStream in = new DataInputStream(from.getInputStream());
        DataOutputStream out = new DataOutputStream(to.getOutputStream())) {
      int type = in.read();
      while (type >= 0) {
        out.write(type);
        // The server's answer to a request for encryption is one byte.
        if (type != 'N' || in.available() > 0) {
          message(type, in, out);
        }
        out.flush();
        type = in.read();
      }
    }
  }

  private void message(int type, DataInputStream in, DataOutputStream out) throws IOException {
    int length = in.readInt();
    byte[] body = new byte[length - 4];
    in.readFully(body);
    out.writeInt(length);
    if (type == 'Z') {
      answers.incrementAndGet();
    }
    if (type == 'K' && rewriting) {
      out.writeInt(INVENTED_PID);
      out.write(body, 4, body.length - 4);
    } else {
      out.write(body);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
