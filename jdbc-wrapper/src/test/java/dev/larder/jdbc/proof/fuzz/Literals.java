package dev.larder.jdbc.proof.fuzz;

/** Constants of every type that tables have. */
final class Literals {
  private Literals() {}

  /** Returns a constant of {@code type}, one of a few for each {@code number}. */
  static String of(String type, int number) {
    return switch (type) {
      case "int", "bigint", "oid", "posint" -> String.valueOf(number);
      case "numeric(10,2)" -> number + ".5";
      case "float8" -> number + ".25";
      case "boolean" -> number % 2 == 0 ? "false" : "true";
      case "date" -> "'2024-01-%02d'".formatted(1 + number % 28);
      case "timestamptz" -> "'2024-01-%02d 12:00+00'".formatted(1 + number % 28);
      case "timestamp" -> "'2024-07-%02d 01:02:03'".formatted(1 + number % 28);
      case "time" -> "'01:02:%02d'".formatted(number % 60);
      case "jsonb" -> "'{\"a\": " + number + "}'";
      case "int[]", "text[]" -> "'{" + number + ",2}'";
      case "uuid" -> "'00000000-0000-0000-0000-00000000000" + number % 10 + "'";
      case "mood" -> number % 2 == 0 ? "'sad'" : "'happy'";
      case "pair" -> "'(" + number + ",y)'";
      case "bytea" -> "'\\x0" + number % 10 + "'";
      case "interval" -> "'" + number + " days 01:00'";
      case "int4range" -> "'[" + number % 50 + ",99)'";
      case "bit(3)" -> "B'10" + number % 2 + "'";
      case "inet" -> "'10.0.0." + number % 250 + "'";
      default -> "'x" + number + "'";
    };
  }

  /** Returns a way to write a text. */
  static String text(Choices choices) {
    int number = choices.below(8);
    return switch (choices.below(12)) {
      case 0, 1, 2 -> "'s" + number + "'";
      case 3 -> "E's\\x31" + number + "'";
      case 4 -> "U&'s\\003" + number + "'";
      case 5 -> "$$s" + number + "$$";
      case 6 -> "$q$it's " + number + "$q$";
      case 7 -> "'s'\n  '" + number + "'";
      case 8 -> "N'it''s " + number + "'";
      case 9 -> "'; DELETE FROM t0; --" + number + "'";
      case 10 -> "E'back\\\\slash\\'" + number + "'";
      default -> "'größe /* " + number + " */ ?'";
    };
  }

  /** Returns a comment or white space. */
  static String gap(Choices choices) {
    return choices.of(
        " ",
        " ",
        " ",
        "\n\t",
        " /* c */ ",
        " /* a /* nested ' */ \" */ ",
        " -- it's; a line\n",
        " /* larder:off */ ",
        " /* larder:on */ ",
        " /* larder:ttl=30s */ ",
        " /*+ SeqScan(t0) */ ",
        " /* $$ */ ");
  }
}
