package dev.larder.result;

/**
 * What objects occupy on the heap of a 64-bit HotSpot JVM with compressed references, the default
 * below 32 GB. With compact headers or larger heaps the figures are off by a few bytes an object.
 */
public final class HeapWeight {
  /** The header of an object. */
  public static final int HEADER = 12;

  /** The header of an array, its length included. */
  public static final int ARRAY_HEADER = 16;

  /** A reference in a field or an array. */
  public static final int REFERENCE = 4;

  private HeapWeight() {}

  /** Returns {@code bytes} rounded up to what the heap gives out. */
  public static long align(long bytes) {
    return (bytes + 7) & -8;
  }

  /** Returns the weight of an object with so many references and so many bytes of other fields. */
  public static long ofObject(int references, int primitiveBytes) {
    return align(HEADER + (long) references * REFERENCE + primitiveBytes);
  }

  /** Returns the weight of a {@code byte[]} of {@code length}. */
  public static long ofBytes(int length) {
    return align(ARRAY_HEADER + (long) length);
  }

  /** Returns the weight of an array of {@code length} references, without what they refer to. */
  public static long ofReferences(int length) {
    return align(ARRAY_HEADER + (long) REFERENCE * length);
  }

  /** Returns the weight of {@code text} and its characters. */
  public static long ofString(String text) {
    return ofObject(1, Integer.BYTES + 2)
        + ofBytes(isLatin1(text) ? text.length() : 2 * text.length());
  }

  /** Returns whether each character of {@code text} fits in a byte. A loop: it is called often. */
  public static boolean isLatin1(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 256) {
        return false;
      }
    }
    return true;
  }
}
