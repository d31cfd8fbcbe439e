package dev.larder.changefeed;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between a client and a server, and does what poolers and networks do: see {@link Manner}.
 * It refuses encryption.
 */
final class ServerProxy implements Closeable {
  private static final int PROTOCOL_3 = 3 << 16;
  private static final int CANCEL = 80877102;
  private static final int SMALL = 4096;
  private static final int INVENTED_PROCESS = 4_000_000;

  private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int serverPort;
  private final Set<Manner> manners;
  private final AtomicInteger starts = new AtomicInteger();
  private volatile boolean held;

  /** What it does other than to pass everything on. */
  enum Manner {
    /** A client gets the number of a process that is not the server's, as from PgBouncer. */
    INVENTS_PROCESSES,
    /** The log cannot be read through it, and it says so, as PgBouncer does before 1.23. */
    REFUSES_REPLICATION,
    /** It does not know the parameter by which the log is asked for, and leaves it out. */
    DROPS_REPLICATION,
    /** It ends a connection on which the log begins to come. */
    CUTS_THE_LOG
  }

  ServerProxy(FeedServer server, Manner... manners) throws IOException {
    this.serverPort = server.port();
    this.manners = Set.of(manners);
    start(this::accept);
  }

  /** Returns the URL of the server with the port of this. */
  String through(String url) {
    return url.replace(":" + serverPort + "/", ":" + listening.getLocalPort() + "/");
  }

  /** Returns how many clients have asked for a session so far. */
  int starts() {
    return starts.get();
  }

  /** Passes nothing on of what the server sends to those that read its log, nor that it ends. */
  void hold(boolean hold) {
    held = hold;
  }

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

  private void serve(Socket client) throws IOException {
    try (client;
        Socket server = new Socket()) {
      client.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(client.getInputStream());
      byte[] startup = startup(in, client);
      List<String> parameters = parameters(startup);
      boolean replication = parameters.contains("replication");
      if (replication && manners.contains(Manner.REFUSES_REPLICATION)) {
        refuse(new DataOutputStream(client.getOutputStream()));
        return;
      }
      server.setReceiveBufferSize(SMALL);
      server.setTcpNoDelay(true);
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
      DataOutputStream out = new DataOutputStream(server.getOutputStream());
      send(startup, parameters, out);
      start(() -> answer(server, client, replication));
      in.transferTo(out);
    }
  }

  /** Reads how a session begins, and answers requests for encryption by no. */
  private byte[] startup(DataInputStream in, Socket client) throws IOException {
    while (true) {
      byte[] body = new byte[in.readInt() - Integer.BYTES];
      in.readFully(body);
      int kind = ByteBuffer.wrap(body).getInt();
      if (kind == PROTOCOL_3 || kind == CANCEL) {
        starts.addAndGet(kind == PROTOCOL_3 ? 1 : 0);
        return body;
      }
      client.getOutputStream().write('N');
    }
  }

  /** Returns names and values in turn; two zeros end them. */
  private static List<String> parameters(byte[] startup) {
    int length = Math.max(startup.length - Integer.BYTES - 2, 0);
    String text = new String(startup, Integer.BYTES, length, StandardCharsets.UTF_8);
    return new ArrayList<>(Arrays.asList(text.split("\0", -1)));
  }

  private void send(byte[] startup, List<String> parameters, DataOutputStream out)
      throws IOException {
    byte[] sent = startup;
    int at = parameters.indexOf("replication");
    if (at >= 0 && manners.contains(Manner.DROPS_REPLICATION)) {
      parameters.subList(at, at + 2).clear();
      byte[] rest = (String.join("\0", parameters) + "\0\0").getBytes(StandardCharsets.UTF_8);
      sent = Arrays.copyOf(startup, Integer.BYTES + rest.length);
      System.arraycopy(rest, 0, sent, Integer.BYTES, rest.length);
    }
    out.writeInt(sent.length + Integer.BYTES);
    out.write(sent);
    out.flush();
  }

  /** As PgBouncer 1.18 answers. */
  private static void refuse(DataOutputStream out) throws IOException {
    byte[] fields =
        "SFATAL\0C08P01\0Munsupported startup parameter: replication\0\0"
            .getBytes(StandardCharsets.UTF_8);
    out.writeByte('E');
    out.writeInt(fields.length + Integer.BYTES);
    out.write(fields);
    out.flush();
  }

  private void answer(Socket server, Socket client, boolean replication) throws IOException {
    try (server;
        client) {
      DataInputStream in = new DataInputStream(server.getInputStream());
      DataOutputStream out = new DataOutputStream(client.getOutputStream());
      int kind = in.read();
      for (; kind >= 0 && kind != 'Z'; kind = in.read()) {
        message(kind, in, out);
      }
      if (kind < 0) {
        return; // The server has refused it.
      }
      out.write(kind);
      byte[] buffer = new byte[SMALL];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        waitWhileHeld(replication);
        out.write(buffer, 0, read);
        if (replication && buffer[0] == 'W' && manners.contains(Manner.CUTS_THE_LOG)) {
          return;
        }
      }
      waitWhileHeld(replication);
    }
  }

  private void message(int kind, DataInputStream in, DataOutputStream out) throws IOException {
    byte[] body = new byte[in.readInt() - Integer.BYTES];
    in.readFully(body);
    if (kind == 'K' && manners.contains(Manner.INVENTS_PROCESSES)) {
      ByteBuffer.wrap(body).putInt(INVENTED_PROCESS);
    }
    byte[] whole =
        ByteBuffer.allocate(1 + Integer.BYTES + body.length)
            .put((byte) kind)
            .putInt(body.length + Integer.BYTES)
            .put(body)
            .array();
    out.write(whole);
  }

  private void waitWhileHeld(boolean replication) {
    while (replication && held && !listening.isClosed()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
