package dev.larder.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Larder's version, from a resource that the build fills in.
 *
 * @param text the whole version; {@code unknown} where no build has filled it in
 */
record Version(int major, int minor, String text) {
  private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+).*");

  /** The version of this jar. */
  static final Version CURRENT = read();

  private static Version read() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return parse(properties.getProperty("version", ""));
  }

  static Version parse(String text) {
    Matcher matcher = NUMBERS.matcher(text);
    return matcher.matches()
        ? new Version(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), text)
        : new Version(0, 0, "unknown");
  }
}
