package dev.larder.memcached.format;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an entry. Never Java serialization. Thread-safe.
 *
 * <pre>
 * format(1) flags(1) | seal( checksum(4) squeeze( key tokens result ) )
 * </pre>
 *
 * The whole key is inside and compared: what is stored under the same name by chance, by mistake or
 * on purpose is not taken for the answer. What does not decode is nothing: it is counted, and the
 * database answers. No bytes make it throw, or allocate more than the configured limit.
 */
public final class EntryCodec {
  /** In the names of entries, too: another format's are never met. */
  static final int FORMAT = 2;

  private static final int HEAD = 2;
  private static final int CHECKSUM = Integer.BYTES;
  private static final int SQUEEZED = 1;
  private static final int SEALED = 2;

  private final @Nullable Compression compression;
  private final @Nullable Seal seal;
  private final int maxBytes;

  /**
   * Creates a codec.
   *
   * @param compression null for none
   * @param seal null for no encryption
   * @param maxBytes the most that an entry may have, compressed or not
   */
  public EntryCodec(@Nullable Compression compression, @Nullable Seal seal, int maxBytes) {
    this.compression = compression;
    this.seal = seal;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the bytes of {@code entry}, or null if it cannot be kept: it is too large, or has no
   * columns.
   *
   * @param name under which they are stored
   * @param key the whole key
   */
  public byte @Nullable [] encode(String name, byte[] key, RemoteEntry entry) {
    byte[] plain = EntryBody.write(key, entry, maxBytes);
    if (plain == null) {
      return null;
    }
    byte[] squeezed = compression == null ? null : compression.squeeze(plain);
    byte[] body = squeezed == null ? plain : squeezed;
    byte[] head = {
      FORMAT, (byte) ((squeezed == null ? 0 : SQUEEZED) | (seal == null ? 0 : SEALED))
    };
    byte[] checked =
        ByteBuffer.allocate(CHECKSUM + body.length).putInt(sum(body)).put(body).array();
    byte[] sealed = seal == null ? checked : seal.close(name, head, checked);
    byte[] bytes = ByteBuffer.allocate(HEAD + sealed.length).put(head).put(sealed).array();
    return bytes.length > maxBytes ? null : bytes;
  }

  /** Returns the entry in {@code bytes}, or null if they are not one of {@code key}. */
  public @Nullable RemoteEntry decode(String name, byte[] key, byte[] bytes) {
    if (bytes.length < HEAD + CHECKSUM || bytes.length > maxBytes || bytes[0] != FORMAT) {
      return null;
    }
    byte[] head = {bytes[0], bytes[1]};
    boolean sealed = (bytes[1] & SEALED) != 0;
    if ((bytes[1] & ~(SQUEEZED | SEALED)) != 0 || sealed != (seal != null)) {
      return null;
    }
    byte[] rest = Arrays.copyOfRange(bytes, HEAD, bytes.length);
    byte[] checked = seal == null ? rest : seal.open(name, head, rest);
    if (checked == null || checked.length < CHECKSUM) {
      return null;
    }
    byte[] body = Arrays.copyOfRange(checked, CHECKSUM, checked.length);
    if (ByteBuffer.wrap(checked).getInt() != sum(body)) {
      return null;
    }
    byte[] plain = (bytes[1] & SQUEEZED) == 0 ? body : stretch(body);
    return plain == null ? null : EntryBody.read(key, plain);
  }

  private byte @Nullable [] stretch(byte[] body) {
    return compression == null ? null : compression.stretch(body, maxBytes);
  }

  private static int sum(byte[] body) {
    CRC32C sum = new CRC32C();
    sum.update(body);
    return (int) sum.getValue();
  }
}
