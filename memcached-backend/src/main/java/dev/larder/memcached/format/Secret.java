package dev.larder.memcached.format;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The configured key, which is never shown. Immutable. */
public final class Secret {
  private final byte[] key;

  /**
   * Creates a secret.
   *
   * @param key 16, 24 or 32 bytes, which the caller gives away
   */
  public Secret(byte[] key) {
    this.key = key;
  }

  /** Returns what encrypts entries with it. */
  public Seal seal() {
    return new Seal(key);
  }

  /** Returns another secret, made of it, with which keys are hashed into names. */
  byte[] ofNames() {
    return hmac(key, "larder names".getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the keyed hash of {@code message}. */
  static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret that && MessageDigest.isEqual(key, that.key);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(key);
  }

  @Override
  public String toString() {
    return "(secret)";
  }
}
