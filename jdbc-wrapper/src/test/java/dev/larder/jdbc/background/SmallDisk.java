package dev.larder.jdbc.background;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder in which there is no room for a larger file while it is said so. Where this process may
 * mount one it is a file system of 64 kB of its own, which is filled. Elsewhere the system refuses
 * this process to write files beyond a size. Both let a file begin, and refuse what is too much.
 */
final class SmallDisk implements AutoCloseable {
  /** So much of a file finds room: a page. */
  private static final int ROOM_BYTES = 4096;

  private final Path folder;
  private final Path filler;
  private final boolean mounted;

  private SmallDisk(Path folder, boolean mounted) {
    this.folder = folder;
    this.filler = folder.resolve("filler");
    this.mounted = mounted;
  }

  /** Makes one in a folder. */
  static SmallDisk in(Path parent) throws IOException {
    Path folder = Files.createDirectory(parent.resolve("disk"));
    boolean mounted =
        run("mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "larder", folder.toString()).isOk();
    return new SmallDisk(folder, mounted);
  }

  Path folder() {
    return folder;
  }

  /** Returns what the system says when there is no room. */
  String refusal() {
    return mounted ? "No space left on device" : "File too large";
  }

  /** Leaves room for no more than a page. */
  void fill() throws IOException {
    if (!mounted) {
      limit(String.valueOf(ROOM_BYTES));
      return;
    }
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (Files.getFileStore(folder).getUsableSpace() > ROOM_BYTES) {
        out.write(new byte[ROOM_BYTES]);
      }
    }
  }

  void makeRoom() throws IOException {
    if (mounted) {
      Files.delete(filler);
    } else {
      limit("unlimited");
    }
  }

  /** Returns the files here beside one. */
  List<Path> others(Path file) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(each -> !each.equals(file) && !each.equals(filler)).toList();
    }
  }

  /** Sets the size of files that this process may write, which it may raise again. */
  private static void limit(String bytes) throws IOException {
    String self = String.valueOf(ProcessHandle.current().pid());
    Answer answer = run("prlimit", "--pid", self, "--fsize=" + bytes + ":unlimited");
    if (!answer.isOk()) {
      throw new IOException("Neither mount nor prlimit works here: " + answer.text());
    }
  }

  private record Answer(boolean isOk, String text) {}

  private static Answer run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.onExit().join().exitValue() == 0, text);
  }

  @Override
  public void close() throws IOException {
    if (!mounted) {
      limit("unlimited");
      return;
    }
    Answer answer = run("umount", "--lazy", folder.toString());
    if (!answer.isOk()) {
      throw new IOException(answer.text());
    }
  }
}
