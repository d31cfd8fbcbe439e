package dev.larder.examples.demo;

/** The two drivers that are compared. */
enum Side {
  /** The PostgreSQL driver. */
  DIRECT("jdbc:postgresql:"),
  /** Larder in front of it. */
  LARDER("jdbc:larder:postgresql:");

  private final String prefix;

  Side(String prefix) {
    this.prefix = prefix;
  }

  String prefix() {
    return prefix;
  }

  /** Returns this side's URL of the database that the PostgreSQL driver's {@code url} names. */
  String url(String url) {
    if (this == DIRECT) {
      return url;
    }
    return prefix
        + url.substring(DIRECT.prefix.length())
        + (url.contains("?") ? "&" : "?")
        // The other side writes past Larder, in turns with it: the radar would notice.
        + "larder.writers=this-jvm&larder.radar=off&larder.name=demo";
  }
}
