package com.example;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;

/** A PostgreSQL server: writes the port to a file, and stops when its input ends. */
public final class Server {
  private Server() {}

  /** Runs the server. */
  public static void main(String[] arguments) throws Exception {
    try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
      Files.writeString(Path.of(arguments[0]), String.valueOf(server.getPort()));
      while (System.in.read() >= 0) {
        // Until the end of the input.
      }
    }
  }
}
