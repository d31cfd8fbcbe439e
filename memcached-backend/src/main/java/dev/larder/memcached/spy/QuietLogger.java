package dev.larder.memcached.spy;

import java.util.logging.Logger;
import net.spy.memcached.compat.log.AbstractLogger;
import net.spy.memcached.compat.log.Level;
import org.jspecify.annotations.Nullable;

/**
 * Has spymemcached log to {@code java.util.logging}. Its own {@code SunLogger} works out who is
 * logging, from a stack trace, before it finds that nobody wants to know; that is several times a
 * request. Public because spymemcached makes it. Thread-safe.
 */
public final class QuietLogger extends AbstractLogger {
  private final Logger logger;

  /** Creates a logger called {@code name}. */
  public QuietLogger(String name) {
    super(name);
    logger = Logger.getLogger(name);
  }

  @Override
  public boolean isTraceEnabled() {
    return logger.isLoggable(java.util.logging.Level.FINEST);
  }

  @Override
  public boolean isDebugEnabled() {
    return logger.isLoggable(java.util.logging.Level.FINE);
  }

  @Override
  public boolean isInfoEnabled() {
    return logger.isLoggable(java.util.logging.Level.INFO);
  }

  @Override
  public void log(Level level, Object message, @Nullable Throwable e) {
    java.util.logging.Level asked =
        switch (level) {
          case TRACE -> java.util.logging.Level.FINEST;
          case DEBUG -> java.util.logging.Level.FINE;
          case INFO -> java.util.logging.Level.INFO;
          case WARN -> java.util.logging.Level.WARNING;
          case ERROR, FATAL -> java.util.logging.Level.SEVERE;
        };
    if (logger.isLoggable(asked)) {
      logger.logp(asked, logger.getName(), null, String.valueOf(message), e);
    }
  }
}
