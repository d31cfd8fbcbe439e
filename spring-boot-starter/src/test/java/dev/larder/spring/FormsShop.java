package dev.larder.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with pages of its own, whose forms are as Thymeleaf writes them: {@code /plain}
 * without a token, where the template says {@code method="post"} and no more, and {@code /guarded}
 * with that of Spring Security, where it says {@code th:action}.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class FormsShop {
  @Bean
  static UserDetailsService users() {
    return new InMemoryUserDetailsManager(
        User.withUsername("anna").password("{noop}secret").roles("ADMIN").build(),
        User.withUsername("carl").password("{noop}secret").roles("CUSTOMER").build());
  }

  /** Two forms, and what becomes of what they send. */
  @RestController
  static class Pages {
    @GetMapping(path = "/plain", produces = "text/html")
    String plain(HttpServletRequest request, HttpServletResponse response) {
      return form(request, response, "");
    }

    @GetMapping(path = "/guarded", produces = "text/html")
    String guarded(HttpServletRequest request, HttpServletResponse response) {
      CsrfToken token = (CsrfToken) request.getAttribute(CsrfToken.class.getName());
      return form(
          request,
          response,
          "<input type='hidden' name='%s' value='%s'>"
              .formatted(token.getParameterName(), token.getToken()));
    }

    /** The session begins here, so that the target of the form is what a first visit makes it. */
    private static String form(
        HttpServletRequest request, HttpServletResponse response, String hidden) {
      request.getSession().setAttribute("seen", request.getServletPath());
      return "<form method='post' action='%s'><input name='title'>%s<button>Save</button></form>"
          .formatted(response.encodeURL("/saved"), hidden);
    }

    @PostMapping(path = "/saved", produces = "text/html")
    String saved(
        @RequestParam String title, HttpServletRequest request, @Nullable Principal principal) {
      String who = principal == null ? "nobody" : principal.getName();
      return "<p id='saved'>%s by %s after %s</p>"
          .formatted(title, who, request.getSession().getAttribute("seen"));
    }
  }
}
