package dev.larder.jdbc.gate;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.fastpath.Fastpath;
import org.postgresql.fastpath.FastpathArg;

/** A function call by number: it may do anything. */
@SuppressWarnings("deprecation") // The driver deprecates the class, applications still use it.
final class GatedFastpath extends Fastpath {
  private final StatementGate gate;

  /** The driver keeps one for each connection, which knows the functions that were added. */
  private final Fastpath own;

  GatedFastpath(BaseConnection driver, StatementGate gate) throws SQLException {
    super(driver);
    this.gate = gate;
    this.own = driver.getFastpathAPI();
  }

  @Override
  public void addFunction(String name, int function) {
    own.addFunction(name, function);
  }

  @Override
  public void addFunctions(ResultSet functions) throws SQLException {
    own.addFunctions(functions);
  }

  @Override
  public int getID(String name) throws SQLException {
    return own.getID(name);
  }

  // Every other call of the driver's ends in this one.
  @Override
  public byte @Nullable [] fastpath(int function, FastpathArg[] arguments) throws SQLException {
    return gate.pass(null, () -> super.fastpath(function, arguments));
  }
}
