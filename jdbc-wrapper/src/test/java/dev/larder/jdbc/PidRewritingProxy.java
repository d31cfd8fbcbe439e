package dev.larder.jdbc;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
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
public final class PidRewritingProxy implements Closeable {
  private static final int INVENTED_PID = 4_000_000;
  private static final int BUFFER = 1 << 16;

  private final ServerSocket listening;
  private final int serverPort;
  private final boolean rewriting;
  private final AtomicLong answers = new AtomicLong();

  public PidRewritingProxy(int serverPort) throws IOException {
    this(serverPort, true);
  }

  /** Creates a proxy that rewrites or only counts. */
  public PidRewritingProxy(int serverPort, boolean rewriting) throws IOException {
    this.serverPort = serverPort;
    this.rewriting = rewriting;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Returns how many round trips the server has ended. */
  public long roundTrips() {
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
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
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

  /**
   * Passes whole messages on, each by one write: in pieces, each would wait for the acknowledgement
   * of the last.
   */
  private void rewrite(Socket from, Socket to) throws IOException {
    try (from;
        to;
        DataInputStream in =
            new DataInputStream(new BufferedInputStream(from.getInputStream(), BUFFER));
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(to.getOutputStream(), BUFFER))) {
      int type = in.read();
      if (type == 'N') {
        // The answer to a request for encryption, with which a connection begins, is one byte.
        out.write(type);
        out.flush();
        type = in.read();
      }
      while (type >= 0) {
        out.write(type);
        message(type, in, out);
        if (in.available() == 0) {
          out.flush();
        }
        type = in.read();
      }
    }
  }

  private void message(int type, DataInputStream in, DataOutputStream out) throws IOException {
    byte[] body = new byte[in.readInt() - Integer.BYTES];
    in.readFully(body);
    if (type == 'Z') {
      answers.incrementAndGet();
    }
    out.writeInt(body.length + Integer.BYTES);
    if (type == 'K' && rewriting) {
      out.writeInt(INVENTED_PID);
      out.write(body, Integer.BYTES, body.length - Integer.BYTES);
    } else {
      out.write(body);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
