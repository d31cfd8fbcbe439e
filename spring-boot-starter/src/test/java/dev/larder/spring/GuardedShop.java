package dev.larder.spring;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** An application with a login, as Spring Security has it unless told otherwise. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class GuardedShop {
  @Bean
  static UserDetailsService users() {
    return new InMemoryUserDetailsManager(
        User.withUsername("anna").password("{noop}secret").roles("ADMIN").build(),
        User.withUsername("carl").password("{noop}secret").roles("CUSTOMER").build());
  }

  @Bean
  @ConditionalOnProperty(name = "shop.open", havingValue = "false", matchIfMissing = true)
  static SecurityFilterChain guarded(
      HttpSecurity http, @Value("${shop.csrf:true}") boolean protectedFromOtherSites)
      throws Exception {
    if (!protectedFromOtherSites) {
      http.csrf(csrf -> csrf.disable());
    }
    return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .formLogin(Customizer.withDefaults())
        .httpBasic(Customizer.withDefaults())
        .build();
  }

  @Bean
  @ConditionalOnProperty(name = "shop.open")
  static SecurityFilterChain open(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll()).build();
  }
}
