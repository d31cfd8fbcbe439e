package dev.larder.jdbc.database;

import dev.larder.jdbc.feed.Refusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens further plain connections to the database of a connection, for Larder's own use: with the
 * same URL, properties and credentials, through no cache and no pool. Thread-safe; may be used long
 * after the connection that it came with was closed. Not a record: its text must not show
 * credentials.
 */
public final class ConnectionFactory {
  private final String url;
  private final Opened.Opening<Connection> opening;
  private final Opened.Opening<Connection> unattended;
  private final @Nullable Varied varied;

  /** Opens a connection in another way. */
  @FunctionalInterface
  public interface Varied {
    /**
     * Returns a new connection.
     *
     * @param url another way to the server; null for that of the factory
     * @param parameters of the driver, which win over those of the URL
     */
    Connection open(@Nullable String url, Map<String, String> parameters) throws SQLException;
  }

  /**
   * Creates a factory whose connections cannot be varied.
   *
   * @param url the driver's own, without Larder's prefix and options
   */
  public ConnectionFactory(String url, Opened.Opening<Connection> opening) {
    this(url, opening, null);
  }

  /**
   * Creates a factory.
   *
   * @param url the driver's own, without Larder's prefix and options
   * @param varied null where connections cannot be varied
   */
  public ConnectionFactory(
      String url, Opened.Opening<Connection> opening, @Nullable Varied varied) {
    this(url, opening, opening, varied);
  }

  /**
   * Creates a factory.
   *
   * @param url the driver's own, without Larder's prefix and options
   * @param unattended opens the same connections, but fails where the server stops answering
   * @param varied null where connections cannot be varied
   */
  public ConnectionFactory(
      String url,
      Opened.Opening<Connection> opening,
      Opened.Opening<Connection> unattended,
      @Nullable Varied varied) {
    this.url = url;
    this.opening = opening;
    this.unattended = unattended;
    this.varied = varied;
  }

  /** Opens a connection; the caller closes it. */
  public Connection connect() throws SQLException {
    return opening.open();
  }

  /**
   * Opens a connection on a thread that nobody waits for; the caller closes it. Where the factory
   * can, it gives up when the server stops answering: the thread would be lost.
   */
  public Connection connectUnattended() throws SQLException {
    return unattended.open();
  }

  /**
   * Opens a connection with the same credentials; the caller closes it.
   *
   * @param other another way to the server, which may name another user; null for the same way
   * @param parameters of the driver, which win over those of the URL
   * @throws Refusal if nobody knows how
   */
  public Connection connect(@Nullable String other, Map<String, String> parameters)
      throws SQLException {
    if (varied == null) {
      throw new Refusal(Refusal.Reason.NO_URL);
    }
    return varied.open(other, parameters);
  }

  /** Returns the driver's own URL. */
  public String url() {
    return url;
  }
}
