package dev.larder.jdbc;

import dev.larder.CacheOptions;
import dev.larder.Option;
import dev.larder.log.MessageText;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Refuses options of a URL that name a file outside of the folder that the application allows: who
 * writes a URL need not be who may write files. Stateless.
 */
final class UrlPaths {
  /** The system property that names the folder; without it a URL names no file. */
  static final String FOLDER = "larder.warmup.folder";

  private UrlPaths() {}

  /**
   * Checks an option of a URL.
   *
   * @throws SQLException if it names a file that a URL may not name, with SQLState 22023
   */
  static void check(String name, String text) throws SQLException {
    Option<?> option = CacheOptions.of(name).orElse(null);
    if (option == null) {
      return;
    }
    Object value;
    try {
      value = option.read(text);
    } catch (IllegalArgumentException e) {
      return; // Its own rule is checked elsewhere.
    }
    String folder = System.getProperty(FOLDER);
    if (value instanceof Path path && !isBelow(path, folder)) {
      throw new SQLException(
          ("LRD-040 %s is \"%s\" in the URL; from a URL it must be a file below the folder that the"
                  + " system property %s names, which is %s. Set that system property, or give the"
                  + " option as a property of the connection or the data source, or of Spring.")
              .formatted(
                  option.key(),
                  MessageText.of(text),
                  FOLDER,
                  folder == null ? "not set" : '"' + folder + '"'),
          LarderOptions.INVALID_PARAMETER_VALUE);
    }
  }

  /** Returns whether the file is below the folder, also where links lead elsewhere. */
  private static boolean isBelow(Path file, @Nullable String folder) {
    Path parent = file.getParent();
    if (folder == null || folder.isBlank() || parent == null) {
      return false;
    }
    try {
      Path allowed = Path.of(folder).toAbsolutePath().normalize();
      return parent.startsWith(allowed) && parent.toRealPath().startsWith(allowed.toRealPath());
    } catch (IOException | InvalidPathException e) {
      return false; // What is not there can become a link.
    }
  }
}
