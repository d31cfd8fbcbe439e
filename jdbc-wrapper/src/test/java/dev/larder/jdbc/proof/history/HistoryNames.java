package dev.larder.jdbc.proof.history;

/** What the numbers of a history are called in messages. */
public interface HistoryNames {
  /** Returns the text of a query. */
  String query(int number);

  /** Returns what a kind of transaction does. */
  String kind(int number);
}
