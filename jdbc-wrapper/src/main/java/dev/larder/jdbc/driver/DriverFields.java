package dev.larder.jdbc.driver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.postgresql.jdbc.PgConnection;

/** Finds private fields of the driver. Stateless. */
final class DriverFields {
  private DriverFields() {}

  /**
   * Returns a handle of a field.
   *
   * @throws LinkageError if this version of the driver has no such field
   */
  static VarHandle find(String owner, String field, Class<?> type) {
    try {
      Class<?> found = Class.forName(owner, false, PgConnection.class.getClassLoader());
      return MethodHandles.privateLookupIn(found, MethodHandles.lookup())
          .findVarHandle(found, field, type);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("The driver has no field " + field + " in " + owner + ".", e);
    }
  }
}
