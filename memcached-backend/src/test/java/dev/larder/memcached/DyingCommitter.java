package dev.larder.memcached;

import static dev.larder.memcached.LarderInstance.run;

import dev.larder.jdbc.LarderXADataSource;
import dev.larder.store.FaultPoint;
import java.sql.Connection;
import java.sql.DriverManager;

/**
 * A JVM that prepares a transaction, or commits one that another has prepared, and stops on its way
 * until it is killed; see {@link KilledTwoPhasesTest}.
 */
final class DyingCommitter {
  /** What is said after the first phase, when there is nothing left to do but to die. */
  static final String PREPARED = "prepared";

  private DyingCommitter() {}

  /** Works; the arguments are Larder's URL, in which way, and where to stop, or nothing. */
  public static void main(String[] arguments) throws Exception {
    TwoPhases way = TwoPhases.valueOf(arguments[1]);
    LarderXADataSource source = new LarderXADataSource();
    source.setUrl(arguments[0]);
    // What it shares is open from here on, and memcached reached.
    try (Connection connection = DriverManager.getConnection(arguments[0])) {
      LarderInstance.askUntilHit(connection, TwoInstances.READ);
      run(connection, "UPDATE t SET v = 'c' WHERE id = 2");
      int unused = System.in.read();
      if (arguments.length == 2) {
        way.prepare(source);
        System.out.println(PREPARED);
        int end = System.in.read();
      } else {
        DyingWriter.stopAt(FaultPoint.valueOf(arguments[2]));
        way.commit(source);
        System.out.println("passed");
      }
    }
  }
}
