package dev.larder.jdbc.bykey;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes statements of forms: puts a parameter or a literal for each {@code {id}} and the like. Not
 * thread-safe.
 */
final class FormValues {
  private static final Pattern PLACE =
      Pattern.compile(
          "\\{(id|ids|line|n|code|codes|text|status|tenant|num|bool|ts|uuid|uuidtext)}");

  private final Random random;

  /** Whether values are of other types, too, literals, NULL and what no row has. */
  private final boolean odd;

  FormValues(long seed, boolean odd) {
    this.random = new Random(seed);
    this.odd = odd;
  }

  /** A value, as it is set. */
  @FunctionalInterface
  interface Value {
    void set(PreparedStatement statement, int index) throws SQLException;
  }

  /** A statement with its values. */
  record Filled(String text, List<Value> values, String shown) {
    PreparedStatement prepare(Connection connection) throws SQLException {
      PreparedStatement statement = connection.prepareStatement(text);
      set(statement);
      return statement;
    }

    void set(PreparedStatement statement) throws SQLException {
      for (int i = 0; i < values.size(); i++) {
        values.get(i).set(statement, i + 1);
      }
    }

    @Override
    public String toString() {
      return shown;
    }
  }

  /** What stands at a place: a text, and what is set if that is a parameter. */
  private record Piece(String text, @Nullable Value value, String shown) {}

  Filled fill(String form) {
    return fill(form, true);
  }

  /** Returns a statement, of parameters alone or with literals among them. */
  Filled fill(String form, boolean literals) {
    StringBuilder text = new StringBuilder();
    StringBuilder shown = new StringBuilder();
    List<Value> values = new ArrayList<>();
    Matcher place = PLACE.matcher(form);
    int end = 0;
    while (place.find()) {
      Piece piece = piece(place.group(1), literals);
      text.append(form, end, place.start()).append(piece.text);
      shown.append(form, end, place.start()).append(piece.shown);
      if (piece.value != null) {
        values.add(piece.value);
      }
      end = place.end();
    }
    text.append(form, end, form.length());
    shown.append(form, end, form.length());
    return new Filled(text.toString(), List.copyOf(values), shown.toString());
  }

  private boolean percent(int percent) {
    return random.nextInt(100) < percent;
  }

  private Piece literal(String text) {
    return new Piece(text, null, text);
  }

