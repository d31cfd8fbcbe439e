package dev.larder.jdbc.gate;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.fastpath.Fastpath;
import org.postgresql.fastpath.FastpathArg;

/** A function call by number: it may do anything. */
@SuppressWarnings("deprecation") // The driver deprecates the class, applications still use it.
final class GatedFastpath extends Fastpath {
  private final StatementGate gate;

  GatedFastpath(BaseConnection driver, StatementGate gate) {
    super(driver);
    this.gate = gate;
  }

  // Every other call of the driver's ends in this one.
  @Override
  public byte @Nullable [] fastpath(int function, FastpathArg[] arguments) throws SQLException {
    return gate.pass(null, () -> super.fastpath(function, arguments));
  }
}
