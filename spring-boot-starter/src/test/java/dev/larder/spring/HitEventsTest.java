package dev.larder.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A hit shows in the observation, and so in the span, in which it happens. */
@Tag("each-boot")
class HitEventsTest {
  private final List<String> events = new ArrayList<>();
  private final ObservationRegistry registry = ObservationRegistry.create();

  private static String read(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void hitIsAnEventAndAMissIsNone() throws Exception {
    registry
        .observationConfig()
        .observationHandler(
            new ObservationHandler<Observation.Context>() {
              @Override
              public void onEvent(Observation.Event event, Observation.Context context) {
                events.add(context.getName() + ": " + event.getContextualName());
              }

              @Override
              public boolean supportsContext(Observation.Context context) {
                return true;
              }
            });
    String sql = "SELECT title FROM book WHERE id = 2";
    ShopDatabase database = ShopDatabase.withBooks();
    String url = database.larderUrl() + "&larder.writers=this-jvm&larder.name=traced";
    HitEvents hits = new HitEvents(registry);
    try (Connection connection = DriverManager.getConnection(url)) {
      DataSource source = new SingleConnectionDataSource(connection, true);
      ShopDatabase.untilHit(source, () -> read(connection, sql));
      assertThat(events).as("outside of any observation").isEmpty();
      Observation request = Observation.createNotStarted("request", registry);
      request.observeChecked(() -> read(connection, sql));
      assertThat(events).containsExactly("request: larder.hit traced");
      request.observeChecked(() -> read(connection, "SELECT title FROM book WHERE id = 3"));
      assertThat(events).hasSize(1);
      hits.destroy();
      request.observeChecked(() -> read(connection, sql));
      assertThat(events).hasSize(1);
    } finally {
      hits.destroy();
    }
  }
}
