package dev.larder.changefeed.pgoutput;

/** A message of the log is not understood, so that nobody knows what was written. */
public final class MalformedMessage extends RuntimeException {
  private static final long serialVersionUID = 1;

  MalformedMessage(String what) {
    super(what);
  }
}
