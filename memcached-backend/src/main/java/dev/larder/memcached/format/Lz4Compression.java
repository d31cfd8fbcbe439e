package dev.larder.memcached.format;

import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/**
 * LZ4, by a library that the application brings. Its implementation in safe Java: native code, and
 * Java that goes around bounds checks, have no business with what comes from the network.
 */
public final class Lz4Compression implements Compression {
  /** Below it the library's own overhead eats what is gained. */
  private static final int WORTH_IT = 512;

  private final LZ4Compressor compressor = LZ4Factory.safeInstance().fastCompressor();
  private final LZ4SafeDecompressor decompressor = LZ4Factory.safeInstance().safeDecompressor();

  @Override
  public byte @Nullable [] squeeze(byte[] plain) {
    if (plain.length < WORTH_IT) {
      return null;
    }
    byte[] out = new byte[Integer.BYTES + compressor.maxCompressedLength(plain.length)];
    ByteBuffer.wrap(out).putInt(plain.length);
    int length = Integer.BYTES + compressor.compress(plain, 0, plain.length, out, Integer.BYTES);
    return length < plain.length ? Arrays.copyOf(out, length) : null;
  }

  @Override
  public byte @Nullable [] stretch(byte[] squeezed, int maxBytes) {
    int length = squeezed.length < Integer.BYTES ? -1 : ByteBuffer.wrap(squeezed).getInt();
    if (length < 0 || length > maxBytes) {
      return null;
    }
    byte[] plain = new byte[length];
    try {
      int made =
          decompressor.decompress(
              squeezed, Integer.BYTES, squeezed.length - Integer.BYTES, plain, 0, length);
      return made == length ? plain : null;
    } catch (LZ4Exception e) {
      return null;
    }
  }
}
