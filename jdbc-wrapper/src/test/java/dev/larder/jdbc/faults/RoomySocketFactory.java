package dev.larder.jdbc.faults;

import dev.larder.jdbc.DriverSocketFactory;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * Makes sockets whose stack overflows, if at all, before the JDK reads or writes: an overflow in
 * the JDK's own socket may leave its lock held, and then the driver hangs as it closes, with Larder
 * or without (seen with JDK 25).
 */
public final class RoomySocketFactory extends DriverSocketFactory {
  /** The parameter of a URL that makes the driver use it. */
  static final String PARAMETER = "socketFactory=" + RoomySocketFactory.class.getName();

  /** Some ten times the calls that the JDK makes, in frames that are as small as they get. */
  private static final int FRAMES = 500;

  @Override
  public Socket createSocket() {
    return new RoomySocket();
  }

  private static int takeRoom(int frames) {
    return frames == 0 ? 0 : 1 + takeRoom(frames - 1);
  }

  private static final class RoomySocket extends Socket {
    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
          takeRoom(FRAMES);
          return in.read(buffer, offset, length);
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
          takeRoom(FRAMES);
          out.write(buffer, offset, length);
        }
      };
    }
  }
}
