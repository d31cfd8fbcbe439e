package dev.larder.spring;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** In what a position travels from a response to the next request. */
enum PositionCarrier {
  /** In nothing: nothing is set up. */
  OFF {
    @Override
    @Nullable String read(HttpServletRequest request) {
      return null;
    }

    @Override
    void write(String position, boolean secure, HttpServletResponse response) {}
  },

  /** In a header of the response, which the caller sends with its next requests. */
  HEADER {
    @Override
    @Nullable String read(HttpServletRequest request) {
      return request.getHeader(HEADER_NAME);
    }

    @Override
    void write(String position, boolean secure, HttpServletResponse response) {
      response.setHeader(HEADER_NAME, position);
    }
  },

  /** In a cookie, which browsers send by themselves. */
  COOKIE {
    @Override
    @Nullable String read(HttpServletRequest request) {
      Cookie[] cookies = request.getCookies();
      if (cookies != null) {
        for (Cookie cookie : cookies) {
          if (cookie.getName().equals(COOKIE_NAME)) {
            return cookie.getValue();
          }
        }
      }
      return null;
    }

    @Override
    void write(String position, boolean secure, HttpServletResponse response) {
      Cookie cookie = new Cookie(COOKIE_NAME, position);
      cookie.setPath("/");
      cookie.setMaxAge(SECONDS);
      cookie.setHttpOnly(true);
      cookie.setSecure(secure);
      cookie.setAttribute("SameSite", "Lax");
      response.addCookie(cookie);
    }
  };

  static final String PROPERTY = "larder.feed.position";
  static final String HEADER_NAME = "Larder-Position";
  static final String COOKIE_NAME = "larder-position";

  /** How long a browser keeps it: every process has read that far long before. */
  private static final int SECONDS = 60;

  /**
   * Returns what the request brings, of which nobody knows who has made it up; null for nothing.
   */
  abstract @Nullable String read(HttpServletRequest request);

  /** Lets the next request of the caller bring a position. */
  abstract void write(String position, boolean secure, HttpServletResponse response);

  /**
   * Returns the one that a property says. In YAML {@code off} is another word for {@code false}.
   *
   * @throws InvalidLarderPropertyException if it says none
   */
  static PositionCarrier of(@Nullable String text) {
    String word = text == null ? "off" : text.strip().toLowerCase(Locale.ROOT);
    for (PositionCarrier carrier : values()) {
      if (carrier.word().equals(word.equals("false") ? OFF.word() : word)) {
        return carrier;
      }
    }
    throw new InvalidLarderPropertyException(
        PROPERTY,
        PROPERTY + " is '" + text + "'; it must be " + words() + '.',
        "Correct the value, or remove the property: then no position is carried.");
  }

  private static String words() {
    return Arrays.stream(values()).map(PositionCarrier::word).collect(Collectors.joining(", "));
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
