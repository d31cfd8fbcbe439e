package dev.larder.examples.shop;

import java.math.BigDecimal;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Somebody who looks around all the time and orders now and then, so that there is life. */
@Component
@ConditionalOnProperty(name = "shop.visitors", matchIfMissing = true)
public class Visitors {
  private final Warehouse warehouse;

  Visitors(Warehouse warehouse) {
    this.warehouse = warehouse;
  }

  /** Looks at a few products, and orders one of two hundred. */
  @Scheduled(fixedDelay = 20)
  public void visit() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; i < 10; i++) {
      warehouse.product(1 + (int) (199 * Math.pow(random.nextDouble(), 3)));
    }
    warehouse.upTo(BigDecimal.valueOf(10 + random.nextInt(10)));
    warehouse.bestSellers();
    if (random.nextInt(200) == 0) {
      warehouse.order(1 + random.nextInt(200), 1);
    }
  }
}
