package dev.larder.spring;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import liquibase.integration.spring.SpringLiquibase;
import org.flywaydb.core.Flyway;
import org.springframework.aop.SpringProxy;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Shows every data source to the {@link Installation} when its properties are bound and it is not
 * yet in use: beans, what routing ones route to, and those that Flyway and Liquibase make for
 * themselves. Of a scoped bean that is its target. Runs after other post-processors, which bind,
 * and before those of them that put proxies around it.
 */
final class InstallingPostProcessor
    implements BeanPostProcessor, SmartInitializingSingleton, Ordered {
  private static final String SCOPED_TARGET = "scopedTarget.";
  private static final String SPRING = "org.springframework.jdbc.datasource.";

  private final ConfigurableListableBeanFactory beans;
  private final ObjectProvider<Installation> installation;
  private final ObjectProvider<LarderSettings> settings;

  InstallingPostProcessor(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<Installation> installation,
      ObjectProvider<LarderSettings> settings) {
    this.beans = beans;
    this.installation = installation;
    this.settings = settings;
  }

  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String beanName) {
    if (bean instanceof DataSource source) {
      DataSource installed = installation.getObject().install(plainName(beanName), source);
      if (mayReplace(beanName, installed)) {
        return installed;
      }
      Installation.leftAlone(plainName(beanName), source);
      return bean;
    }
    if (UrlAccess.isA(bean, "liquibase.integration.spring.SpringLiquibase")) {
      Liquibase.install(beanName, (SpringLiquibase) bean, installation.getObject());
    } else if (UrlAccess.isA(bean, "org.flywaydb.core.Flyway")) {
      Migrations.install(beanName, (Flyway) bean, installation.getObject());
    }
    return bean;
  }

  /** The routes are known by now; and what a factory makes is shown here only. */
  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof DataSource source
        && !(bean instanceof SpringProxy)
        && UrlAccess.of(source).isPresent()) {
      installation.getObject().install(plainName(beanName), source);
    }
    if (bean instanceof DataSource source
        && (UrlAccess.isA(bean, SPRING + "lookup.AbstractRoutingDataSource")
            || UrlAccess.isA(bean, SPRING + "DelegatingDataSource"))) {
      Routes.install(plainName(beanName), source, installation.getObject());
    }
    return bean;
  }

  /** Who declares a class gets that class. */
  private boolean mayReplace(String beanName, DataSource installed) {
    if (!beans.containsBeanDefinition(beanName)) {
      return true;
    }
    Class<?> declared = beans.getMergedBeanDefinition(beanName).getResolvableType().resolve();
    return declared == null || declared.isInstance(installed);
  }

  private static String plainName(String beanName) {
    return beanName.startsWith(SCOPED_TARGET)
        ? beanName.substring(SCOPED_TARGET.length())
        : beanName;
  }

  /** A test of a part of the application may lack data sources that the properties name. */
  @Override
  public void afterSingletonsInstantiated() {
    Environment environment = beans.getBean(Environment.class);
    boolean whole =
        environment.getProperty(
            EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, Boolean.class, true);
    if (!whole) {
      return;
    }
    Set<String> sources = new LinkedHashSet<>();
    for (String name :
        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false)) {
      sources.add(plainName(name));
    }
    List<String> all = List.of(BeanFactoryUtils.beanNamesIncludingAncestors(beans));
    settings.getObject().checkNames(all, sources);
    installation.getObject().warnIfUnused(environment);
  }

  /** Of a routing data source, or of one that others are put in front of. */
  private static final class Routes {
    static void install(String name, DataSource source, Installation installation) {
      if (source instanceof SpringProxy) {
        return;
      }
      if (source instanceof DelegatingDataSource front && front.getTargetDataSource() != null) {
        install(name, front.getTargetDataSource(), installation);
      } else if (source instanceof AbstractRoutingDataSource router) {
        for (DataSource target : targets(name, router, installation)) {
          installation.installInPlace(name, target);
          install(name, target, installation);
        }
      }
    }

    private static List<DataSource> targets(
        String name, AbstractRoutingDataSource router, Installation installation) {
      try {
        List<DataSource> targets = new ArrayList<>(router.getResolvedDataSources().values());
        DataSource otherwise = router.getResolvedDefaultDataSource();
        if (otherwise != null) {
          targets.add(otherwise);
        }
        return targets;
      } catch (IllegalStateException e) {
        // It finds its targets in a way of its own.
        installation.unknownTargets(name, router);
        return List.of();
      }
    }
  }

  private static final class Liquibase {
    static void install(String name, SpringLiquibase liquibase, Installation installation) {
      DataSource source = liquibase.getDataSource();
      if (source != null) {
        liquibase.setDataSource(installation.install(name, source));
      }
    }
  }

  private static final class Migrations {
    static void install(String name, Flyway flyway, Installation installation) {
      DataSource source = flyway.getConfiguration().getDataSource();
      if (source != null) {
        installation.installInPlace(name, source);
      }
    }
  }
}
