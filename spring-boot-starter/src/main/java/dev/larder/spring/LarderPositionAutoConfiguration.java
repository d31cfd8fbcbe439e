package dev.larder.spring;

import dev.larder.jdbc.LarderDriver;
import jakarta.servlet.Filter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.filter.OncePerRequestFilter;

/** What one wrote in another process is seen in this one, where that is wanted. */
@AutoConfiguration(after = LarderAutoConfiguration.class)
@ConditionalOnClass({LarderDriver.class, Filter.class, OncePerRequestFilter.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Conditional(LarderPositionAutoConfiguration.IsCarried.class)
public class LarderPositionAutoConfiguration {
  @Bean
  static PositionFilter larderPositionFilter(Environment environment) {
    return new PositionFilter(
        PositionCarrier.of(environment.getProperty(PositionCarrier.PROPERTY)));
  }

  /** Whether the property says anything else than off. */
  static final class IsCarried implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      String text = context.getEnvironment().getProperty("larder.feed.position");
      return text != null && !text.equalsIgnoreCase("off") && !text.equalsIgnoreCase("false");
    }
  }
}
