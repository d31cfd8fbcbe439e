package dev.larder.changefeed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A certificate for 127.0.0.1 that signs itself, and its key, as files that a server and the driver
 * read.
 */
record ServerCertificate(Path certificate, Path key) {
  private static final String PASSWORD = "secret";

  /** Has keytool of the JDK make one, in a folder. */
  static ServerCertificate in(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve("store");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", "server", "-keyalg", "EC"));
    command.addAll(List.of("-dname", "CN=127.0.0.1", "-ext", "san=ip:127.0.0.1"));
    command.addAll(List.of("-validity", "2", "-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", store.toString()));
    Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tool.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Path certificate = folder.resolve("server.crt");
    Path key = folder.resolve("server.key");
    write(certificate, "CERTIFICATE", keys.getCertificate("server").getEncoded());
    write(key, "PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
    return new ServerCertificate(certificate, key);
  }

  private static void write(Path file, String kind, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
