package dev.larder.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.StringUtils;

/**
 * Names the driver of Larder's URLs where Spring Boot would look it up by the prefix and find none:
 * in every {@code @ConfigurationProperties} with a URL and the class of a driver. These are {@code
 * DataSourceProperties}, those of Flyway and those of Liquibase, which have other packages in
 * Spring Boot 4 than in 3. The PostgreSQL driver, which does not take such a URL, gives way to
 * Larder's; any other class that the application names is kept. Stateless.
 */
final class DriverClassDefaults implements BeanPostProcessor {
  private static final String DRIVER_BELOW = "org.postgresql.Driver";
  private static final String XA_CLASS = "dev.larder.jdbc.LarderXADataSource";

  @Override
  public Object postProcessBeforeInitialization(Object bean, String beanName) {
    if (AnnotatedElementUtils.hasAnnotation(bean.getClass(), ConfigurationProperties.class)) {
      BeanWrapper properties = PropertyAccessorFactory.forBeanPropertyAccess(bean);
      if (isText(properties, "url")
          && LarderUrl.isLarder((String) properties.getPropertyValue("url"))) {
        setDefault(properties, "driverClassName", LarderUrl.DRIVER_CLASS);
        setDefault(properties, "xa.dataSourceClassName", XA_CLASS);
      }
    }
    return bean;
  }

  private static void setDefault(BeanWrapper properties, String name, String value) {
    if (isText(properties, name)
        && properties.isWritableProperty(name)
        && gives((String) properties.getPropertyValue(name))) {
      properties.setPropertyValue(name, value);
    }
  }

  private static boolean gives(@Nullable String className) {
    return !StringUtils.hasText(className) || className.equals(DRIVER_BELOW);
  }

  private static boolean isText(BeanWrapper properties, String name) {
    return properties.isReadableProperty(name)
        && String.class.equals(properties.getPropertyType(name));
  }
}
