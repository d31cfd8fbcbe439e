package dev.larder.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * What a native image must keep: the driver, which is named in text; the members of PostgreSQL's
 * driver by which results are kept and shown; the proxies with which that is tried at start; and
 * the resources.
 */
final class LarderRuntimeHints implements RuntimeHintsRegistrar {
  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    for (String name :
        new String[] {LarderUrl.DRIVER_CLASS, "dev.larder.jdbc.LarderXADataSource"}) {
      hints
          .reflection()
          .registerType(
              TypeReference.of(name),
              MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS,
              MemberCategory.INVOKE_PUBLIC_METHODS);
    }
    for (String name :
        new String[] {"org.postgresql.jdbc.PgResultSet", "org.postgresql.core.Field"}) {
      hints
          .reflection()
          .registerTypeIfPresent(
              classLoader,
              name,
              MemberCategory.DECLARED_FIELDS,
              MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
              MemberCategory.INVOKE_DECLARED_METHODS);
    }
    for (String name : new String[] {"BaseConnection", "BaseStatement"}) {
      hints.proxies().registerJdkProxy(TypeReference.of("org.postgresql.core." + name));
    }
    hints.resources().registerPattern("dev/larder/jdbc/version.properties");
    hints.resources().registerPattern("META-INF/services/java.sql.Driver");
    hints.resources().registerPattern("dev/larder/spring/console/*");
  }
}
