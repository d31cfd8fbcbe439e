package dev.larder.memcached.format;

import dev.larder.store.TableTag;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What versions and entries are called on memcached. Immutable and thread-safe.
 *
 * <p>Versions: {@code <namespace>:<system identifier>:<database oid>:V:<tag>}. Neither the format
 * nor the server generation is in it: every JVM that writes to the database must announce where
 * every JVM that reads from it looks, of whatever version of Larder, before and after a restart.
 * Both are in the value instead.
 *
 * <p>Entries: {@code <the same>:E<format>:<hash of the whole key>}; another format's are never met.
 */
public final class Names {
  /** What memcached takes. */
  private static final int MAX_LENGTH = 250;

  private final String prefix;
  private final byte @Nullable [] secret;

  /**
   * Creates names.
   *
   * @param namespace the same in all JVMs that share the database
   * @param systemIdentifier of the PostgreSQL cluster
   * @param secret with which keys are hashed, so that nobody can try whether a query is there; null
   *     without encryption
   */
  public Names(
      String namespace, String systemIdentifier, long databaseOid, @Nullable Secret secret) {
    this.prefix = namespace + ":" + systemIdentifier + ":" + databaseOid + ":";
    this.secret = secret == null ? null : secret.ofNames();
  }

  /** Returns the name of the version of {@code tag}. */
  public String ofVersion(TableTag tag) {
    return switch (tag.scope()) {
      case RELATION -> fit(prefix + "V:R" + tag.oid());
      case BELOW -> fit(prefix + "V:B" + tag.oid());
      case ALL -> ofEverything();
    };
  }

  /** Returns the name of the version of everything, on which every entry depends. */
  public String ofEverything() {
    return fit(prefix + "V:A");
  }

  /**
   * Returns the name of the version of the catalog, which says whether a version of it is still
   * true.
   */
  public String ofCatalog() {
    return fit(prefix + "V:C");
  }

  /** Returns what says whose turn it is to settle the version that is called {@code version}. */
  public static String ofTurn(String version) {
    return fit(version + ":turn");
  }

  /** Returns the name of the entry of the key with these bytes. */
  public String ofEntry(byte[] key) {
    return fit(prefix + "E" + EntryCodec.FORMAT + ":" + HexFormat.of().formatHex(hash(key)));
  }

  /** Returns what says which JVM asks the database for the entry that is called {@code entry}. */
  public static String ofLease(String entry) {
    return fit(entry + ":lease");
  }

  private static String fit(String name) {
    return name.length() <= MAX_LENGTH
        ? name
        : "larder:" + HexFormat.of().formatHex(digest(name.getBytes(StandardCharsets.UTF_8)));
  }

  private byte[] hash(byte[] key) {
    return secret == null ? digest(key) : Secret.hmac(secret, key);
  }

  /** Returns the SHA-256 of {@code bytes}. */
  public static byte[] digest(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }
}
