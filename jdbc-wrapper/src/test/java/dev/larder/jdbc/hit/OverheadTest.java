package dev.larder.jdbc.hit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.AllocationCounter;
import dev.larder.jdbc.CountingSocketFactory;
import dev.larder.jdbc.LarderProbe;
import dev.larder.jdbc.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What Larder adds to the driver, counted in what does not depend on the machine: round trips and
 * bytes allocated. What that takes in time is for the benchmarks to say.
 */
@Tag("gate")
final class OverheadTest {
  private static final String READ = "SELECT id, branch, balance FROM account WHERE id = ?";
  private static final String NEVER_READ_BEFORE =
      "SELECT id, branch, balance FROM account WHERE id = ? AND balance < ?";
  private static final String CLOCK = "SELECT id, clock_timestamp() FROM account WHERE id = ?";
  private static final String WRITE = "UPDATE account SET balance = ? WHERE id = ?";
  private static final String OTHER_WRITE = "UPDATE ledger SET amount = ? WHERE id = ?";
  private static final int KEYS = 1_000;
  private static final int WARM_UP = 6_000;
  private static final int MEASURED = 2_000;

  /** The least of so many parts counts: code that is compiled late allocates more before. */
  private static final int PARTS = 3;

  @AutoClose private static TestDatabase database;

  private final AllocationCounter threads = new AllocationCounter();
  private int key;

  private interface Operation {
    void run(Connection connection, int key) throws SQLException;
  }

  /** What one operation took. */
  private record Cost(double roundTrips, double bytes) {}

  @BeforeAll
  static void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE account (id int PRIMARY KEY, branch int, balance int)",
        "CREATE TABLE ledger (id int PRIMARY KEY, amount int)",
        "INSERT INTO account SELECT i, i % 10, i * 7 FROM generate_series(1, " + KEYS + ") i",
        "INSERT INTO ledger SELECT i, 0 FROM generate_series(1, " + KEYS + ") i");
  }

  private Cost direct(Operation operation) throws SQLException {
    String url = database.url() + "&" + CountingSocketFactory.PARAMETER;
    try (Connection connection = DriverManager.getConnection(url)) {
      return cost(connection, operation);
    }
  }

  private Cost larder(Operation operation, String counted, String... parameters)
      throws SQLException {
    String[] all = new String[parameters.length + 2];
    all[0] = CountingSocketFactory.PARAMETER;
    all[1] = "larder.admission=all";
    System.arraycopy(parameters, 0, all, 2, parameters.length);
    try (Connection connection = LarderProbe.connect(database, all)) {
      long before = LarderProbe.count(connection, counted);
      Cost cost = cost(connection, operation);
      assertThat(LarderProbe.count(connection, counted) - before)
          .as(counted)
          .isGreaterThanOrEqualTo(MEASURED);
      return cost;
    }
  }

  private Cost cost(Connection connection, Operation operation) throws SQLException {
    AtomicLong requests = CountingSocketFactory.requestsOf(connection);
    repeat(connection, operation, WARM_UP);
    double sent = 0;
    double bytes = Double.MAX_VALUE;
    for (int part = 0; part < PARTS; part++) {
      long requestsBefore = requests.get();
      long bytesBefore = threads.bytes();
      repeat(connection, operation, MEASURED);
      bytes = Math.min(bytes, threads.bytes() - bytesBefore);
      sent += requests.get() - requestsBefore;
    }
    return new Cost(sent / MEASURED / PARTS, bytes / MEASURED);
  }

  private void repeat(Connection connection, Operation operation, int times) throws SQLException {
    for (int i = 0; i < times; i++) {
      operation.run(connection, ++key);
    }
  }

  private static void read(Connection connection, String sql, int... binds) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < binds.length; i++) {
        statement.setInt(i + 1, binds[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new AssertionError("no row");
        }
        row.getInt("id");
      }
    }
  }

  private static void write(Connection connection, String sql, int key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, key);
      statement.setInt(2, key % KEYS + 1);
      statement.executeUpdate();
    }
  }

  private static void readNew(Connection connection, int key) throws SQLException {
    read(connection, NEVER_READ_BEFORE, key % KEYS + 1, 1_000_000_000 + key);
  }

  private static void transaction(Connection connection, int key) throws SQLException {
    connection.setAutoCommit(false);
    write(connection, WRITE, key);
    read(connection, READ, key % KEYS + 1);
    write(connection, OTHER_WRITE, key);
    connection.commit();
    connection.setAutoCommit(true);
  }

  private static void assertWithin(Cost larder, Cost direct, double times) {
    assertThat(larder.roundTrips).isEqualTo(direct.roundTrips).isPositive();
    assertThat(larder.bytes).isLessThan(times * direct.bytes);
  }

  @Test
  void aHitSendsNothingAndAllocatesHalfOfWhatTheDriverDoes() throws SQLException {
    Operation operation = (connection, key) -> read(connection, READ, key % 20 + 1);
    Cost hit = larder(operation, "hits");

    assertThat(hit.roundTrips).isZero();
    assertThat(hit.bytes * 2).isLessThan(direct(operation).bytes);
  }

  @Test
  void aMissSendsWhatTheDriverDoesAndAllocatesAtMostFourTimesAsMuch() throws SQLException {
    Operation operation = OverheadTest::readNew;
    assertWithin(larder(operation, "misses"), direct(operation), 4);
  }

  @Test
  void aBypassSendsWhatTheDriverDoesAndAllocatesAtMostTwiceAsMuch() throws SQLException {
    Operation operation = (connection, key) -> read(connection, CLOCK, key % KEYS + 1);
    assertWithin(larder(operation, "bypasses"), direct(operation), 2);
  }

  @Test
  void whatIsSwitchedOffSendsWhatTheDriverDoesAndAllocatesAtMostTwiceAsMuch() throws SQLException {
    Operation operation = OverheadTest::readNew;
    assertWithin(larder(operation, "bypasses", "larder.enabled=false"), direct(operation), 2);
  }

  @Test
  void aWriteAndTheMissBehindItSendWhatTheDriverDoes() throws SQLException {
    Operation operation =
        (connection, key) -> {
          write(connection, WRITE, key);
          read(connection, READ, key % KEYS + 1);
        };
    assertWithin(larder(operation, "misses"), direct(operation), 3.2);
  }

  @Test
  void aTransactionSendsWhatTheDriverDoesAndAllocatesAtMostThreeTimesAsMuch() throws SQLException {
    Operation operation = OverheadTest::transaction;
    assertWithin(larder(operation, "bypasses"), direct(operation), 3);
  }
}
