package dev.larder.jdbc.driver;

import dev.larder.jdbc.LarderDriver;
import dev.larder.jdbc.LarderProbe;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import org.postgresql.Driver;

/**
 * Runs a query through Larder and with the driver alone, in lockstep, with whatever driver its
 * class loader sees: takes a URL, returns what each execution of both has answered, Larder's first,
 * and whether there were hits. Public for reflection.
 */
public final class DriverVersionFormats implements Function<String, List<String>> {
  private static final int EXECUTIONS = 9;
  private static final int WRITE_BEFORE = 7;

  /** For reflection. */
  public DriverVersionFormats() {}

  @Override
  public List<String> apply(String url) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(DriverVersionFormats.class.getClassLoader());
    String larder = url.replace("jdbc:", "jdbc:larder:") + "&larder.writers=this-jvm";
    try (Connection cached = new LarderDriver().connect(larder, new Properties());
        Connection bare = new Driver().connect(url, new Properties())) {
      LarderProbe.awaitCatalog(cached);
      List<String> left = new ArrayList<>();
      List<String> right = new ArrayList<>();
      for (int i = 1; i <= EXECUTIONS; i++) {
        if (i == WRITE_BEFORE) {
          LarderProbe.run(cached, "UPDATE part SET f = f");
        }
        left.add(answer(cached));
        right.add(answer(bare));
      }
      return List.of(
          left.toString(), right.toString(), LarderProbe.hits(cached) > 2 ? "hits" : "no hits");
    } catch (SQLException e) {
      throw new AssertionError(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static String answer(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT f FROM part")) {
      return LarderProbe.rows(statement.executeQuery()).toString();
    }
  }
}
