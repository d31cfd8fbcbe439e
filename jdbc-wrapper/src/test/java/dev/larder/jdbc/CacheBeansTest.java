package dev.larder.jdbc;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.Attribute;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The caches of an application without Spring, as JMX shows them. */
@Tag("gate")
final class CacheBeansTest {
  private static final String OF_BOOK = "SELECT price FROM book WHERE id = 1";
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  @AutoClose private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.create();
    database.execute(
        "CREATE TABLE book (id int PRIMARY KEY, price int)", "INSERT INTO book VALUES (1, 8)");
  }

  private Connection connect(String... more) throws SQLException {
    List<String> parameters =
        new ArrayList<>(List.of("larder.writers=this-jvm", "larder.name=" + database.name()));
    parameters.addAll(List.of(more));
    return database.connectThroughLarder(parameters.toArray(String[]::new));
  }

  private Set<ObjectName> names() throws Exception {
    return server.queryNames(
        new ObjectName("dev.larder:type=Cache,name=" + ObjectName.quote(database.name()) + ",*"),
        null);
  }

  private LarderCacheMXBean bean() throws Exception {
    return JMX.newMXBeanProxy(server, names().iterator().next(), LarderCacheMXBean.class);
  }

  private static int price(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(OF_BOOK)) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void untilHit(Connection connection, LarderCacheMXBean bean) throws SQLException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    for (long before = bean.getHits(); bean.getHits() == before; price(connection)) {
      assertThat(System.nanoTime()).as("no hit").isLessThan(deadline);
    }
  }

  @Test
  void cacheIsRegisteredWhileAConnectionUsesIt() throws Exception {
    assertThat(names()).isEmpty();
    try (Connection first = connect()) {
      assertThat(names()).hasSize(1);
      try (Connection second = connect()) {
        assertThat(first.isClosed() || second.isClosed()).isFalse();
        assertThat(names()).hasSize(1);
      }
      assertThat(names()).hasSize(1);
    }
    assertThat(names()).isEmpty();
    try (Connection again = connect()) {
      assertThat(again.isClosed()).isFalse();
      assertThat(names()).hasSize(1);
    }
  }

  @Test
  void cachesOfOneNameAreToldApart() throws Exception {
    try (Connection one = connect();
        Connection other = connect("larder.maxEntries=7")) {
      assertThat(one.isClosed() || other.isClosed()).isFalse();
      assertThat(names())
          .extracting(name -> name.getKeyProperty("instance"))
          .containsExactlyInAnyOrder(null, "2");
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void countsAreThoseOfTheStatus() throws Exception {
    try (Connection connection = connect("larder.maxBytes=1MB")) {
      LarderCacheMXBean bean = bean();
      assertThat(bean.getHitRatio()).isNaN();
      untilHit(connection, bean);
      assertThat(bean.getName()).isEqualTo(database.name());
      assertThat(bean.getDatabase()).matches("\\d+/\\d+");
      assertThat(bean.getSettings()).containsEntry("larder.writers", "this-jvm");
      assertThat(bean.getEntries()).isEqualTo(1);
      assertThat(bean.getSizeBytes()).isBetween(1L, bean.getMaxBytes());
      assertThat(bean.getMaxBytes()).isEqualTo(1 << 20);
      assertThat(bean.getMisses()).isPositive();
      assertThat(bean.getAdmissions()).isPositive();
      assertThat(bean.getHitRatio()).isBetween(0.0, 1.0);
      try (Statement statement = connection.createStatement()) {
        statement.executeQuery("SELECT now(), price FROM book").close();
      }
      assertThat(bean.getBypassesByReason()).containsEntry("time", 1L);
      assertThat(bean.getBypasses()).isPositive();
    }
  }

  @Test
  void itShowsWhatSqlShows() throws Exception {
    try (Connection connection = connect()) {
      LarderCacheMXBean bean = bean();
      untilHit(connection, bean);
      try (Statement statement = connection.createStatement()) {
        statement.executeQuery("SELECT now(), price FROM book").close();
      }
      assertThat(bean.show("queries").lines().toList())
          .hasSizeGreaterThan(1)
          .first(STRING)
          .startsWith("query\t");
      assertThat(bean.show("bypasses")).contains("TIME");
      assertThat(bean.show("tables")).contains("public.book");
      assertThat(bean.show("cache").lines()).hasSize(2);
      assertThat(List.of("advice", "feed", "quarantine")).allMatch(what -> bean.show(what) != null);
      assertThatThrownBy(() -> bean.show("pg_authid"))
          .hasStackTraceContaining("show takes cache, tables, queries");
    }
  }

  @Test
  void everyAttributeIsItselfOrAColumnOfTheStatus() throws Exception {
    Set<String> others =
        Set.of(
            "Name", "Database", "Settings", "SavedMillis", "QuarantinedTables", "BypassesByReason");
    try (Connection connection = connect()) {
      assertThat(connection.isClosed()).isFalse();
      ObjectName name = names().iterator().next();
      Set<String> columns = LarderCaches.all().get(0).status().keySet();
      for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
        String column = attribute.getName().replaceAll("(?<=.)(?=[A-Z])", "_").toLowerCase(ROOT);
        assertThat(server.getAttribute(name, attribute.getName())).as(column).isNotNull();
        assertThat(columns.contains(column) || others.contains(attribute.getName()))
            .as(column)
            .isTrue();
      }
    }
  }

  @Test
  void operationsClearAndSwitch() throws Exception {
    try (Connection connection = connect()) {
      LarderCacheMXBean bean = bean();
      untilHit(connection, bean);
      database.execute("UPDATE book SET price = 9");
      assertThat(price(connection)).isEqualTo(8);
      assertThat(bean.clearTable("public.book")).isTrue();
      assertThat(bean.clearTable("public.nothing")).isFalse();
      assertThat(price(connection)).isEqualTo(9);
      untilHit(connection, bean);
      server.setAttribute(names().iterator().next(), new Attribute("Enabled", false));
      assertThat(bean.isEnabled()).isFalse();
      long hits = bean.getHits();
      price(connection);
      assertThat(bean.getHits()).isEqualTo(hits);
      bean.setEnabled(true);
      bean.clear();
      assertThat(bean.getEntries()).isZero();
      bean.resetStatistics();
      assertThat(bean.getHits()).isZero();
    }
  }

  @Test
  void beansDoNotKeepCachesThatAreGone() throws Exception {
    Set<ObjectName> before = server.queryNames(new ObjectName("dev.larder:type=Cache,*"), null);
    for (int i = 0; i < 40; i++) {
      database.connectThroughLarder("larder.name=" + database.name() + i).close();
    }
    assertThat(server.queryNames(new ObjectName("dev.larder:type=Cache,*"), null))
        .isSubsetOf(before);
  }

  @Test
  void everyHitIsToldToListenersOnTheThreadThatAsks() throws Exception {
    AtomicInteger hits = new AtomicInteger();
    Thread asking = Thread.currentThread();
    try (Connection connection = connect()) {
      LarderCacheMXBean bean = bean();
      untilHit(connection, bean);
      long before = bean.getHits();
      LarderCaches.Watch watch =
          LarderCaches.onHit(
              cache -> {
                if (cache.name().equals(database.name())) {
                  assertThat(Thread.currentThread()).isSameAs(asking);
                  hits.incrementAndGet();
                }
              });
      price(connection);
      price(connection);
      assertThat(hits).hasValue(2);
      watch.close();
      price(connection);
      assertThat(hits).hasValue(2);
      assertThat(bean.getHits()).isEqualTo(before + 3);
    }
  }

  @Test
  void aListenerThatFailsDoesNotHarmTheQuery() throws Exception {
    try (Connection connection = connect()) {
      LarderCacheMXBean bean = bean();
      untilHit(connection, bean);
      long before = bean.getHits();
      LarderCaches.Watch watch =
          LarderCaches.onHit(
              cache -> {
                throw new IllegalStateException("on purpose");
              });
      try {
        assertThat(price(connection)).isEqualTo(8);
      } finally {
        watch.close();
      }
      assertThat(bean.getHits()).isEqualTo(before + 1);
    }
  }

  @Test
  void everyReasonHasItsCure() {
    assertThat(LarderCaches.reasons())
        .contains(
            new LarderCaches.Reason(
                "hint",
                "a hint in the statement switches the cache off",
                "Remove `/* larder:off */` or `/*NO QUERY CACHE*/` from the text."))
        .hasSizeGreaterThan(30);
  }
}