  private Piece bind(String shown, Value value) {
    return new Piece("?", value, "«" + shown + "»");
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private <T> T of(T... all) {
    return all[random.nextInt(all.length)];
  }

  private Piece piece(String kind, boolean literals) {
    boolean literal = literals && odd && percent(25);
    if (odd && percent(4)) {
      return literal ? literal("NULL") : bind("null " + kind, (s, i) -> s.setNull(i, nullOf(kind)));
    }
    return switch (kind) {
      case "ids" -> ids(literal);
      case "codes" -> codes(literal);
      case "num" -> decimal(literal);
      case "bool" -> truth(literal);
      case "ts" -> moment(literal);
      case "uuid", "uuidtext" -> uuid(literal, kind.equals("uuid"));
      case "code" -> text(literal, "c" + random.nextInt(10));
      case "text" -> text(literal, "t" + random.nextInt(5));
      case "status" -> text(literal, "s" + random.nextInt(3));
      case "n" -> small(literal, random.nextInt(4) + 1);
      case "line" -> number(literal, random.nextInt(4));
      case "tenant" -> number(literal, random.nextInt(3));
      default -> number(literal, random.nextInt(10));
    };
  }

  private static int nullOf(String kind) {
    return switch (kind) {
      case "ids", "codes" -> Types.ARRAY;
      case "num" -> Types.NUMERIC;
      case "bool" -> Types.BOOLEAN;
      case "ts" -> Types.TIMESTAMP;
      case "uuid" -> Types.OTHER;
      case "id" -> Types.BIGINT;
      case "n", "line", "tenant" -> Types.INTEGER;
      default -> Types.VARCHAR;
    };
  }

  private Piece small(boolean literal, int n) {
    return literal ? literal(String.valueOf(n)) : bind("" + n, (s, i) -> s.setInt(i, n));
  }

  private Piece number(boolean literal, int n) {
    if (literal) {
      return literal(of("" + n, "" + n, "'" + n + "'", n + ".0", "(" + n + ")", "0" + n, "+" + n));
    }
    return switch (odd ? random.nextInt(12) : random.nextInt(2)) {
      case 1, 2, 3 -> bind(n + "L", (s, i) -> s.setLong(i, n));
      case 4 -> bind(n + " as BIGINT", (s, i) -> s.setObject(i, n, Types.BIGINT));
      case 5 -> bind(n + " short", (s, i) -> s.setShort(i, (short) n));
      case 6 -> bind(n + " numeric", (s, i) -> s.setBigDecimal(i, BigDecimal.valueOf(n)));
      case 7 -> bind(n + ".0 numeric", (s, i) -> s.setBigDecimal(i, new BigDecimal(n + ".0")));
      case 8 -> bind(n + " other", (s, i) -> s.setObject(i, "" + n, Types.OTHER));
      case 9 -> bind(n + " as text in INTEGER", (s, i) -> s.setObject(i, "" + n, Types.INTEGER));
      case 10 -> bind(n + " double", (s, i) -> s.setDouble(i, n));
      default -> bind("" + n, (s, i) -> s.setInt(i, n));
    };
  }

  private Piece text(boolean literal, String usual) {
    String text = odd && percent(10) ? of(usual + " ", usual + "  ", "C1", "%" + usual, "") : usual;
    if (literal) {
      return literal(
          of("'" + text + "'", "'" + text + "'", "E'" + text + "'", "'" + text + "'::text"));
    }
    return switch (odd ? random.nextInt(10) : 0) {
      case 1 -> bind(text + " CHAR", (s, i) -> s.setObject(i, text, Types.CHAR));
      case 2 -> bind(text + " OTHER", (s, i) -> s.setObject(i, text, Types.OTHER));
      case 3 -> bind(text + " N", (s, i) -> s.setObject(i, text, Types.LONGVARCHAR));
      default -> bind(text, (s, i) -> s.setString(i, text));
    };
  }

  private Piece uuid(boolean literal, boolean typed) {
    String text = "00000000-0000-0000-0000-00000000000" + random.nextInt(10);
    String form = odd && percent(20) ? of("{" + text + "}", text.replace("-", ""), "x") : text;
    if (literal) {
      return literal("'" + form + "'");
    }
    if (!typed) {
      return bind(form, (s, i) -> s.setString(i, form));
    }
    return odd && percent(20)
        ? bind(form + " OTHER", (s, i) -> s.setObject(i, form, Types.OTHER))
        : bind(text + " uuid", (s, i) -> s.setObject(i, UUID.fromString(text)));
  }

  private Piece ids(boolean literal) {
    int count = random.nextInt(5);
    Integer[] all = new Integer[count];
    for (int i = 0; i < count; i++) {
      all[i] = odd && percent(8) ? null : Integer.valueOf(random.nextInt(10));
    }
    String shown = Arrays.toString(all);
    if (literal) {
      return literal("'" + shown.replace('[', '{').replace(']', '}') + "'");
    }
    String type = odd ? of("int4", "int8", "int2", "numeric", "bigint") : "int8";
    if (odd && percent(15)) {
      long[] plain = random.longs(count, 0, 10).toArray();
      return bind(Arrays.toString(plain) + " long[]", (s, i) -> s.setObject(i, plain));
    }
    return bind(
        shown + " " + type, (s, i) -> s.setArray(i, s.getConnection().createArrayOf(type, all)));
  }

  private Piece codes(boolean literal) {
    int count = random.nextInt(4);
    String[] all = new String[count];
    for (int i = 0; i < count; i++) {
      all[i] = odd && percent(8) ? null : "c" + random.nextInt(10) + (odd && percent(8) ? " " : "");
    }
    String shown = Arrays.toString(all);
    if (literal) {
      return literal("'" + shown.replace('[', '{').replace(']', '}') + "'");
    }
    String type = odd ? of("text", "varchar", "bpchar") : "text";
    return bind(
        shown + " " + type, (s, i) -> s.setArray(i, s.getConnection().createArrayOf(type, all)));
  }

  private Piece decimal(boolean literal) {
    BigDecimal number = new BigDecimal(random.nextInt(9) + of("", ".0", ".50"));
    return literal
        ? literal(number.toString())
        : odd && percent(15)
            ? bind(number + " int", (s, i) -> s.setInt(i, number.intValue()))
            : bind(number + " numeric", (s, i) -> s.setBigDecimal(i, number));
  }

  private Piece truth(boolean literal) {
    boolean truth = random.nextBoolean();
    return literal
        ? literal(of("" + truth, truth ? "'t'" : "'off'"))
        : odd && percent(20)
            ? bind(truth + " BIT", (s, i) -> s.setObject(i, truth, Types.BIT))
            : bind("" + truth, (s, i) -> s.setBoolean(i, truth));
  }

  private Piece moment(boolean literal) {
    LocalDateTime moment = LocalDateTime.of(2024, 1, 1 + random.nextInt(9), 0, 0);
    return literal
        ? literal("timestamp '" + moment.toString().replace('T', ' ') + "'")
        : odd && percent(40)
            ? bind(moment + " Timestamp", (s, i) -> s.setTimestamp(i, Timestamp.valueOf(moment)))
            : bind("" + moment, (s, i) -> s.setObject(i, moment));
  }
}
