package dev.larder.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;

/** The header that Spring Security asks a request for that changes something. Stateless. */
final class CsrfHeaders {
  private static final boolean PRESENT =
      ClassUtils.isPresent(
          "org.springframework.security.web.csrf.CsrfToken", CsrfHeaders.class.getClassLoader());

  private CsrfHeaders() {}

  /** Returns the header, or nothing where Spring Security does not protect the request. */
  static Map<String, String> of(HttpServletRequest request) {
    return PRESENT ? WithSecurity.of(request) : Map.of();
  }

  /** Apart, so that it is loaded only where Spring Security is there. */
  private static final class WithSecurity {
    static Map<String, String> of(HttpServletRequest request) {
      return request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token
          ? Map.of(token.getHeaderName(), token.getToken())
          : Map.of();
    }
  }
}
