package dev.larder.memcached.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.remote.RemoteTokens;
import dev.larder.result.CachedResult;
import dev.larder.result.RawRows;
import dev.larder.result.ResultColumn;
import dev.larder.result.ResultColumns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EntryCodecTest {
  private static final int MAX_BYTES = 100_000;
  private static final byte[] SECRET =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);
  private static final String NAME = "larder:1:2:E1:abc";
  private static final RemoteTokens TOKENS = RemoteTokens.of(new long[] {0, -1, 17});
  private static final byte[] KEY = "the whole key".getBytes(StandardCharsets.UTF_8);

  /** What a codec may do beside writing bytes. */
  enum Kind {
    PLAIN,
    COMPRESSED,
    ENCRYPTED,
    BOTH;

    EntryCodec codec() {
      return new EntryCodec(
          this == COMPRESSED || this == BOTH ? new Lz4Compression() : null,
          this == ENCRYPTED || this == BOTH ? new Seal(SECRET) : null,
          MAX_BYTES);
    }
  }

  private static RemoteEntry entry(Random random, int rows) {
    List<ResultColumn> columns = new ArrayList<>();
    int width = 1 + random.nextInt(5);
    for (int i = 0; i < width; i++) {
      columns.add(
          new ResultColumn(
              "c€" + i, random.nextInt(), i, 23 + i, -1, random.nextInt(), random.nextBoolean()));
    }
    byte[][][] values = new byte[rows][width][];
    for (byte[][] row : values) {
      for (int i = 0; i < width; i++) {
        byte[] value = new byte[random.nextInt(40)];
        Arrays.fill(value, (byte) random.nextInt());
        row[i] = random.nextInt(5) == 0 ? null : value;
      }
    }
    CachedResult result =
        CachedResult.of(new ResultColumns(columns), new RawRows(values), random.nextBoolean());
    return new RemoteEntry(TOKENS, result);
  }

  private static void assertSame(RemoteEntry actual, RemoteEntry expected) {
    assertThat(actual).isNotNull();
    assertThat(actual.tokens()).isEqualTo(expected.tokens());
    assertThat(actual.result().columns()).isEqualTo(expected.result().columns());
    assertThat(actual.result().mayBeCut()).isEqualTo(expected.result().mayBeCut());
    assertThat(EntryBody.write(KEY, actual, MAX_BYTES))
        .isEqualTo(EntryBody.write(KEY, expected, MAX_BYTES));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsEncodedIsDecoded(Kind kind) {
    Random random = new Random(1);
    for (int i = 0; i < 200; i++) {
      RemoteEntry entry = entry(random, i);
      byte[] bytes = kind.codec().encode(NAME, KEY, entry);

      assertSame(kind.codec().decode(NAME, KEY, bytes), entry);
    }
  }

  @ParameterizedTest
  @EnumSource
  void mutatedBytesAreAMissAndNeverAnotherAnswerOrAnException(Kind kind) {
    Random random = new Random(2);
    EntryCodec codec = kind.codec();
    int misses = 0;
    for (int i = 0; i < 4_000; i++) {
      byte[] bytes = codec.encode(NAME, KEY, entry(random, random.nextInt(40)));
      byte[] mutated = mutate(bytes, random);

      RemoteEntry decoded = codec.decode(NAME, KEY, mutated);

      if (!Arrays.equals(bytes, mutated)) {
        assertThat(decoded).isNull();
        misses++;
      }
    }
    assertThat(misses).isGreaterThan(3_000);
  }

  /** The checks behind the checksum hold by themselves. */
  @Test
  void mutatedBodyIsNeverAnException() {
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      byte[] body = EntryBody.write(KEY, entry(random, random.nextInt(10)), MAX_BYTES);
      byte[] mutated = mutate(body, random);

      RemoteEntry decoded = EntryBody.read(KEY, mutated);

      assertThat(decoded == null || decoded.result().rows().count() <= mutated.length).isTrue();
      Compression lz4 = new Lz4Compression();
      byte[] stretched = lz4.stretch(mutated, MAX_BYTES);
      assertThat(stretched == null || stretched.length <= MAX_BYTES).isTrue();
    }
  }

  private static byte[] mutate(byte[] bytes, Random random) {
    byte[] mutated = bytes.clone();
    switch (random.nextInt(5)) {
      case 0 -> mutated[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> mutated = Arrays.copyOf(mutated, random.nextInt(bytes.length));
      case 2 -> mutated = Arrays.copyOf(mutated, bytes.length + 1 + random.nextInt(20));
      case 3 -> {
        int at = random.nextInt(bytes.length);
        Arrays.fill(mutated, at, Math.min(bytes.length, at + 4), (byte) random.nextInt());
      }
      default -> {
        for (int i = 0; i < 8; i++) {
          mutated[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
      }
    }
    return mutated;
  }

  @ParameterizedTest
  @EnumSource
  void entryOfAnotherKeyIsAMiss(Kind kind) {
    byte[] bytes = kind.codec().encode(NAME, KEY, entry(new Random(4), 3));

    assertThat(kind.codec().decode(NAME, "the whole kez".getBytes(StandardCharsets.UTF_8), bytes))
        .isNull();
    assertThat(kind.codec().decode(NAME, "the whole".getBytes(StandardCharsets.UTF_8), bytes))
        .isNull();
    assertThat(kind.codec().decode(NAME, KEY, bytes)).isNotNull();
  }

  @Test
  void encryptedEntryIsOnlyReadWithItsSecretAndUnderItsName() {
    byte[] bytes = Kind.ENCRYPTED.codec().encode(NAME, KEY, entry(new Random(5), 3));
    byte[] other = SECRET.clone();
    other[0]++;

    assertThat(new EntryCodec(null, new Seal(other), MAX_BYTES).decode(NAME, KEY, bytes)).isNull();
    assertThat(Kind.ENCRYPTED.codec().decode(NAME + "x", KEY, bytes)).isNull();
    assertThat(Kind.PLAIN.codec().decode(NAME, KEY, bytes)).isNull();
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain("the whole key");
  }

  @Test
  void plainEntryIsNotReadWhereEncryptionIsAskedFor() {
    byte[] bytes = Kind.PLAIN.codec().encode(NAME, KEY, entry(new Random(6), 3));

    assertThat(Kind.ENCRYPTED.codec().decode(NAME, KEY, bytes)).isNull();
  }

  @Test
  void compressedEntryIsSmaller() {
    RemoteEntry entry = entry(new Random(7), 200);

    assertThat(Kind.COMPRESSED.codec().encode(NAME, KEY, entry))
        .hasSizeLessThan(Kind.PLAIN.codec().encode(NAME, KEY, entry).length / 2);
  }

  @Test
  void compressedEntryIsAMissWhereNobodyCanDecompressIt() {
    byte[] bytes = Kind.COMPRESSED.codec().encode(NAME, KEY, entry(new Random(8), 200));

    assertThat(Kind.PLAIN.codec().decode(NAME, KEY, bytes)).isNull();
  }

  @Test
  void entryOverTheLimitAndEntryWithoutColumnsAreNotKept() {
    assertThat(Kind.PLAIN.codec().encode(NAME, KEY, entry(new Random(9), 20_000))).isNull();
    RemoteEntry empty = new RemoteEntry(TOKENS, new CachedResult(24));
    assertThat(Kind.PLAIN.codec().encode(NAME, KEY, empty)).isNull();
  }
}
