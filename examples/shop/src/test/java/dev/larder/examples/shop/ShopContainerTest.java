package dev.larder.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.LarderCaches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** The shop on a database from Testcontainers, as docs/testing.md shows it. */
@Tag("docker")
@SpringBootTest(properties = {"shop.own-server=false", "shop.visitors=false"})
@Import(ShopContainerTest.Containers.class)
class ShopContainerTest {
  @TestConfiguration(proxyBeanMethods = false)
  static class Containers {
    @Bean
    @ServiceConnection
    static PostgreSQLContainer postgres() {
      return new PostgreSQLContainer(
          DockerImageName.parse(System.getProperty("postgres.image"))
              .asCompatibleSubstituteFor("postgres"));
    }
  }

  private final Warehouse warehouse;

  @Autowired
  ShopContainerTest(Warehouse warehouse) {
    this.warehouse = warehouse;
  }

  private static long hits() {
    return LarderCaches.all().stream().mapToLong(cache -> (Long) cache.status().get("hits")).sum();
  }

  @Test
  void pageShowsThisTest() throws IOException {
    Path root = Path.of("").toAbsolutePath().getParent().getParent();
    String test = "examples/shop/src/test/java/dev/larder/examples/shop/ShopContainerTest.java";
    String page = Files.readString(root.resolve("docs/testing.md"));
    List<String> lines = Files.readString(root.resolve(test)).lines().map(String::strip).toList();
    String shown = page.substring(page.indexOf("@SpringBootTest"), page.indexOf("```properties"));
    assertThat(shown.replace("```", "").lines().map(String::strip))
        .filteredOn(line -> !line.isEmpty() && !line.contains("postgres:17"))
        .hasSizeGreaterThan(8)
        .allSatisfy(line -> assertThat(lines).anyMatch(of -> of.startsWith(line)));
  }

  @Test
  void productThatWasReadBeforeIsAHit() {
    Product product = warehouse.product(3);
    long deadline = System.nanoTime() + 30_000_000_000L;
    long before = hits();
    while (hits() == before) {
      assertThat(warehouse.product(3)).isEqualTo(product);
      assertThat(System.nanoTime()).as("no hit").isLessThan(deadline);
    }
  }
}
