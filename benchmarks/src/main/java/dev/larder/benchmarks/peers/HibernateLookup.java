package dev.larder.benchmarks.peers;

import java.util.Properties;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;

/** A cacheable HQL query by Hibernate with its query cache. Thread-safe. */
final class HibernateLookup implements AutoCloseable {
  private static final String HQL = "select a.balance from Account a where a.id = :id";

  private final SessionFactory sessions;

  /** Opens it over the driver alone. */
  HibernateLookup(String url, int connections) {
    Properties settings = new Properties();
    settings.put(AvailableSettings.JAKARTA_JDBC_URL, url);
    settings.put(AvailableSettings.POOL_SIZE, Integer.toString(connections));
    settings.put(AvailableSettings.USE_QUERY_CACHE, "true");
    settings.put(AvailableSettings.USE_SECOND_LEVEL_CACHE, "false");
    settings.put(AvailableSettings.GENERATE_STATISTICS, "false");
    settings.put(AvailableSettings.CACHE_REGION_FACTORY, CaffeineRegions.class.getName());
    sessions =
        new Configuration()
            .addAnnotatedClass(Account.class)
            .addProperties(settings)
            .buildSessionFactory();
  }

  int balance(int id) {
    return sessions.fromSession(
        session ->
            session
                .createSelectionQuery(HQL, Integer.class)
                .setParameter("id", id)
                .setCacheable(true)
                .getSingleResult());
  }

  @Override
  public void close() {
    sessions.close();
  }
}
