package dev.larder.memcached.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VersionCodecTest {
  private final Token token = new Token(-1, 0x0123456789abcdefL);
  private final Token writer = Token.random();

  @Test
  void whatIsEncodedIsDecoded() {
    for (boolean ready : new boolean[] {true, false}) {
      for (List<Token> writers :
          List.of(List.<Token>of(), List.of(writer), List.of(writer, token))) {
        VersionValue value = new VersionValue(ready, token, -17, writers);

        assertThat(VersionCodec.decode(VersionCodec.encode(value))).isEqualTo(value);
      }
    }
  }

  @Test
  void appendedMarkIsWhatTheValueSays() {
    VersionValue value = VersionValue.raw(token);
    byte[] before = VersionCodec.encode(value);
    byte[] mark = VersionCodec.encodeWriter(writer);

    byte[] after = ByteBuffer.allocate(before.length + mark.length).put(before).put(mark).array();

    assertThat(VersionCodec.decode(after)).isEqualTo(value.announced(writer));
  }

  @Test
  void formatIsReadableAndDoesNotChangeByMistake() {
    assertThat(
            new String(
                VersionCodec.encode(new VersionValue(true, token, 17, List.of(token))),
                StandardCharsets.US_ASCII))
        .isEqualTo(
            "1Rffffffffffffffff0123456789abcdef0000000000000011"
                + ";ffffffffffffffff0123456789abcdef");
  }

  @Test
  void whatIsNoVersionDoesNotDecode() {
    byte[] bytes = VersionCodec.encode(VersionValue.raw(token).announced(writer));
    for (int length = 0; length < bytes.length; length++) {
      VersionValue cut = VersionCodec.decode(java.util.Arrays.copyOf(bytes, length));
      assertThat(cut == null || cut.writers().isEmpty()).isTrue();
    }
    bytes[0] = '2';
    assertThat(VersionCodec.decode(bytes)).as("another format").isNull();
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] noise = new byte[random.nextInt(120)];
      random.nextBytes(noise);
      assertThat(VersionCodec.decode(noise)).isNull();
    }
  }
}
