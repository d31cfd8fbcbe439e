package dev.larder.spring;

import dev.larder.CacheOptions;
import dev.larder.QueryCacheConfig.LazyConnections;
import dev.larder.jdbc.LazyDataSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.aop.SpringProxy;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Puts a {@link LazyDataSource} in the place of each bean that is a pool and has {@code
 * larder.lazy-connections}, unless a bean asks for the pool by its class. Thread-safe.
 */
final class LazyPostProcessor implements DestructionAwareBeanPostProcessor, Ordered {
  private static final Logger LOGGER = System.getLogger("dev.larder");

  /** Pools; the first is the one of which more can be proven. */
  private static final List<String> POOLS =
      List.of(
          "com.zaxxer.hikari.HikariDataSource",
          "org.apache.tomcat.jdbc.pool.DataSource",
          "org.apache.commons.dbcp2.BasicDataSource");

  private final ConfigurableListableBeanFactory beans;
  private final ObjectProvider<LarderSettings> settings;

  /** By the pool, whose end is that of the data source above it. Guarded by itself. */
  private final IdentityHashMap<Object, LazyDataSource> above = new IdentityHashMap<>();

  LazyPostProcessor(
      ConfigurableListableBeanFactory beans, ObjectProvider<LarderSettings> settings) {
    this.beans = beans;
    this.settings = settings;
  }

  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (!(bean instanceof DataSource pool) || !isWanted(beanName, pool)) {
      return bean;
    }
    String asking = InjectedClasses.findOf(pool.getClass(), beans);
    if (asking != null) {
      InstallationTrouble.CLASS_ASKED.count();
      LOGGER.log(
          Level.WARNING,
          "LRD-024 hits of {0} need a connection of the pool, because the bean {1} asks for its class"
              + " {2}. Cure: let it ask for a DataSource, and unwrap that.",
          beanName,
          asking,
          pool.getClass().getName());
      return bean;
    }
    LazyDataSource lazy = new LazyDataSource(pool);
    synchronized (above) {
      above.put(pool, lazy);
    }
    return lazy;
  }

  private boolean isWanted(String beanName, DataSource pool) {
    if (pool instanceof SpringProxy
        || POOLS.stream().noneMatch(name -> UrlAccess.isA(pool, name))
        || !beans.containsBeanDefinition(beanName)
        || !beans.isSingleton(beanName)) {
      return false;
    }
    String text = settings.getObject().options(beanName).get(CacheOptions.LAZY_CONNECTIONS.key());
    LazyConnections wanted =
        text == null ? LazyConnections.OFF : CacheOptions.LAZY_CONNECTIONS.read(text);
    return wanted == LazyConnections.ON
        || (wanted == LazyConnections.AUTO && pool.getClass().getName().equals(POOLS.get(0)));
  }

  @Override
  public boolean requiresDestruction(Object bean) {
    synchronized (above) {
      return above.containsKey(bean);
    }
  }

  @Override
  public void postProcessBeforeDestruction(Object bean, String beanName) {
    LazyDataSource lazy;
    synchronized (above) {
      lazy = above.remove(bean);
    }
    if (lazy != null) {
      try {
        lazy.close();
      } catch (SQLException e) {
        LOGGER.log(Level.DEBUG, "the pool has thrown as it was closed", e);
      }
    }
  }
}
