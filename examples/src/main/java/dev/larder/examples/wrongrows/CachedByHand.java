package dev.larder.examples.wrongrows;

import com.github.benmanes.caffeine.cache.Cache;
import java.sql.SQLException;
import java.util.concurrent.CompletionException;

/**
 * What a team writes that knows what it does: a page that is not there is loaded once, however many
 * ask; a write drops the page when it has been committed, not before; and a time to live bounds
 * what the other processes, which nobody tells, may show.
 */
final class CachedByHand implements Products {
  private final Cache<Integer, Page> pages;
  private final Products database;

  /**
   * Creates what one thread uses.
   *
   * @param pages of the whole process, with a time to live
   * @param database to be closed with this
   */
  CachedByHand(Cache<Integer, Page> pages, Products database) {
    this.pages = pages;
    this.database = database;
  }

  @Override
  public Page page(int product) throws SQLException {
    try {
      return pages.get(product, this::load);
    } catch (CompletionException e) {
      throw e.getCause() instanceof SQLException failed ? failed : new SQLException(e);
    }
  }

  private Page load(int product) {
    try {
      return database.page(product);
    } catch (SQLException e) {
      throw new CompletionException(e);
    }
  }

  @Override
  public long change(int product) throws SQLException {
    long version = database.change(product);
    pages.invalidate(product);
    return version;
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
