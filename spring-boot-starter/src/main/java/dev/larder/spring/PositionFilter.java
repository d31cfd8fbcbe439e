package dev.larder.spring;

import dev.larder.jdbc.LarderPosition;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets who writes in one process see that in another: a response tells up to where its request has
 * written, and a request that brings that again uses no result from before. What other threads do
 * for a request is not covered. Thread-safe.
 */
final class PositionFilter extends OncePerRequestFilter implements Ordered {
  /** Outside of what writes as a response begins, as Spring Session's filter does. */
  private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

  private final PositionCarrier carrier;

  PositionFilter(PositionCarrier carrier) {
    this.carrier = carrier;
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try (LarderPosition position = LarderPosition.begin(carrier.read(request))) {
      PositionResponse telling =
          new PositionResponse(
              response, position, text -> carrier.write(text, request.isSecure(), response));
      try {
        chain.doFilter(request, telling);
      } finally {
        telling.tell();
      }
    }
  }
}
