package dev.larder.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Other JVMs read what one has written: the bytes themselves are the contract. */
class KeySinkTest {
  private final KeySink sink = new KeySink();

  private void assertBytes(int... bytes) {
    byte[] expected = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      expected[i] = (byte) bytes[i];
    }
    assertThat(sink.toByteArray()).containsExactly(expected);
  }

  @Test
  void numbersAreEightBytes() {
    sink.number(0x0102030405060708L);
    assertBytes(1, 2, 3, 4, 5, 6, 7, 8);
  }

  @Test
  void textsOfLatin1AreOneByteACharacter() {
    sink.text("a\u00ff");
    assertBytes(0, 0, 0, 0, 0, 0, 0, 2 << 1, 'a', 0xff);
  }

  @Test
  void otherTextsAreTwoBytesACharacterAndSaySo() {
    sink.text("a\u0100");
    assertBytes(0, 0, 0, 0, 0, 0, 0, 2 << 1 | 1, 0, 'a', 1, 0);
  }

  @Test
  void noTextIsNoLength() {
    sink.text(null);
    assertBytes(255, 255, 255, 255, 255, 255, 255, 255);
  }

  @Test
  void bytesFollowTheirLength() {
    sink.bytes(new byte[] {7, 8, 9});
    assertBytes(0, 0, 0, 0, 0, 0, 0, 3, 7, 8, 9);
  }

  @Test
  void everythingFits() {
    String latin1 = "x".repeat(3_000);
    String other = "\ud800".repeat(5_000);
    sink.number(1);
    sink.text(latin1);
    sink.text(other);
    byte[] bytes = sink.toByteArray();
    assertThat(bytes).hasSize(8 + 8 + 3_000 + 8 + 10_000);
    assertThat(bytes[8 + 8 + 2_999]).isEqualTo((byte) 'x');
    assertThat(bytes[bytes.length - 2]).isEqualTo((byte) 0xd8);
  }
}
