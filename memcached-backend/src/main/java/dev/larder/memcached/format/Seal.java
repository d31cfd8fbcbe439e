package dev.larder.memcached.format;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-GCM with a random nonce. What it opens was closed with the same key, under the same name and
 * with the same head. Thread-safe.
 *
 * <p>Nonces of 96 random bits are good for 2^32 entries a key (NIST SP 800-38D, 8.3).
 */
final class Seal {
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  /**
   * Creates a seal.
   *
   * @param key 16, 24 or 32 bytes
   */
  Seal(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  /** Returns {@code plain} so that nobody without the key can read or change it. */
  byte[] close(String name, byte[] head, byte[] plain) {
    byte[] nonce = new byte[NONCE];
    RANDOM.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, name, head).doFinal(plain);
      byte[] bytes = Arrays.copyOf(nonce, NONCE + sealed.length);
      System.arraycopy(sealed, 0, bytes, NONCE, sealed.length);
      return bytes;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          e); // Every JDK has AES-GCM, and the key's length was checked.
    }
  }

  /** Returns what was closed, or null if it was not closed so. */
  byte @Nullable [] open(String name, byte[] head, byte[] sealed) {
    if (sealed.length < NONCE + TAG_BITS / Byte.SIZE) {
      return null;
    }
    try {
      return cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, NONCE), name, head)
          .doFinal(sealed, NONCE, sealed.length - NONCE);
    } catch (GeneralSecurityException e) {
      return null;
    }
  }

  private Cipher cipher(int mode, byte[] nonce, String name, byte[] head)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(name.getBytes(StandardCharsets.UTF_8));
    cipher.updateAAD(head);
    return cipher;
  }
}
