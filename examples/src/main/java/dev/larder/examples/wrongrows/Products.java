package dev.larder.examples.wrongrows;

import java.sql.SQLException;

/** What the application does with products. For one thread. */
interface Products extends AutoCloseable {
  /** How many there are; they are numbered from 1. */
  int COUNT = 30;

  /**
   * What the page of a product shows.
   *
   * @param version how often it was changed
   * @param sales how many were sold
   * @param revenue for how much
   */
  record Page(long version, long sales, long revenue) {}

  /** Returns the page of a product. */
  Page page(int product) throws SQLException;

  /** Changes a product, and returns its new version once that is committed. */
  long change(int product) throws SQLException;

  @Override
  void close() throws SQLException;
}
