package dev.larder.jdbc.delegate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.jdbc.bind.ValueParameters;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs on the JDK under test: a JDK whose {@code java.sql} has a method more makes it fail. Release
 * 17 cannot name such a method; up to JDK 25 there is none.
 */
@Tag("each-jdk")
class DelegatesTest {
  static Stream<Arguments> delegates() {
    return Stream.of(
        Arguments.of(Connection.class, DelegatingConnection.class),
        Arguments.of(Statement.class, DelegatingStatement.class),
        Arguments.of(PreparedStatement.class, DelegatingPreparedStatement.class),
        Arguments.of(CallableStatement.class, DelegatingCallableStatement.class),
        Arguments.of(ResultSet.class, DelegatingResultSet.class),
        Arguments.of(DatabaseMetaData.class, DelegatingDatabaseMetaData.class),
        Arguments.of(XAConnection.class, DelegatingXAConnection.class),
        Arguments.of(XAResource.class, DelegatingXAResource.class));
  }

  @ParameterizedTest
  @MethodSource("delegates")
  void everyMethodOfTheInterfaceIsOverridden(Class<?> jdbcInterface, Class<?> delegating)
      throws NoSuchMethodException {
    List<Method> methods = instanceMethods(jdbcInterface);
    assertThat(methods).hasSizeGreaterThan(5);
    for (Method method : methods) {
      Method found = delegating.getMethod(method.getName(), method.getParameterTypes());
      assertThat(found.getDeclaringClass().isInterface()).as("%s is missing", method).isFalse();
      assertThat(Modifier.isAbstract(found.getModifiers())).as("%s is abstract", method).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("delegates")
  void everyCallReachesTheSameMethodWithTheSameArguments(
      Class<?> jdbcInterface, Class<?> delegating) throws ReflectiveOperationException {
    List<Object> calls = new ArrayList<>();
    int[] answers = {100};
    InvocationHandler recorder =
        (proxy, method, arguments) -> {
          Object answer = sample(method.getReturnType(), ++answers[0]);
          calls.add(method.getName());
          calls.add(Arrays.asList(method.getParameterTypes()));
          calls.add(arguments == null ? List.of() : Arrays.asList(arguments));
          calls.add(Objects.toString(answer));
          return answer;
        };
    Object target =
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {jdbcInterface}, recorder);
    Object delegate = DELEGATES.get(jdbcInterface).over(target);
    assertThat(delegating).isAssignableFrom(delegate.getClass());
    for (Method method : instanceMethods(jdbcInterface)) {
      Object[] arguments = new Object[method.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = sample(method.getParameterTypes()[i], i + 1);
      }
      calls.clear();
      Object answer = method.invoke(delegate, arguments);
      assertThat(calls)
          .as("%s", method)
          .containsExactly(
              method.getName(),
              Arrays.asList(method.getParameterTypes()),
              Arrays.asList(arguments),
              Objects.toString(answer));
    }
    calls.clear();
    String text = delegate.toString();
    assertThat(calls).containsExactly("toString", List.of(), List.of(), text);
  }

  @Test
  void everySetterOfAParameterIsOverridden() throws NoSuchMethodException {
    for (Method method : PreparedStatement.class.getDeclaredMethods()) {
      if (method.getName().startsWith("set")) {
        Method found =
            ValueParameters.class.getMethod(method.getName(), method.getParameterTypes());
        assertThat(found.isDefault()).as("%s", method).isTrue();
        assertThat(found.getDeclaringClass())
            .as("%s", method)
            .isNotEqualTo(PreparedStatement.class);
      }
    }
  }

  private interface Maker {
    Object over(Object target);
  }

  private static final Map<Class<?>, Maker> DELEGATES =
      Map.of(
          Connection.class,
          target ->
              new DelegatingConnection() {
                @Override
                protected Connection delegate() {
                  return (Connection) target;
                }
              },
          Statement.class,
          target ->
              new DelegatingStatement() {
                @Override
                protected Statement delegate() {
                  return (Statement) target;
                }
              },
          PreparedStatement.class,
          target ->
              new DelegatingPreparedStatement() {
                @Override
                protected PreparedStatement delegate() {
                  return (PreparedStatement) target;
                }
              },
          CallableStatement.class,
          target ->
              new DelegatingCallableStatement() {
                @Override
                protected CallableStatement delegate() {
                  return (CallableStatement) target;
                }
              },
          ResultSet.class,
          target ->
              new DelegatingResultSet() {
                @Override
                protected ResultSet delegate() {
                  return (ResultSet) target;
                }
              },
          DatabaseMetaData.class,
          target ->
              new DelegatingDatabaseMetaData() {
                @Override
                protected DatabaseMetaData delegate() {
                  return (DatabaseMetaData) target;
                }
              },
          XAConnection.class,
          target ->
              new DelegatingXAConnection() {
                @Override
                protected XAConnection delegate() {
                  return (XAConnection) target;
                }
              },
          XAResource.class,
          target ->
              new DelegatingXAResource() {
                @Override
                protected XAResource delegate() {
                  return (XAResource) target;
                }
              });

  private static List<Method> instanceMethods(Class<?> jdbcInterface) {
    return Arrays.stream(jdbcInterface.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .toList();
  }

  /** A value of the type that differs by seed where the type allows it. */
  private static Object sample(Class<?> type, int seed) {
    if (type == void.class) {
      return null;
    }
    if (type == boolean.class) {
      return seed % 2 == 1;
    }
    if (type == byte.class) {
      return (byte) seed;
    }
    if (type == short.class) {
      return (short) seed;
    }
    if (type == int.class) {
      return seed;
    }
    if (type == long.class) {
      return (long) seed;
    }
    if (type == float.class) {
      return (float) seed;
    }
    if (type == double.class) {
      return (double) seed;
    }
    if (type.isInterface()) {
      return Proxy.newProxyInstance(
          DelegatesTest.class.getClassLoader(),
          new Class<?>[] {type},
          (proxy, method, arguments) ->
              switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> seed;
                default -> "value " + seed;
              });
    }
    if (type == Class.class) {
      return Runnable.class; // Which no delegate is.
    }
    return type == String.class || type == Object.class ? "value " + seed : null;
  }
}
