package dev.larder.changefeed.pgoutput;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.feed.LoggedTransaction;
import dev.larder.store.TableVersions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is not understood is said to be, and nothing is taken from it. */
final class PgoutputDecoderTest {
  private static final ByteBuffer BEGIN = of(0, 'B', 1L, 2L, 77);
  private static final ByteBuffer COMMIT = of(0, 'C', (byte) 0, 1L, 500L, 2L);
  private static final ByteBuffer TABLE =
      of(0, 'R', 16384, "public", "item", (byte) 'd', (short) 1, (byte) 1, "id", 23, -1);
  private static final ByteBuffer INSERT =
      of(0, 'I', 16384, (byte) 'N', (short) 1, (byte) 't', 1, (byte) '7');
  private static final ByteBuffer START = of(0, 'S', 78, (byte) 1);
  private static final ByteBuffer STOP = of(0, 'E');

  private final List<String> told = new ArrayList<>();
  private final PgoutputDecoder decoder =
      new PgoutputDecoder(
          new PgoutputDecoder.Sink() {
            @Override
            public LoggedTransaction begin() {
              return new LoggedTransaction(new TableVersions(), () -> null);
            }

            @Override
            public void committed(int transaction, LoggedTransaction logged) {
              told.add("committed " + transaction + ' ' + logged.writes());
            }

            @Override
            public void reached(long position) {
              told.add("reached " + position);
            }
          });

  /** Makes a message of its parts. */
  private static ByteBuffer of(int ignored, char kind, Object... parts) {
    ByteBuffer bytes = ByteBuffer.allocate(1000).put((byte) kind);
    for (Object part : parts) {
      if (part instanceof Long wide) {
        bytes.putLong(wide);
      } else if (part instanceof Integer number) {
        bytes.putInt(number);
      } else if (part instanceof Short count) {
        bytes.putShort(count);
      } else if (part instanceof Byte one) {
        bytes.put(one);
      } else {
        bytes.put(part.toString().getBytes(UTF_8)).put((byte) 0);
      }
    }
    return bytes.flip();
  }

  private void read(ByteBuffer... messages) {
    for (ByteBuffer message : messages) {
      decoder.read(message.duplicate());
    }
  }

  private void assertRefused(ByteBuffer... messages) {
    assertThatThrownBy(() -> read(messages)).isInstanceOf(MalformedMessage.class);
    assertThat(told).isEmpty();
  }

  @Test
  void aCommitIsToldBeforeItsPosition() {
    read(BEGIN, TABLE, INSERT, COMMIT);
    assertThat(told).containsExactly("committed 77 unknown", "reached 500");
  }

  @Test
  void anEmptyCommitWritesNothing() {
    read(BEGIN, COMMIT);
    assertThat(told).containsExactly("committed 77 []", "reached 500");
  }

  @Test
  void aMessageThatWasNotAskedForIsRefused() {
    assertRefused(of(0, 'M', (byte) 0, 900L, "larder", 0));
  }

  @Test
  void whatIsStreamedIsToldAtItsCommit() {
    ByteBuffer table = of(0, 'R', 78, 16384, "public", "item", (byte) 'd', (short) 0);
    ByteBuffer truncate = of(0, 'T', 78, 1, (byte) 0, 16384);
    read(START, table, truncate, STOP, BEGIN, COMMIT);
    assertThat(told).containsExactly("committed 77 []", "reached 500");
    read(of(0, 'c', 78, (byte) 0, 1L, 600L, 2L));
    assertThat(told).endsWith("committed 78 unknown", "reached 600");
  }

  /** A savepoint that is taken back gives its locks back: somebody alters the table meanwhile. */
  @Test
  void aTableIsAsItWasDescribedLast() {
    ByteBuffer earlier = of(0, 'R', 78, 16384, "public", "item", (byte) 'd', (short) 0);
    read(START, earlier, STOP, BEGIN, TABLE, INSERT, COMMIT);
    read(of(0, 'c', 78, (byte) 0, 1L, 600L, 2L));
    read(BEGIN, INSERT, COMMIT);
    assertThat(told).hasSize(6);
  }

  @Test
  void whatIsStreamedAndTakenBackIsForgotten() {
    read(START, STOP, of(0, 'A', 78, 79), of(0, 'A', 78, 78));
    assertRefused(of(0, 'c', 78, (byte) 0, 1L, 600L, 2L));
  }

  @Test
  void whatIsOutOfOrderIsRefused() {
    assertRefused(COMMIT);
    assertRefused(INSERT);
    assertRefused(STOP);
    assertRefused(of(0, 'S', 99, (byte) 0));
    assertRefused(of(0, 'c', 99, (byte) 0, 1L, 600L, 2L));
    assertRefused(BEGIN, INSERT);
    assertRefused(BEGIN);
  }

  @Test
  void whatIsUnknownIsRefused() {
    assertRefused(of(0, 'b', 1L, 2L, 3L, 77, "gid"));
    assertRefused(BEGIN, TABLE, of(0, 'I', 16384, (byte) 'X', (short) 1));
    assertRefused(of(0, 'I', 16384, (byte) 'N', (short) 1, (byte) 'x'));
    assertRefused(of(0, 'I', 16384, (byte) 'N', (short) 2, (byte) 'n', (byte) 'n'));
    assertRefused(of(0, 'I', 16384, (byte) 'N', (short) 1, (byte) 't', 5000));
    assertRefused(of(0, 'I', 16384, (byte) 'N', (short) 1, (byte) 't', -1));
    assertRefused(of(0, 'I', 16384, (byte) 'N', (short) 1, (byte) 'n', (byte) 'n'));
  }

  @Test
  void whatIsCutIsRefused() {
    for (ByteBuffer message : List.of(BEGIN, TABLE, INSERT, COMMIT)) {
      for (int length = 0; length < message.limit(); length++) {
        PgoutputDecoderTest fresh = new PgoutputDecoderTest();
        if (message != BEGIN) {
          fresh.read(BEGIN);
        }
        if (message == INSERT) {
          fresh.read(TABLE);
        }
        fresh.assertRefused(message.duplicate().limit(length));
      }
    }
  }

  /** Whatever comes, nothing else is thrown, and memory is not taken for what a message claims. */
  @Test
  void noiseIsRefused() {
    Random random = new Random(42);
    for (int i = 0; i < 200_000; i++) {
      PgoutputDecoderTest fresh = new PgoutputDecoderTest();
      fresh.read(BEGIN, TABLE);
      ByteBuffer noise = ByteBuffer.allocate(1 + random.nextInt(40));
      random.nextBytes(noise.array());
      noise.put(0, (byte) "BCOSEcARIUDTMY".charAt(random.nextInt(14)));
      try {
        fresh.read(noise);
      } catch (MalformedMessage e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
  }
}
