package dev.larder.benchmarks.cost;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.SplittableRandom;

/** One statement or more, which {@link AdmissionLoads} runs again and again. Thread-safe. */
@FunctionalInterface
interface Load {
  /** Does it once, with a connection and a source of random numbers that no other thread uses. */
  void run(Connection connection, SplittableRandom random) throws SQLException;
}
