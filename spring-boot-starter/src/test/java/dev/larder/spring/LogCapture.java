package dev.larder.spring;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;

/** Collects what a logger of the JDK gets while this is open. */
final class LogCapture extends Handler implements AutoCloseable {
  private final Logger logger;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  private LogCapture(Logger logger) {
    this.logger = logger;
  }

  static LogCapture of(String name) {
    LogCapture capture = new LogCapture(Logger.getLogger(name));
    capture.logger.addHandler(capture);
    return capture;
  }

  String text() {
    return lines.stream().collect(Collectors.joining("\n"));
  }

  @Override
  public void publish(LogRecord record) {
    lines.add(new SimpleFormatter().formatMessage(record));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
