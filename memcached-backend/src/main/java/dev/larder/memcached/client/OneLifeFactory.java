package dev.larder.memcached.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import net.spy.memcached.BinaryConnectionFactory;
import net.spy.memcached.DefaultConnectionFactory;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedConnection;
import org.jspecify.annotations.Nullable;

/**
 * Spymemcached as it is needed here: the binary protocol, whose errors do not end the connection;
 * no redistribution to other servers; a short queue; nothing sent that has waited for longer than
 * the timeout.
 */
final class OneLifeFactory extends BinaryConnectionFactory {
  private final Duration timeout;
  private @Nullable OneLifeConnection connection;

  /**
   * Creates a factory for one client.
   *
   * @param queue how many requests may wait to be sent
   */
  OneLifeFactory(Duration timeout, int queue) {
    super(queue, DefaultConnectionFactory.DEFAULT_READ_BUFFER_SIZE);
    this.timeout = timeout;
  }

  @Override
  public MemcachedConnection createConnection(List<InetSocketAddress> addresses)
      throws IOException {
    OneLifeConnection made = new OneLifeConnection(this, addresses, getOperationFactory());
    connection = made;
    return made;
  }

  /** Returns the connection of the client that this factory was given to. */
  @Nullable OneLifeConnection connection() {
    return connection;
  }

  @Override
  public FailureMode getFailureMode() {
    return FailureMode.Cancel;
  }

  @Override
  public boolean isDaemon() {
    return true;
  }

  /** Appends must not be overtaken by the reads that follow them. */
  @Override
  public boolean shouldOptimize() {
    return false;
  }

  @Override
  public long getOperationTimeout() {
    return timeout.toMillis();
  }

  @Override
  public long getOpQueueMaxBlockTime() {
    return 0;
  }
}
