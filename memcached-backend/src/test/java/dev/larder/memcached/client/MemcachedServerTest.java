package dev.larder.memcached.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.Waiting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemcachedServerTest {
  @Test
  void nothingIsLeftWhereItIsClosedWhileMemcachedHangs() throws Exception {
    try (ServerSocket hanging = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = hanging.getLocalPort();
      MemcachedServer server =
          new MemcachedServer(
              new InetSocketAddress("127.0.0.1", port), Duration.ofSeconds(60), 100);
      server.start();
      try (Socket accepted = hanging.accept()) {
        assertThat(accepted.getInputStream().read()).as("its first question").isNotNegative();
        assertThat(threads(port)).isNotEmpty();
        server.close();
        Waiting.until("no thread any more", () -> threads(port).isEmpty());
      }
    }
  }

  private static List<String> threads(int port) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains("127.0.0.1:" + port))
        .toList();
  }
}
