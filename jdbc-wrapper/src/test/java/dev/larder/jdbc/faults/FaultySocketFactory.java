package dev.larder.jdbc.faults;

import dev.larder.jdbc.DriverSocketFactory;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes the sockets of the driver ({@code socketFactory=}), whose streams throw what a test tells
 * them to: in the middle of the driver's protocol, where it expects no such thing. Thread-safe.
 */
public final class FaultySocketFactory extends DriverSocketFactory {
  /** What is thrown, and when. */
  private record Fault(boolean reading, Supplier thrown) {}

  /** Makes what is thrown. */
  interface Supplier {
    Error get();
  }

  private static final AtomicReference<Fault> FAULT = new AtomicReference<>();

  /** The next time a socket of any connection is read from, {@code thrown} is thrown instead. */
  static void failReading(Supplier thrown) {
    FAULT.set(new Fault(true, thrown));
  }

  /** The next time a socket of any connection is written to, {@code thrown} is thrown instead. */
  static void failWriting(Supplier thrown) {
    FAULT.set(new Fault(false, thrown));
  }

  /** Returns whether what was to be thrown was thrown. */
  static boolean hasFailed() {
    return FAULT.get() == null;
  }

  private static void pass(boolean reading) {
    Fault fault = FAULT.get();
    if (fault != null && fault.reading() == reading && FAULT.compareAndSet(fault, null)) {
      throw fault.thrown().get();
    }
  }

  @Override
  public Socket createSocket() {
    return new FaultySocket();
  }

  private static final class FaultySocket extends Socket {
    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          pass(true);
          return super.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
          pass(true);
          return super.read(buffer, offset, length);
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(int value) throws IOException {
          pass(false);
          out.write(value);
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
          pass(false);
          out.write(buffer, offset, length);
        }
      };
    }
  }
}
