package dev.larder.spring;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** What has another package in Spring Boot 4 than in 3. */
final class Boot {
  private Boot() {}

  /** Returns a runner with the starter and Spring Boot's configuration of a data source. */
  static ApplicationContextRunner withDataSource() {
    return withoutDataSource()
        .withConfiguration(
            AutoConfigurations.of(
                either(
                    "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
                    "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")));
  }

  /** Returns a runner with the starter alone. */
  static ApplicationContextRunner withoutDataSource() {
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(LarderAutoConfiguration.class));
  }

  /** Returns the class of the one name or of the other. */
  static Class<?> either(String three, String four) {
    ClassLoader loader = Boot.class.getClassLoader();
    return ClassUtils.resolveClassName(ClassUtils.isPresent(three, loader) ? three : four, loader);
  }
}
