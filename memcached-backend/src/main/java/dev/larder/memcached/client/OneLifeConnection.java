package dev.larder.memcached.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import net.spy.memcached.ConnectionFactory;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedConnection;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.OperationFactory;
import net.spy.memcached.ops.Operation;

/**
 * A connection that ends when its socket does. Spymemcached's own connects again and goes on with
 * what it had queued, which would break two things: a compare-and-swap could reach a server that
 * was started in between, where its number stands for another value; and a request that was half
 * written is sent again without anybody waiting for its answer, so that the next one takes it for
 * its own.
 */
final class OneLifeConnection extends MemcachedConnection {
  /** Without an initializer: the constructor of the superclass may have set it. */
  private volatile boolean lost;

  OneLifeConnection(
      ConnectionFactory factory, List<InetSocketAddress> address, OperationFactory operations)
      throws IOException {
    super(
        factory.getReadBufSize(),
        factory,
        address,
        factory.getInitialObservers(),
        FailureMode.Cancel,
        operations);
  }

  /** Returns whether the connection has ended: it will never send anything any more. */
  boolean isLost() {
    return lost;
  }

  /** The socket has ended, or could not be opened. */
  @Override
  protected void queueReconnect(MemcachedNode node) {
    lost = true;
    node.reconnecting();
    if (node.getSk() != null) {
      node.getSk().cancel();
    }
    close(node.getChannel());
    while (node.hasReadOp()) {
      cancel(node.removeCurrentReadOp());
    }
    while (node.hasWriteOp()) {
      cancel(node.removeCurrentWriteOp());
    }
    node.destroyInputQueue().forEach(OneLifeConnection::cancel);
    node.setupResend();
  }

  /** What was half written waits in two queues. */
  private static void cancel(Operation operation) {
    if (!operation.isCancelled()) {
      operation.cancel();
    }
  }

  private void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      getLogger().debug("Closing a lost connection", e);
    }
  }
}
