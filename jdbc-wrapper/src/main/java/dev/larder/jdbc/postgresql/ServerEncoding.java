package dev.larder.jdbc.postgresql;

import org.jspecify.annotations.Nullable;

/** What the encoding of a database means for the names in its statements. Stateless. */
final class ServerEncoding {
  private ServerEncoding() {}

  /**
   * Returns whether an encoding has characters of one byte only, or may have.
   *
   * @param name as the server reports it when a connection is opened
   */
  static boolean isSingleByte(@Nullable String name) {
    return name == null
        || !(name.equals("UTF8") || name.startsWith("EUC_") || name.equals("MULE_INTERNAL"));
  }
}
