package dev.larder.memcached.client;

import dev.larder.memcached.spy.QuietLogger;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.spy.memcached.compat.log.LoggerFactory;
import net.spy.memcached.compat.log.SunLogger;

/**
 * Where spymemcached logs: it would print to the standard error stream, a line for each attempt to
 * connect. Unless the application has chosen something with its {@code net.spy.log.LoggerImpl}, it
 * is made to use {@code java.util.logging}, and to say there only what is severe unless the
 * application has chosen a level. Stateless.
 */
final class SpyLog {
  private static final String CHOICE = "net.spy.log.LoggerImpl";

  /** Held, because {@code java.util.logging} forgets the levels of loggers that nobody holds. */
  private static final List<Logger> LOGGERS =
      List.of(
          Logger.getLogger("net.spy.memcached"),
          Logger.getLogger(OneLifeConnection.class.getName()));

  private static final AtomicBoolean CHOSEN = new AtomicBoolean();

  private SpyLog() {}

  /** To be called before the first client is made. */
  static void useLoggingOfTheJdk() {
    if (System.getProperty(CHOICE) == null && !CHOSEN.getAndSet(true)) {
      // It is read once for each class loader of spymemcached. Others' may not find the class.
      System.setProperty(CHOICE, logger());
      try {
        net.spy.memcached.compat.log.Logger unused = LoggerFactory.getLogger(SpyLog.class);
      } finally {
        System.clearProperty(CHOICE);
      }
    }
    for (Logger logger : LOGGERS) {
      if (logger.getLevel() == null) {
        logger.setLevel(Level.SEVERE);
      }
    }
  }

  /** Spymemcached makes its loggers by name, with its own class loader. */
  private static String logger() {
    String name = QuietLogger.class.getName();
    try {
      Class.forName(name, false, LoggerFactory.class.getClassLoader());
      return name;
    } catch (ClassNotFoundException | LinkageError e) {
      return SunLogger.class.getName();
    }
  }
}
