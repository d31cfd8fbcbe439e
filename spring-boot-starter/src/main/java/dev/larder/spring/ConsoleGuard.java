package dev.larder.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the console: whoever the application's own security has let in with the role that is
 * asked for; and a request changes something only if it brings the token of its session, which
 * another site cannot know. Thread-safe.
 */
final class ConsoleGuard {
  /** The header with the token. */
  static final String TOKEN_HEADER = "X-Larder-Token";

  private static final String TOKEN = "dev.larder.console.token";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final LarderProperties.Console settings;

  ConsoleGuard(LarderProperties.Console settings) {
    this.settings = settings;
  }

  /** Returns why the request is refused, or null where it is not. */
  @Nullable String refusal(HttpServletRequest request) {
    if (request.getUserPrincipal() == null) {
      return "The console answers nobody whom the application's own security has not let in."
          + " Have it ask for a login at /larder and below.";
    }
    String role = settings.role();
    return role.equals("*") || request.isUserInRole(role)
        ? null
        : "The console asks for the role " + role + " (larder.console.role).";
  }

  /** Returns why the request may not change anything, or null where it may. */
  @Nullable String changeRefusal(HttpServletRequest request) {
    if (!settings.writable()) {
      return "The console only shows. larder.console.writable=true allows it to change something.";
    }
    HttpSession session = request.getSession(false);
    Object expected = session == null ? null : session.getAttribute(TOKEN);
    String brought = request.getHeader(TOKEN_HEADER);
    return expected instanceof String token && brought != null && equal(token, brought)
        ? null
        : "The session has ended, or the request is not the console's own. Load the page again.";
  }

  private static boolean equal(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  boolean mayChange() {
    return settings.writable();
  }

  /** Returns the token of the session, made where it has none. */
  static String token(HttpServletRequest request) {
    HttpSession session = request.getSession();
    if (session.getAttribute(TOKEN) instanceof String known) {
      return known;
    }
    byte[] bytes = new byte[24];
    RANDOM.nextBytes(bytes);
    String made = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    session.setAttribute(TOKEN, made);
    return made;
  }
}
