package dev.larder.jdbc.background;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The file of the hot queries of one database: a head with version and check sum, then the name of
 * the database, then the queries, the most profitable first. It is replaced as a whole, by a file
 * that only its owner may read, so that what fails leaves the old one. Not thread-safe.
 */
final class WarmupFile {
  /** What is larger was not written by this class. */
  static final int MAX_BYTES = 32 << 20;

  static final int VERSION = 1;

  private static final byte[] MAGIC = "larder warm-up\n".getBytes(StandardCharsets.US_ASCII);
  private static final int SUM_BYTES = 32;

  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final Path path;
  private final String database;

  /**
   * Creates what reads and writes a file.
   *
   * @param path absolute
   * @param database names the database and no other
   */
  WarmupFile(Path path, String database) {
    this.path = path;
    this.database = database;
  }

  /** A file that is not used; its message says why, and what to do. */
  static final class Unusable extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean foreign;

    private Unusable(String words, boolean foreign) {
      super(words);
      this.foreign = foreign;
    }

    /** Returns whether it is another's, or another database's, and so is to be left as it is. */
    boolean isForeign() {
      return foreign;
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }

  // ---- read

  /** Returns the queries as {@link HotQuery#write} has written them; none if there is no file. */
  List<ByteBuffer> read() throws IOException {
    if (!Files.exists(path)) {
      return List.of();
    }
    if (!isOfLarder()) {
      throw new Unusable(
          path + ": it is no file of Larder's; delete it, or name another one", true);
    }
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view != null
        && view.readAttributes().permissions().stream().anyMatch(OF_OTHERS::contains)) {
      throw unusable("others than its owner may read or write it; chmod 600 it, or delete it");
    }
    if (Files.size(path) > MAX_BYTES) {
      throw unusable("it is larger than " + (MAX_BYTES >> 20) + " MB; delete it");
    }
    return decode(Files.readAllBytes(path));
  }

  /** Whether it may be replaced: an empty one, too. To read a pipe would take for ever. */
  private boolean isOfLarder() throws IOException {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] head = in.readNBytes(MAGIC.length);
      return head.length == 0 || Arrays.equals(head, MAGIC);
    }
  }

  private List<ByteBuffer> decode(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
      throw unusable("it is empty; it will be replaced");
    }
    int version = in.available() < Integer.BYTES ? VERSION : in.readInt();
    if (version != VERSION) {
      throw unusable("it is of version " + version + ", not " + VERSION + "; it will be replaced");
    }
    byte[] sum = in.readNBytes(SUM_BYTES);
    byte[] body = in.readAllBytes();
    if (!Arrays.equals(HotQuery.sha256(body), sum)) {
      throw unusable("it was cut or changed, as its check sum says; it will be replaced");
    }
    return queries(new DataInputStream(new ByteArrayInputStream(body)));
  }

  private List<ByteBuffer> queries(DataInputStream in) throws IOException {
    try {
      String of = ValueCodec.readText(in);
      if (!of.equals(database)) {
        String words = "it is of " + of + ", not of " + database + "; name another file";
        throw new Unusable(path + ": " + words, true);
      }
      List<ByteBuffer> queries = new ArrayList<>();
      while (in.available() > 0) {
        ByteBuffer query = ByteBuffer.wrap(ValueCodec.readBytes(in));
        HotQuery unused = HotQuery.checked(query); // So that none fails later.
        queries.add(query);
      }
      return queries;
    } catch (Unusable e) {
      throw e;
    } catch (IOException e) {
      throw unusable("what it holds are no queries; it will be replaced");
    }
  }

  private Unusable unusable(String words) {
    return new Unusable(path + ": " + words, false);
  }

  // ---- write

  /** Replaces the file. */
  void write(Collection<ByteBuffer> queries) throws IOException {
    Path folder = Objects.requireNonNull(path.getParent());
    // Only its owner may read it.
    Path made = Files.createTempFile(folder, "." + path.getFileName(), ".new");
    try {
      try (FileChannel channel = FileChannel.open(made, StandardOpenOption.WRITE)) {
        ByteBuffer rest = ByteBuffer.wrap(encode(queries));
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
        channel.force(true);
      }
      Files.move(made, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(made);
    }
  }

  private byte[] encode(Collection<ByteBuffer> queries) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(body);
    ValueCodec.writeText(database, out);
    for (ByteBuffer query : queries) {
      if (out.size() + query.capacity() > MAX_BYTES / 2) {
        break; // The most profitable are there.
      }
      ValueCodec.writeBytes(HotQuery.bytesOf(query), out);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    DataOutputStream head = new DataOutputStream(all);
    head.write(MAGIC);
    head.writeInt(VERSION);
    head.write(HotQuery.sha256(body.toByteArray()));
    head.write(body.toByteArray());
    return all.toByteArray();
  }
}
