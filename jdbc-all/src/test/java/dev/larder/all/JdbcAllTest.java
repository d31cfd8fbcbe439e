package dev.larder.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.testing.EmbeddedServers;
import dev.larder.testing.NeedsProgram;
import dev.larder.testing.Program;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is in the jar, and that it works with nothing beside it but the driver. */
@Tag("gate")
final class JdbcAllTest {
  private static final Path JAR = Path.of(System.getProperty("larder.jar"));

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() throws IOException {
    postgres = EmbeddedServers.start(EmbeddedServers.builder());
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
  }

  private static Path origin(Class<?> type) throws Exception {
    URL location = type.getProtectionDomain().getCodeSource().getLocation();
    return Path.of(location.toURI());
  }

  /** Runs {@link HitProgram} in a process of its own and returns what it prints. */
  private static String run(String options) throws Exception {
    String url = "jdbc:larder:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres";
    List<Path> path = List.of(JAR, origin(org.postgresql.Driver.class), origin(HitProgram.class));
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                String.join(File.pathSeparator, path.stream().map(Path::toString).toList()),
                HitProgram.class.getName(),
                url + "?user=postgres&larder.admission=all" + options)
            .redirectErrorStream(true)
            .start();
    String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(program.waitFor()).as(said).isZero();
    return said;
  }

  @Test
  void programWithTheJarAndTheDriverHits() throws Exception {
    assertThat(run("&larder.writers=this-jvm")).endsWith("hits, then Persuasion\n");
  }

  @Test
  @NeedsProgram(Program.MEMCACHED)
  void programWithTheJarAndTheDriverHitsOverMemcached() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Process memcached =
        new ProcessBuilder(
                "memcached",
                "-l",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-U",
                "0",
                "-u",
                System.getProperty("user.name"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      awaitListening(memcached, port);
      assertThat(
              run(
                  "&larder.writers=memcached&larder.backend=memcached"
                      + "&larder.memcached.onUnreachable=failCommit"
                      + "&larder.memcached.servers=127.0.0.1:"
                      + port))
          .endsWith("hits, then Persuasion\n");
    } finally {
      memcached.destroy();
    }
  }

  private static void awaitListening(Process server, int port) {
    while (true) {
      assertThat(server.isAlive()).as("memcached").isTrue();
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(socket.isConnected()).isTrue();
        return;
      } catch (IOException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void nothingInTheJarHasANameThatAToolMayHave() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName))
          .hasSizeGreaterThan(1000)
          .allMatch(name -> name.startsWith("dev/larder/") || name.startsWith("META-INF/"))
          .noneMatch(name -> name.contains("org/postgresql"))
          .noneMatch(name -> name.endsWith("module-info.class"));
    }
  }

  @Test
  void driverAndBackendAreFoundByTheirServices() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(text(jar, "META-INF/services/java.sql.Driver"))
          .isEqualTo("dev.larder.jdbc.LarderDriver");
      assertThat(text(jar, "META-INF/services/dev.larder.remote.RemoteBackend"))
          .isEqualTo("dev.larder.memcached.MemcachedBackend");
    }
  }

  @Test
  void licencesOfWhatIsInsideAreKept() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(text(jar, "META-INF/LICENSE.txt")).startsWith("Apache License");
      assertThat(text(jar, "META-INF/NOTICE.txt"))
          .contains("Caffeine", "JSqlParser", "Spymemcached", "Dustin Sallings");
    }
  }

  private static String text(JarFile jar, String name) throws IOException {
    byte[] bytes = jar.getInputStream(jar.getEntry(name)).readAllBytes();
    return new String(bytes, StandardCharsets.UTF_8).strip();
  }
}
