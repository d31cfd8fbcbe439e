package dev.larder.memcached.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link VersionValue}: ASCII but for the counts, so that an operator can read it
 * with telnet. Stateless.
 *
 * <pre>
 * 1 R|W token(32) serverGeneration(16) { mark }
 * 2 R   token(32) serverGeneration(16) life(32) layout(16) n(4) counts(2n) { mark }
 * mark: ; writer(32) [ + layout(16) { bucket(3) } ]
 * </pre>
 *
 * A writer announces itself by appending bytes, whatever is there; so the rest must be last, and a
 * later format must keep {@code ;writer} at its end. The first character is the format: a value of
 * another one does not decode, and nobody reads by it or changes it.
 *
 * <p>A value without counts has format 1, so that earlier versions of Larder, who write and read
 * whole tables, keep to it. To them a value with counts, or with a mark that has buckets, does not
 * decode; their own marks have no buckets.
 */
public final class VersionCodec {
  private static final char FORMAT = '1';
  private static final char FORMAT_WITH_COUNTS = '2';
  private static final char READY = 'R';
  private static final char RAW = 'W';
  private static final char SEPARATOR = ';';
  private static final char WITH_BUCKETS = '+';
  private static final int LONG = 16;
  private static final int SERVER_GENERATION_AT = 2 + Token.TEXT_LENGTH;
  private static final int LIFE_AT = SERVER_GENERATION_AT + LONG;
  private static final int LAYOUT_AT = LIFE_AT + Token.TEXT_LENGTH;
  private static final int SIZE_AT = LAYOUT_AT + LONG;
  private static final int COUNTS_AT = SIZE_AT + 4;
  private static final int WRITER_LENGTH = 1 + Token.TEXT_LENGTH;
  private static final int BUCKET_LENGTH = 3;

  private VersionCodec() {}

  /** Returns the bytes of {@code value}. */
  public static byte[] encode(VersionValue value) {
    BucketCounts counts = value.counts();
    StringBuilder text = new StringBuilder(COUNTS_AT + value.marks().size() * WRITER_LENGTH);
    text.append(counts == null ? FORMAT : FORMAT_WITH_COUNTS);
    text.append(value.ready() ? READY : RAW).append(value.token());
    text.append(HexFormat.of().toHexDigits(value.serverGeneration()));
    if (counts != null) {
      text.append(counts.life()).append(HexFormat.of().toHexDigits(counts.layout()));
      text.append(HexFormat.of().toHexDigits((short) counts.size())).append(counts.counts());
    }
    for (Mark mark : value.marks()) {
      append(text, mark);
    }
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void append(StringBuilder text, Mark mark) {
    text.append(SEPARATOR).append(mark.writer());
    Buckets rows = mark.rows();
    if (rows != null) {
      text.append(WITH_BUCKETS).append(HexFormat.of().toHexDigits(rows.layout()));
      rows.numbers().forEach(bucket -> text.append(HexFormat.of().toHexDigits(bucket, 3)));
    }
  }

  /** Returns what a writer appends to announce itself. */
  public static byte[] encodeMark(Mark mark) {
    StringBuilder text = new StringBuilder();
    append(text, mark);
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the value of {@code bytes}, or null if they are not exactly one. */
  public static @Nullable VersionValue decode(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Token token = Token.parse(text, 2);
    if (token == null || !isHead(text)) {
      return null;
    }
    BucketCounts counts = text.charAt(0) == FORMAT_WITH_COUNTS ? counts(text) : null;
    if (counts == null && text.charAt(0) == FORMAT_WITH_COUNTS) {
      return null;
    }
    List<Mark> marks = marks(text, counts == null ? LIFE_AT : COUNTS_AT + 2 * counts.size());
    long serverGeneration = HexFormat.fromHexDigitsToLong(text, SERVER_GENERATION_AT, LIFE_AT);
    return marks == null
        ? null
        : new VersionValue(text.charAt(1) == READY, token, serverGeneration, counts, marks);
  }

  private static boolean isHead(String text) {
    return text.length() >= LIFE_AT
        && (text.charAt(0) == FORMAT
            ? text.charAt(1) == READY || text.charAt(1) == RAW
            : text.charAt(0) == FORMAT_WITH_COUNTS && text.charAt(1) == READY)
        && isHex(text, SERVER_GENERATION_AT, LIFE_AT);
  }

  private static @Nullable BucketCounts counts(String text) {
    Token life = Token.parse(text, LIFE_AT);
    if (life == null || text.length() < COUNTS_AT || !isHex(text, LAYOUT_AT, COUNTS_AT)) {
      return null;
    }
    int end = COUNTS_AT + 2 * HexFormat.fromHexDigits(text, SIZE_AT, COUNTS_AT);
    return text.length() < end
        ? null
        : new BucketCounts(
            life,
            HexFormat.fromHexDigitsToLong(text, LAYOUT_AT, SIZE_AT),
            text.substring(COUNTS_AT, end));
  }

  /** Returns the marks that stand from {@code from} to the end, or null if they are none. */
  private static @Nullable List<Mark> marks(String text, int from) {
    List<Mark> marks = new ArrayList<>();
    int at = from;
    while (at < text.length()) {
      Token writer = Token.parse(text, at + 1);
      if (writer == null || text.charAt(at) != SEPARATOR) {
        return null;
      }
      at += WRITER_LENGTH;
      Buckets rows = null;
      if (at < text.length() && text.charAt(at) == WITH_BUCKETS) {
        int next = text.indexOf(SEPARATOR, at);
        int end = next < 0 ? text.length() : next;
        rows = buckets(text, at + 1, end);
        at = end;
        if (rows == null) {
          return null;
        }
      }
      marks.add(new Mark(writer, rows));
    }
    return marks;
  }

  private static @Nullable Buckets buckets(String text, int from, int to) {
    int first = from + LONG;
    if (to <= first || (to - first) % BUCKET_LENGTH != 0 || !isHex(text, from, to)) {
      return null;
    }
    List<Integer> numbers = new ArrayList<>();
    int before = -1;
    for (int at = first; at < to; at += BUCKET_LENGTH) {
      int number = HexFormat.fromHexDigits(text, at, at + BUCKET_LENGTH);
      if (number <= before) {
        return null;
      }
      numbers.add(number);
      before = number;
    }
    return new Buckets(HexFormat.fromHexDigitsToLong(text, from, first), numbers);
  }

  private static boolean isHex(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!HexFormat.isHexDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
