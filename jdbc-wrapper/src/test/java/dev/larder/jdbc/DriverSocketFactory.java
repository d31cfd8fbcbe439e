package dev.larder.jdbc;

import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** What {@code socketFactory=} names: the driver asks only for sockets that are not connected. */
public abstract class DriverSocketFactory extends SocketFactory {
  @Override
  public abstract Socket createSocket();

  @Override
  public final Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public final Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public final Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public final Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }
}
