package dev.larder.memcached.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VersionCodecTest {
  private final Token token = new Token(-1, 0x0123456789abcdefL);
  private final Token writer = Token.random();

  private static List<Mark> marks(List<Token> writers) {
    return writers.stream().map(Mark::of).toList();
  }

  @Test
  void whatIsEncodedIsDecoded() {
    for (boolean ready : new boolean[] {true, false}) {
      for (List<Token> writers :
          List.of(List.<Token>of(), List.of(writer), List.of(writer, token))) {
        VersionValue value = new VersionValue(ready, token, -17, null, marks(writers));

        assertThat(VersionCodec.decode(VersionCodec.encode(value))).isEqualTo(value);
      }
    }
  }

  @Test
  void appendedMarkIsWhatTheValueSays() {
    VersionValue value = VersionValue.raw(token);
    byte[] before = VersionCodec.encode(value);
    byte[] mark = VersionCodec.encodeMark(Mark.of(writer));

    byte[] after = ByteBuffer.allocate(before.length + mark.length).put(before).put(mark).array();

    assertThat(VersionCodec.decode(after)).isEqualTo(value.announced(Mark.of(writer)));
  }

  @Test
  void formatIsReadableAndDoesNotChangeByMistake() {
    assertThat(
            new String(
                VersionCodec.encode(VersionValue.ready(token, 17, marks(List.of(token)))),
                StandardCharsets.US_ASCII))
        .isEqualTo(
            "1Rffffffffffffffff0123456789abcdef0000000000000011"
                + ";ffffffffffffffff0123456789abcdef");
  }

  @Test
  void whatIsWrittenByBucketsIsDecoded() {
    Mark mark = new Mark(writer, Buckets.of(7, List.of(0, 129, 1_039)));
    VersionValue value = VersionValue.ready(token, 17, List.of(mark, Mark.of(token)));
    assertThat(VersionCodec.decode(VersionCodec.encode(value))).isEqualTo(value);
    assertThat(text(VersionCodec.encodeMark(mark)))
        .isEqualTo(";" + writer + "+000000000000000700008140f");

    VersionValue counted = value.published(Set.of(writer), writer);
    assertThat(counted.counts()).isNotNull();
    assertThat(VersionCodec.decode(VersionCodec.encode(counted))).isEqualTo(counted);
    assertThat(text(VersionCodec.encode(counted)))
        .startsWith("2R" + writer + "0000000000000011" + token + "0000000000000007" + "0410")
        .endsWith(";" + token);
    VersionValue again = counted.announced(mark);
    assertThat(VersionCodec.decode(VersionCodec.encode(again))).isEqualTo(again);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** What an earlier version of Larder decodes and appends. */
  @Test
  void valueOfWholeTablesIsThatOfEarlierVersions() {
    String old = "1R" + token + "0000000000000011;" + writer;
    VersionValue value = VersionCodec.decode(old.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(value).isEqualTo(VersionValue.ready(token, 17, marks(List.of(writer))));
    assertThat(text(VersionCodec.encode(value))).isEqualTo(old);
    assertThat(text(VersionCodec.encodeMark(Mark.of(writer)))).isEqualTo(";" + writer);
  }

  @Test
  void cutOrChangedCountsDoNotDecode() {
    Mark mark = new Mark(writer, Buckets.of(7, List.of(3)));
    byte[] bytes =
        VersionCodec.encode(
            VersionValue.ready(token, 17, List.of(mark)).published(Set.of(writer), Token.random()));
    for (int length = 0; length < bytes.length; length++) {
      assertThat(VersionCodec.decode(java.util.Arrays.copyOf(bytes, length))).isNull();
    }
    bytes[1] = 'W';
    assertThat(VersionCodec.decode(bytes)).as("counts are of a ready version").isNull();
  }

  @Test
  void whatIsNoVersionDoesNotDecode() {
    byte[] bytes = VersionCodec.encode(VersionValue.raw(token).announced(Mark.of(writer)));
    for (int length = 0; length < bytes.length; length++) {
      VersionValue cut = VersionCodec.decode(java.util.Arrays.copyOf(bytes, length));
      assertThat(cut == null || cut.writers().isEmpty()).isTrue();
    }
    bytes[0] = '3';
    assertThat(VersionCodec.decode(bytes)).as("another format").isNull();
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] noise = new byte[random.nextInt(120)];
      random.nextBytes(noise);
      assertThat(VersionCodec.decode(noise)).isNull();
    }
  }
}
