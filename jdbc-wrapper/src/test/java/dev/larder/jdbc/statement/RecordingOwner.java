package dev.larder.jdbc.statement;

import dev.larder.jdbc.gate.StatementGate;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a result set told its owner. */
final class RecordingOwner implements ResultSetOwner {
  final List<String> events = new ArrayList<>();
  private final Statement statement;

  RecordingOwner(Statement statement) {
    this.statement = statement;
  }

  @Override
  public Statement statement() {
    return statement;
  }

  @Override
  public CachingConnection owningConnection() {
    throw new UnsupportedOperationException("this owner has none");
  }

  @Override
  public void closed(CachingResultSet result) {
    events.add("closed");
  }

  @Override
  public StatementGate.Passage beforeRowWrite(CachingResultSet result) {
    events.add("before write");
    return failure -> events.add(failure == null ? "written" : "failed");
  }

  @Override
  public void beforeUnwrap(Class<?> type) {
    events.add("unwrap " + type.getSimpleName());
  }
}
