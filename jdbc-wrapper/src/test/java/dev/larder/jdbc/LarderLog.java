package dev.larder.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects what Larder logs, at any level, while this is open. Thread-safe. */
public final class LarderLog extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("dev.larder");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  private LarderLog() {}

  /** Begins to collect. */
  public static LarderLog open() {
    LarderLog log = new LarderLog();
    log.logger.addHandler(log);
    log.logger.setLevel(Level.ALL);
    return log;
  }

  /** Returns what was logged so far, with what was thrown. */
  public List<LogRecord> records() {
    return List.copyOf(records);
  }

  /** Returns the messages that were logged so far. */
  public List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  @Override
  public void publish(LogRecord entry) {
    records.add(entry);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(null);
  }
}
