package dev.larder.spring;

import dev.larder.jdbc.LarderCache;
import dev.larder.jdbc.LarderCaches;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.DisposableBean;

/**
 * Marks the observation in which a query is answered from memory with the event {@value #EVENT}; a
 * tracer puts that into the span, which would otherwise show a query that took no time, or none.
 * Thread-safe.
 */
final class HitEvents implements DisposableBean {
  static final String EVENT = "larder.hit";

  private final ObservationRegistry registry;
  private final LarderCaches.Watch watch;

  HitEvents(ObservationRegistry registry) {
    this.registry = registry;
    this.watch = LarderCaches.onHit(this::mark);
  }

  private void mark(LarderCache cache) {
    Observation current = registry.getCurrentObservation();
    if (current != null) {
      current.event(Observation.Event.of(EVENT, EVENT + ' ' + cache.name()));
    }
  }

  @Override
  public void destroy() {
    watch.close();
  }
}
