package dev.larder.jdbc.driver;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.postgresql.core.QueryExecutor;
import org.postgresql.jdbc.PgConnection;

/** The options of the driver's connections that change what is sent or how results come back. */
public final class ProtocolOptions {
  /** Types of the server have smaller numbers than those of users. */
  private static final int FIRST_USER_OID = 16384;

  private ProtocolOptions() {}

  /** Returns those of one connection, as a text that is equal where they are. */
  public static String of(PgConnection driver) {
    return "%s/%s/%s/%s/%s"
        .formatted(
            driver.getPreferQueryMode(),
            driver.getStringVarcharFlag(),
            convertsBooleans(driver),
            binaryTypes(driver.getQueryExecutor()),
            ConnectionInternals.maxResultBuffer(driver));
  }

  private static boolean convertsBooleans(PgConnection driver) {
    try {
      return driver.getConvertBooleanToNumeric();
    } catch (NoSuchMethodError e) {
      return false; // Drivers before 42.7.5 have no such option.
    }
  }

  /** Returns which types are received in binary: those of the driver's, and of classes of users. */
  @SuppressWarnings("deprecation") // Nothing else names types that the driver does not know.
  private static Set<Integer> binaryTypes(QueryExecutor executor) {
    try {
      return new TreeSet<>(executor.getBinaryReceiveOids());
    } catch (NoSuchMethodError e) {
      // Drivers of 42.2 do not list them.
      return IntStream.range(1, FIRST_USER_OID)
          .filter(executor::useBinaryForReceive)
          .boxed()
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
