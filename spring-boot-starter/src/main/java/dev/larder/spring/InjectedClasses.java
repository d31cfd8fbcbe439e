package dev.larder.spring;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Finds beans of the application that ask for a class. What has a field, or a constructor or method
 * with a parameter of it, counts as asking: that is more than those that do.
 */
final class InjectedClasses {
  private InjectedClasses() {}

  /** Returns the name of a bean that asks for {@code asked}, or null. */
  static @Nullable String findOf(Class<?> asked, ConfigurableListableBeanFactory beans) {
    String name = asked.getName();
    for (String bean : beans.getBeanDefinitionNames()) {
      Class<?> type = beans.getType(bean, false);
      if (type != null && isOfTheApplication(type) && asks(ClassUtils.getUserClass(type), name)) {
        return bean;
      }
    }
    return null;
  }

  private static boolean isOfTheApplication(Class<?> type) {
    return !type.getName().startsWith("org.springframework.")
        && !type.getName().startsWith("com.zaxxer.hikari.");
  }

  private static boolean asks(Class<?> type, String asked) {
    try {
      return Stream.of(
              Arrays.stream(type.getDeclaredFields()).map(Field::getGenericType),
              parameters(type.getDeclaredConstructors()),
              parameters(type.getDeclaredMethods()))
          .flatMap(types -> types)
          .anyMatch(each -> each.getTypeName().contains(asked));
    } catch (LinkageError e) {
      return false; // Nor could Spring inject anything there.
    }
  }

  private static Stream<Type> parameters(Executable[] of) {
    return Arrays.stream(of).flatMap(each -> Arrays.stream(each.getGenericParameterTypes()));
  }
}
