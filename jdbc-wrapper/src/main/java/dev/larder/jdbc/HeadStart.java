package dev.larder.jdbc;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.sql.SqlAnalysis;
import dev.larder.store.Daemon;

/**
 * Has classes loaded that the first statement needs, above all the parser's, while another thread
 * opens the first connection: both take some tenths of a second in a new JVM. What fails here fails
 * again where it is needed, and is told there.
 */
final class HeadStart {
  /** A query that needs most of the parser. */
  static final String TYPICAL =
      "SELECT a.x, count(*) FROM a JOIN b ON b.x = a.x WHERE a.y = ? GROUP BY a.x ORDER BY 2 LIMIT 9";

  private HeadStart() {}

  /** Begins, on a thread that ends by itself. */
  static void begin() {
    boolean unused = Daemon.start(thread()); // If not, all is loaded when it is needed.
  }

  static Thread thread() {
    return new Thread(HeadStart::run, "larder-start");
  }

  private static void run() {
    try {
      SqlAnalysis unused =
          new SqlAnalyzer().analyze(SqlLexer.lex(TYPICAL, LexOptions.PREPARED).shape());
      CacheBeans.prepare();
    } catch (RuntimeException | LinkageError e) {
      // See above.
    }
  }
}
