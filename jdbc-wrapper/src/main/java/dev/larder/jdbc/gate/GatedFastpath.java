package dev.larder.jdbc.gate;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.fastpath.Fastpath;
import org.postgresql.fastpath.FastpathArg;

/** Function calls by number. */
@SuppressWarnings("deprecation") // The driver deprecates the class, applications still use it.
final class GatedFastpath extends Fastpath {
  private final StatementGate gate;

  /** What a call counts as; null where it may do anything. */
  private final @Nullable String sql;

  /** The driver keeps one for each connection, which knows the functions that were added. */
  private final Fastpath own;

  private GatedFastpath(BaseConnection driver, StatementGate gate, @Nullable String sql)
      throws SQLException {
    super(driver);
    this.gate = gate;
    this.sql = sql;
    this.own = driver.getFastpathAPI();
  }

  /** Returns the application's own: what it calls may do anything. */
  static Fastpath ofAnything(BaseConnection driver, StatementGate gate) throws SQLException {
    return new GatedFastpath(driver, gate, null);
  }

  /** Returns that of large objects, which are in no table that is cached: it does nothing else. */
  static Fastpath ofLargeObjects(BaseConnection driver, StatementGate gate) throws SQLException {
    return new GatedFastpath(driver, gate, "");
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
    return gate.pass(sql, () -> super.fastpath(function, arguments));
  }
}
