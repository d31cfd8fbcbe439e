package dev.larder.jdbc.background;

import dev.larder.jdbc.format.ResultFormats;
import dev.larder.lexer.WholeText;
import dev.larder.store.KeyBytes;
import dev.larder.store.QueryKey;
import dev.larder.store.SessionFingerprint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query with the values of its parameters, as it can be asked again.
 *
 * @param session stands for user, role, search path and settings of whoever asked: see {@link #of}
 * @param prepared whether it was a prepared statement, and {@code ?} a parameter
 * @param maxRows the limit of rows, 0 for none
 * @param binary whether the driver received binary values
 * @param values as parts of a key, but what {@link ValueCodec} says
 */
record HotQuery(
    ByteBuffer session,
    boolean prepared,
    int maxRows,
    boolean binary,
    String sql,
    List<Object> values) {
  /** A query that takes more than this is not noted. */
  static final int MAX_BYTES = 64 * 1024;

  /** Of a digest, as in the file: enough that no two sessions have the same. */
  private static final int SESSION_BYTES = 16;

  /** Returns what stands for a session: a digest, which says nothing of it. */
  static ByteBuffer of(SessionFingerprint session) {
    return ByteBuffer.wrap(sha256(KeyBytes.of(session)), 0, SESSION_BYTES).slice();
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }

  /** Returns the bytes of the query of {@code key}, or null where it cannot be asked again. */
  static @Nullable ByteBuffer write(QueryKey key, ByteBuffer session) throws IOException {
    String sql = WholeText.of(key.shape(), key.literals());
    long maxRows = key.options() & ~ResultFormats.BINARY;
    if (sql == null || maxRows != (int) maxRows) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(bytesOf(session));
    out.writeBoolean(key.shape().options().prepared());
    out.writeInt((int) maxRows);
    out.writeBoolean((key.options() & ResultFormats.BINARY) != 0);
    ValueCodec.writeText(sql, out);
    out.writeInt(key.binds().length);
    for (Object value : key.binds()) {
      if (value == null || !ValueCodec.write(value, out)) {
        return null;
      }
    }
    return bytes.size() > MAX_BYTES ? null : ByteBuffer.wrap(bytes.toByteArray());
  }

  static byte[] bytesOf(ByteBuffer written) {
    byte[] bytes = new byte[written.remaining()];
    written.duplicate().get(bytes);
    return bytes;
  }

  /** Reads what was {@link #checked}. */
  static HotQuery read(ByteBuffer written) {
    try {
      return checked(written);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IOException if it is anything else
   */
  static HotQuery checked(ByteBuffer written) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytesOf(written)));
    byte[] session = new byte[SESSION_BYTES];
    in.readFully(session);
    boolean prepared = in.readBoolean();
    int maxRows = in.readInt();
    boolean binary = in.readBoolean();
    String sql = ValueCodec.readText(in);
    int count = in.readInt();
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(ValueCodec.read(in));
    }
    if (maxRows < 0 || in.read() >= 0) {
      throw new IOException("more than a query");
    }
    return new HotQuery(ByteBuffer.wrap(session), prepared, maxRows, binary, sql, values);
  }
}
