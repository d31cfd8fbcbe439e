package dev.larder.jdbc.faults;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A transaction pooler: a client keeps its connection while the server's process behind it may be
 * exchanged between two transactions. Thread-safe.
 */
final class PoolingProxy implements Closeable {
  private static final int INVENTED_PID = 4_000_000;
  private static final int PROTOCOL_3 = 3 << 16;

  private final ServerSocket listener;
  private final int serverPort;
  private final boolean inventing;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();

  /**
   * Starts a pooler.
   *
   * @param inventing whether it invents the process that it names to its clients; otherwise it
   *     names the first one that serves them
   */
  PoolingProxy(int serverPort, boolean inventing) throws IOException {
    this.serverPort = serverPort;
    this.inventing = inventing;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Gives every client another process of the server; the one before ends. */
  void exchangeServers() throws IOException {
    for (Link link : links) {
      link.exchange();
    }
  }

  /** Cuts every connection, as a pooler does whose machine is lost. */
  void cut() {
    links.forEach(Link::cut);
    links.clear();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      start(() -> serve(client));
    }
  }

  private void serve(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    byte[] startup = startup(in, client);
    if (startup == null) {
      client.close();
      return;
    }
    Link link = new Link(client, startup);
    links.add(link);
    link.forward(in);
  }

  /** Returns the message that begins a session, or null where the client wants something else. */
  private static byte @Nullable [] startup(DataInputStream in, Socket client) throws IOException {
    while (true) {
      byte[] message = new byte[in.readInt()];
      in.readFully(message, 4, message.length - 4);
      int code = new DataInputStream(new java.io.ByteArrayInputStream(message, 4, 4)).readInt();
      if (code == PROTOCOL_3) {
        return message;
      }
      if (message.length > 8) {
        return null;
      }
      client.getOutputStream().write('N');
    }
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // One side is closed: the other will be.
              }
            },
            "pooling-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  /** Something that runs until a socket is closed. */
  private interface Task {
    void run() throws IOException;
  }

  private final class Link {
    private final Socket client;
    private final byte[] startup;
    private volatile Socket server;

    Link(Socket client, byte[] startup) throws IOException {
      this.client = client;
      this.startup = startup;
      this.server = connect(new DataOutputStream(client.getOutputStream()));
    }

    /** Opens a connection to the server, and passes its greeting on where that is wanted. */
    private Socket connect(@Nullable DataOutputStream greeted) throws IOException {
      Socket made = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      DataOutputStream out = new DataOutputStream(made.getOutputStream());
      out.writeInt(startup.length);
      out.write(startup, 4, startup.length - 4);
      out.flush();
      DataInputStream in = new DataInputStream(made.getInputStream());
      int type;
      do {
        type = in.readUnsignedByte();
        byte[] body = new byte[in.readInt() - 4];
        in.readFully(body);
        if (greeted != null) {
          greeted.write(type);
          greeted.writeInt(body.length + 4);
          if (type == 'K' && inventing) {
            greeted.writeInt(INVENTED_PID);
            greeted.write(body, 4, body.length - 4);
          } else {
            greeted.write(body);
          }
        }
      } while (type != 'Z');
      start(() -> answer(made));
      return made;
    }

    void exchange() throws IOException {
      Socket before = server;
      server = connect(null);
      before.close();
    }

    void forward(DataInputStream in) throws IOException {
      byte[] buffer = new byte[8192];
      try {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          server.getOutputStream().write(buffer, 0, read);
        }
      } finally {
        cut();
      }
    }

    private void answer(Socket from) throws IOException {
      byte[] buffer = new byte[8192];
      var in = from.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        client.getOutputStream().write(buffer, 0, read);
      }
    }

    void cut() {
      for (Socket socket : new Socket[] {client, server}) {
        try {
          socket.close();
        } catch (IOException e) {
          // It is as good as closed.
        }
      }
    }
  }
}
