package dev.larder.spring;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.larder.jdbc.LarderDataSource;
import dev.larder.jdbc.LarderDriver;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Where Larder is put with {@code larder.enabled=true}, for each kind of data source. */
class InstallationTest {
  private static final String PLAIN = "jdbc:postgresql://db.invalid/shop";
  private static final String LARDER =
      "jdbc:larder:postgresql://db.invalid/shop?larder.writers=this-jvm";

  private static ApplicationContextRunner application() {
    return Boot.withoutDataSource()
        .withPropertyValues("larder.enabled=true", "larder.writers=this-jvm");
  }

  private static <T extends DataSource> void assertUrl(
      Class<T> type, Supplier<T> source, Function<T, String> url) {
    application()
        .withBean("orders", type, source)
        .run(context -> assertThat(url.apply(context.getBean(type))).isEqualTo(LARDER));
  }

  private static HikariDataSource hikari(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    return pool;
  }

  private static PGSimpleDataSource postgres() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(PLAIN);
    return source;
  }

  @Test
  void hikariGetsTheUrl() {
    assertUrl(HikariDataSource.class, () -> hikari(PLAIN), HikariDataSource::getJdbcUrl);
  }

  @Test
  void tomcatGetsTheUrl() {
    assertUrl(
        org.apache.tomcat.jdbc.pool.DataSource.class,
        () -> {
          var pool = new org.apache.tomcat.jdbc.pool.DataSource();
          pool.setUrl(PLAIN);
          pool.setDriverClassName("org.postgresql.Driver");
          return pool;
        },
        pool -> {
          assertThat(pool.getDriverClassName()).isEqualTo(LarderUrl.DRIVER_CLASS);
          return pool.getUrl();
        });
  }

  @Test
  void dbcpGetsTheUrl() {
    assertUrl(
        BasicDataSource.class,
        () -> {
          BasicDataSource pool = new BasicDataSource();
          pool.setUrl(PLAIN);
          pool.setDriverClassName("org.postgresql.Driver");
          return pool;
        },
        pool -> {
          assertThat(pool.getDriverClassName()).isEqualTo(LarderUrl.DRIVER_CLASS);
          return pool.getUrl();
        });
  }

  @Test
  void springsUnpooledOnesGetTheUrl() {
    assertUrl(
        DriverManagerDataSource.class,
        () -> new DriverManagerDataSource(PLAIN),
        DriverManagerDataSource::getUrl);
    assertUrl(
        SimpleDriverDataSource.class,
        () -> new SimpleDriverDataSource(new org.postgresql.Driver(), PLAIN),
        source -> {
          assertThat(source.getDriver()).isInstanceOf(LarderDriver.class);
          return source.getUrl();
        });
  }

  /** Who writes a URL need not be who may write files, so that a URL names none. */
  @Test
  void fileOfTheWarmStartIsAPropertyOfTheConnection() {
    BasicDataSource dbcp = new BasicDataSource();
    dbcp.setUrl(PLAIN);
    var tomcat = new org.apache.tomcat.jdbc.pool.DataSource();
    tomcat.setUrl(PLAIN);
    for (DataSource source :
        List.of(hikari(PLAIN), dbcp, tomcat, new DriverManagerDataSource(PLAIN))) {
      application()
          .withPropertyValues("larder.warmup.file=/srv/warm")
          .withBean("orders", DataSource.class, () -> source)
          .run(
              context -> {
                UrlAccess access = UrlAccess.of(source).orElseThrow();
                assertThat(access.url()).isEqualTo(LARDER);
                assertThat(source == dbcp ? properties(dbcp) : access.properties())
                    .containsEntry("larder.warmup.file", "/srv/warm");
              });
    }
  }

  private static Properties properties(BasicDataSource pool) throws ReflectiveOperationException {
    Method getter = BasicDataSource.class.getDeclaredMethod("getConnectionProperties");
    getter.setAccessible(true);
    return (Properties) getter.invoke(pool);
  }

  @Test
  void dataSourceBelowAPoolIsWrapped() {
    application()
        .withBean(
            HikariDataSource.class,
            () -> {
              HikariDataSource pool = new HikariDataSource();
              pool.setDataSource(postgres());
              return pool;
            })
        .run(
            context ->
                assertThat(context.getBean(HikariDataSource.class).getDataSource())
                    .isInstanceOf(LarderDataSource.class));
  }

  @Test
  void classOfADataSourceBelowAPoolIsMadeAndWrapped() {
    application()
        .withBean(
            HikariDataSource.class,
            () -> {
              HikariDataSource pool = new HikariDataSource();
              pool.setDataSourceClassName(PGSimpleDataSource.class.getName());
              pool.addDataSourceProperty("databaseName", "shop");
              return pool;
            })
        .run(
            context -> {
              DataSource inner = context.getBean(HikariDataSource.class).getDataSource();
              assertThat(inner).isInstanceOf(LarderDataSource.class);
              assertThat(inner.unwrap(PGSimpleDataSource.class).getDatabaseName())
                  .isEqualTo("shop");
            });
  }

  @Test
  void unpooledDriverSourceIsReplacedUnlessItsClassIsDeclared() {
    application()
        .withBean("orders", DataSource.class, InstallationTest::postgres)
        .run(
            context ->
                assertThat(context.getBean(DataSource.class)).isInstanceOf(LarderDataSource.class));
    long before = troubles(InstallationTrouble.LEFT_ALONE);
    try (LogCapture log = LogCapture.of("dev.larder")) {
      application()
          .withBean("orders", PGSimpleDataSource.class, InstallationTest::postgres)
          .run(
              context -> {
                assertThat(context).hasSingleBean(PGSimpleDataSource.class);
                assertThat(log.text()).contains("LRD-023 Larder cannot be put below", "orders");
                assertThat(troubles(InstallationTrouble.LEFT_ALONE)).isEqualTo(before + 1);
              });
    }
  }

  @Test
  void poolThatAFactoryMakesGetsTheUrl() {
    application()
        .withBean("orders", PoolFactory.class)
        .run(
            context ->
                assertThat(context.getBean(HikariDataSource.class).getJdbcUrl()).isEqualTo(LARDER));
  }

  /** Makes a pool, as a look-up by JNDI does. */
  static final class PoolFactory implements FactoryBean<HikariDataSource> {
    @Override
    public HikariDataSource getObject() {
      return hikari(PLAIN);
    }

    @Override
    public Class<?> getObjectType() {
      return HikariDataSource.class;
    }
  }

  @Test
  void connectionDetailsOfATestContainerGetLarderBelowThePool() {
    Boot.withDataSource()
        .withPropertyValues("larder.enabled=true", "larder.writers=this-jvm")
        .withInitializer(context -> registerDetails((GenericApplicationContext) context, PLAIN))
        .run(
            context ->
                assertThat(context.getBean(HikariDataSource.class).getJdbcUrl()).isEqualTo(LARDER));
  }

  @Test
  void connectionDetailsMayHoldLardersUrl() {
    Boot.withDataSource()
        .withInitializer(context -> registerDetails((GenericApplicationContext) context, LARDER))
        .run(
            context ->
                assertThat(context.getBean(HikariDataSource.class).getJdbcUrl()).isEqualTo(LARDER));
  }

  /** What {@code @ServiceConnection} registers. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static void registerDetails(GenericApplicationContext context, String url) {
    Class<?> details =
        Boot.either(
            "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails",
            "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails");
    Object made =
        Proxy.newProxyInstance(
            details.getClassLoader(),
            new Class<?>[] {details},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getJdbcUrl" -> url;
                  case "getUsername", "getPassword" -> "shop";
                  case "getDriverClassName" -> url.equals(PLAIN) ? "org.postgresql.Driver" : null;
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> details.getName();
                });
    context.registerBean("details", (Class) details, () -> made);
  }

  @Test
  void lazyProxyHasLarderBelowItsPool() {
    HikariDataSource pool = hikari(PLAIN);
    application()
        .withBean(
            "orders",
            LazyConnectionDataSourceProxy.class,
            () -> {
              LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy();
              lazy.setTargetDataSource(pool);
              lazy.setDefaultAutoCommit(true);
              lazy.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
              return lazy;
            })
        .run(context -> assertThat(pool.getJdbcUrl()).isEqualTo(LARDER));
  }

  private static AbstractRoutingDataSource router(Map<Object, Object> targets) {
    AbstractRoutingDataSource router =
        new AbstractRoutingDataSource() {
          @Override
          protected Object determineCurrentLookupKey() {
            return "one";
          }
        };
    router.setTargetDataSources(targets);
    return router;
  }

  @Test
  void everyTargetOfARouterHasLarderBelowItsPool() {
    HikariDataSource one = hikari(PLAIN);
    HikariDataSource other = hikari(PLAIN);
    HikariDataSource otherwise = hikari(PLAIN);
    AbstractRoutingDataSource router = router(Map.of("one", one, "other", other));
    router.setDefaultTargetDataSource(otherwise);
    application()
        .withBean("orders", AbstractRoutingDataSource.class, () -> router)
        .run(
            context -> {
              assertThat(one.getJdbcUrl()).isEqualTo(LARDER);
              assertThat(other.getJdbcUrl()).isEqualTo(LARDER);
              assertThat(otherwise.getJdbcUrl()).isEqualTo(LARDER);
            });
  }

  @Test
  void targetsOfARouterThatIsNoBeanHaveLarderBelowTheirPools() {
    HikariDataSource one = hikari(PLAIN);
    AbstractRoutingDataSource inner = router(Map.of("one", one));
    inner.afterPropertiesSet();
    AbstractRoutingDataSource router = router(Map.of("one", inner));
    router.afterPropertiesSet();
    application()
        .withBean(
            "orders",
            LazyConnectionDataSourceProxy.class,
            () -> {
              LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy();
              lazy.setTargetDataSource(router);
              lazy.setDefaultAutoCommit(true);
              lazy.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
              return lazy;
            })
        .run(context -> assertThat(one.getJdbcUrl()).isEqualTo(LARDER));
  }

  @Test
  void targetOfARouterThatCannotBeReplacedIsNamed() throws Exception {
    try (LogCapture log = LogCapture.of("dev.larder")) {
      application()
          .withBean(
              "orders", AbstractRoutingDataSource.class, () -> router(Map.of("one", postgres())))
          .run(
              context ->
                  assertThat(log.text())
                      .contains("LRD-023 Larder cannot be put below the data source orders of")
                      .contains("PGSimpleDataSource"));
    }
  }

  @Test
  void routerWithTargetsOfItsOwnIsNamed() throws Exception {
    try (LogCapture log = LogCapture.of("dev.larder")) {
      AbstractRoutingDataSource router =
          new AbstractRoutingDataSource() {
            @Override
            public void afterPropertiesSet() {}

            @Override
            protected DataSource determineTargetDataSource() {
              return postgres();
            }

            @Override
            protected Object determineCurrentLookupKey() {
              return "one";
            }
          };
      application()
          .withBean("orders", AbstractRoutingDataSource.class, () -> router)
          .run(
              context -> {
                assertThat(context).hasNotFailed();
                assertThat(log.text()).contains("LRD-023");
              });
    }
  }

  @Test
  void dataSourceOfFlywayThatCannotBeReplacedIsNamed() throws Exception {
    try (LogCapture log = LogCapture.of("dev.larder")) {
      application()
          .withBean(
              "migration", Flyway.class, () -> Flyway.configure().dataSource(postgres()).load())
          .run(
              context ->
                  assertThat(log.text())
                      .contains("LRD-023 Larder cannot be put below the data source migration of"));
    }
  }

  /** A data source that equals others. */
  private static final class EqualSource extends DriverManagerDataSource {
    EqualSource() {
      super(PLAIN);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof EqualSource;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @Test
  void dataSourcesThatAreEqualAllHaveLarderBelow() {
    EqualSource one = new EqualSource();
    EqualSource other = new EqualSource();
    application()
        .withBean("one", EqualSource.class, () -> one)
        .withBean("other", EqualSource.class, () -> other)
        .run(
            context -> {
              assertThat(one.getUrl()).isEqualTo(LARDER);
              assertThat(other.getUrl()).isEqualTo(LARDER);
            });
  }

  @Test
  void scopedPoolHasLarderBelowAndItsProxyIsLeftAlone() {
    application()
        .withPropertyValues("larder.data-sources.overrides.orders.mode=demand")
        .withInitializer(context -> registerScoped((GenericApplicationContext) context))
        .run(
            context -> {
              HikariDataSource proxy = (HikariDataSource) context.getBean("orders");
              assertThat(proxy.getJdbcUrl())
                  .isEqualTo(
                      LARDER.replace("?larder.writers", "?larder.mode=demand&larder.writers"));
            });
  }

  private static void registerScoped(GenericApplicationContext context) {
    context.getBeanFactory().registerScope("thread", new SimpleThreadScope());
    BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context.getBeanFactory();
    var pool =
        BeanDefinitionBuilder.rootBeanDefinition(HikariDataSource.class)
            .addPropertyValue("jdbcUrl", PLAIN)
            .setScope("thread")
            .getBeanDefinition();
    BeanDefinitionHolder proxy =
        ScopedProxyUtils.createScopedProxy(
            new BeanDefinitionHolder(pool, "orders"), registry, true);
    registry.registerBeanDefinition("orders", proxy.getBeanDefinition());
  }

  @Test
  void otherDatabasesAreLeftAlone() {
    application()
        .withBean(HikariDataSource.class, () -> hikari("jdbc:h2:mem:shop"))
        .run(
            context ->
                assertThat(context.getBean(HikariDataSource.class).getJdbcUrl())
                    .isEqualTo("jdbc:h2:mem:shop"));
  }

  private static long troubles(InstallationTrouble trouble) {
    return InstallationTrouble.counts().getOrDefault(trouble.code(), -1L);
  }

  @Test
  void startedPoolIsLeftAloneAndNamed() throws Exception {
    long before = troubles(InstallationTrouble.TOO_LATE);
    try (HikariDataSource pool = hikari(ShopDatabase.empty().url());
        LogCapture log = LogCapture.of("dev.larder")) {
      pool.getConnection().close();
      String url = pool.getJdbcUrl();
      application()
          .withBean("orders", HikariDataSource.class, () -> pool)
          .run(
              context -> {
                assertThat(pool.getJdbcUrl()).isEqualTo(url);
                assertThat(log.text()).contains("LRD-021 the data source orders");
                assertThat(troubles(InstallationTrouble.TOO_LATE)).isEqualTo(before + 1);
              });
    }
  }

  @Test
  void dataSourceThatWritesPastLarderIsNamed() {
    long before = troubles(InstallationTrouble.WRITES_PAST);
    try (LogCapture log = LogCapture.of("dev.larder")) {
      Boot.withoutDataSource()
          .withBean("orders", HikariDataSource.class, () -> hikari(LARDER))
          .withBean("jobs", HikariDataSource.class, () -> hikari(PLAIN))
          .run(
              (AssertableApplicationContext context) -> {
                assertThat(log.text()).contains("LRD-022 the data source jobs");
                assertThat(troubles(InstallationTrouble.WRITES_PAST)).isEqualTo(before + 1);
              });
    }
  }

  /** Returns how often the log says that properties do nothing, and what it says. */
  private static String unused(ApplicationContextRunner runner) {
    long before = troubles(InstallationTrouble.UNUSED);
    try (LogCapture log = LogCapture.of("dev.larder")) {
      runner.run(context -> assertThat(context).hasNotFailed());
      String told =
          log.text().lines().filter(line -> line.contains("LRD-033")).collect(joining("\n"));
      assertThat(troubles(InstallationTrouble.UNUSED)).isEqualTo(before + told.lines().count());
      return told;
    }
  }

  private static ApplicationContextRunner with(Supplier<DataSource> source, String... properties) {
    return Boot.withoutDataSource()
        .withPropertyValues(properties)
        .withBean("orders", DataSource.class, source);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "larder.writers=any",
        "larder.max-bytes=1MB",
        "larder.lazy-connections=on",
        "larder.data-sources.include=orders",
        "larder.data-sources.exclude=*jobs",
        "larder.data-sources.overrides.orders.time-to-live=1m",
        "larder.feed.position=cookie",
        "larder.console.enabled=true",
        "larder.tracing.enabled=true"
      })
  void propertiesThatDoNothingAreNamed(String property) {
    String name = property.split("=", 2)[0].replace(".time-to-live", "");
    assertThat(unused(with(() -> hikari(PLAIN), property)))
        .startsWith("LRD-033 no data source goes through Larder")
        .contains(": " + name + ". Cure: set larder.enabled=true", "data source orders a URL")
        .hasLineCount(1);
    assertThat(unused(with(InstallationTest::postgres, property))).contains(": " + name + ". Cure");
  }

  @Test
  void severalPropertiesThatDoNothingAreNamedInOneLine() {
    String[] properties = {"larder.writers=any", "larder.feed=wal", "larder.feed.max-lag=2s"};
    assertThat(unused(with(() -> hikari(PLAIN), properties)))
        .contains(": larder.feed, larder.feed.max-lag, larder.writers. Cure")
        .hasLineCount(1);
  }

  @Test
  void nothingIsSaidOfPropertiesThatDoSomethingOrMay() {
    String property = "larder.writers=this-jvm";
    assertThat(unused(with(() -> hikari(LARDER), property))).isEmpty();
    assertThat(unused(with(() -> new LarderDataSource(postgres()), property))).isEmpty();
    assertThat(unused(with(() -> hikari(PLAIN), property, "larder.enabled=true"))).isEmpty();
    assertThat(unused(with(() -> hikari(PLAIN), property, "larder.enabled=false"))).isEmpty();
    assertThat(unused(with(() -> hikari(PLAIN)))).isEmpty();
    assertThat(unused(with(() -> hikari("jdbc:h2:mem:shop"), property))).isEmpty();
    assertThat(unused(with(InstallationTest::ofAnUnknownKind, property))).isEmpty();
    ApplicationContextRunner both =
        with(() -> hikari(PLAIN), property)
            .withBean("cached", DataSource.class, () -> hikari(LARDER));
    assertThat(unused(both)).isEmpty();
  }

  private static DataSource ofAnUnknownKind() {
    return (DataSource)
        Proxy.newProxyInstance(
            InstallationTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> null;
                });
  }
}
