package dev.larder.code;

import dev.larder.analysis.Repeatability;
import dev.larder.lexer.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an expression or query in PostgreSQL's stored form ({@code pg_node_tree}, see the server's
 * nodes/outfuncs.c) refers to. Needed because pg_depend omits what is built in. Whatever cannot be
 * told of the form counts as reading the clock or as unsupported, and is never ignored.
 *
 * @param relations the relations in its range tables
 * @param routines the functions that it calls, by whatever syntax
 * @param operators the operators that it uses, those of sorting and grouping included
 * @param convertedTypes the types that it makes from text
 * @param checkedTypes the domains that it converts to
 * @param valueTypes the types of users of its constants, and of what functions return in it
 * @param settings the settings that it reads by a literal name
 * @param readsUnknownSetting whether it reads a setting whose name is no literal
 * @param readsClock whether it reads the clock by CURRENT_DATE and the like, or may by JSON_VALUE
 * @param unsupported whether it reads ctid, xmin and the like, locks rows or samples tables
 * @param repeatability how far its answers may differ, without regard to what it calls
 */
public record NodeTree(
    Set<Long> relations,
    Set<Long> routines,
    Set<Long> operators,
    Set<Long> convertedTypes,
    Set<Long> checkedTypes,
    Set<Long> valueTypes,
    Set<String> settings,
    boolean readsUnknownSetting,
    boolean readsClock,
    boolean unsupported,
    Repeatability repeatability) {
  /**
   * Takes the place of a tree that is too long to be read: it calls a function of the server's that
   * runs any query, and one that nobody knows, and reads what is not supported.
   */
  public static final String MAY_DO_ANYTHING =
      "{LONG :funcid 2924 :funcid 4294967295 :varattno -1 :hasWindowFuncs true}";

  private static final Pattern SETTING_CALL =
      Pattern.compile(
          ":funcid (?:2077|3294) [^{}]{0,300}?:args \\(\\{CONST :consttype 25 "
              + "[^{}]{0,300}?:constisnull false [^{}]{0,100}?:constvalue \\d++ \\[ ([-0-9 ]++)\\]");

  /** The value of SUBLINK's {@code subLinkType} for {@code ARRAY(SELECT …)}. */
  private static final long ARRAY_SUBLINK = 6;

  /** The last value of SQLVALUEFUNCTION's {@code op} that reads the clock. */
  private static final long LAST_CLOCK_VALUE = 8;

  private static final long TABLE_OID_COLUMN = -6;

  /** Returns whether it reads more than values, settings by name, and what it calls. */
  public boolean readsMore() {
    return !relations.isEmpty() || readsClock || unsupported || readsUnknownSetting;
  }

  /** Reads {@code text}. */
  public static NodeTree parse(String text) {
    Reader reader = new Reader(text);
    reader.scan();
    Set<String> settings = reader.settings();
    return new NodeTree(
        reader.relations,
        reader.routines,
        reader.operators,
        reader.convertedTypes,
        reader.checkedTypes,
        reader.valueTypes,
        settings == null ? Set.of() : settings,
        settings == null,
        reader.clock,
        reader.unsupported,
        reader.repeatability);
  }

  /** Reads one text from its beginning to its end. */
  private static final class Reader {
    private final Set<Long> relations = new HashSet<>();
    private final Set<Long> routines = new HashSet<>();
    private final Set<Long> operators = new HashSet<>();
    private final Set<Long> convertedTypes = new HashSet<>();
    private final Set<Long> checkedTypes = new HashSet<>();
    private final Set<Long> valueTypes = new HashSet<>();
    private final String text;
    private int position;
    private int settingCalls;
    private boolean clock;
    private boolean unsupported;
    private Repeatability repeatability = Repeatability.EXACT;

    Reader(String text) {
      this.text = text;
    }

    private void scan() {
      Deque<String> nodes = new ArrayDeque<>();
      while (position < text.length()) {
        char c = text.charAt(position);
        if (c == '\\') {
          position += 2;
        } else if (c == '{') {
          position++;
          nodes.push(word());
          // The path of JSON_VALUE may take the offset of today; only its bytes are here.
          clock |= nodes.element().equals("JSONEXPR");
        } else if (c == '}') {
          position++;
          nodes.poll();
        } else if (c == ':' && position > 0 && text.charAt(position - 1) == ' ') {
          position++;
          String key = word();
          field(nodes.isEmpty() ? "" : nodes.peek(), key);
        } else {
          position++;
        }
      }
    }

    private String word() {
      int start = position;
      while (position < text.length() && " (){}".indexOf(text.charAt(position)) < 0) {
        position += text.charAt(position) == '\\' ? 2 : 1;
      }
      return text.substring(start, Math.min(position, text.length()));
    }

    private void field(String node, String key) {
      switch (key) {
        case "funcid",
            "opfuncid",
            "winfnoid",
            "aggfnoid",
            "hashfuncid",
            "negfuncid",
            "elemfuncid" ->
            values(this::routine);
        case "opno", "eqop", "sortop", "opnos" -> values(operators::add);
        case "relid" -> values(relations::add);
        case "coltypes", "funccoltypes" -> values(convertedTypes::add);
        case "consttype", "funcresulttype" -> values(this::value);
        case "resulttype" -> values(type -> converted(node, type));
        case "typid" -> ofNode(node, "JSONRETURNING", convertedTypes::add);
        case "op" -> ofNode(node, "SQLVALUEFUNCTION", op -> clock |= op <= LAST_CLOCK_VALUE);
        case "varattno" ->
            values(number -> unsupported |= number < 0 && number != TABLE_OID_COLUMN);
        case "hasForUpdate", "tablesample" -> unsupported |= isThere();
        // What chooses rows or their order.
        case "limitOffset", "limitCount", "hasWindowFuncs", "hasDistinctOn" ->
            allow(isThere() ? Repeatability.NONE : Repeatability.EXACT);
        case "groupClause", "distinctClause", "setOperations" ->
            allow(isThere() ? Repeatability.VALUES : Repeatability.EXACT);
        case "subLinkType" ->
            values(type -> allow(type == ARRAY_SUBLINK ? Repeatability.NONE : Repeatability.EXACT));
        default -> {}
      }
    }

    private void ofNode(String node, String expected, Consumer<Long> consumer) {
      if (node.equals(expected)) {
        values(consumer);
      }
    }

    private void allow(Repeatability part) {
      repeatability = repeatability.and(part);
    }

    /** Returns whether the value that follows is neither false nor empty. */
    private boolean isThere() {
      return !text.startsWith(" false", position) && !text.startsWith(" <>", position);
    }

    private void routine(long oid) {
      if (BuiltinRoutines.CURRENT_SETTING.contains(oid)) {
        settingCalls++;
      } else if (oid != 0) {
        routines.add(oid);
      }
    }

    private void value(long type) {
      if (BuiltinRoutines.isUsers(type)) {
        valueTypes.add(type);
      }
    }

    private void converted(String node, long type) {
      switch (node) {
        case "COERCEVIAIO" -> convertedTypes.add(type);
        case "COERCETODOMAIN" -> checkedTypes.add(type);
        default -> {}
      }
    }

    /** Hands on the number, or each number of the list {@code (o 1 2)}, that follows. */
    private void values(Consumer<Long> consumer) {
      int at = position + 1;
      boolean list = text.startsWith("(o ", at) || text.startsWith("(i ", at);
      int start = list ? at + 3 : at;
      int end = start;
      String ends = list ? ":{})" : " })";
      while (end < text.length() && ends.indexOf(text.charAt(end)) < 0) {
        end++;
      }
      for (String number : text.substring(Math.min(start, end), end).split(" ", -1)) {
        if (!number.isEmpty() && !number.equals("<>") && !number.startsWith("(")) {
          consumer.accept(Long.parseLong(number));
        }
      }
    }

    /** Returns the settings that it reads, or null where one has a name that is no literal. */
    private @Nullable Set<String> settings() {
      Set<String> settings = new HashSet<>();
      Matcher calls = SETTING_CALL.matcher(text);
      int found = 0;
      while (settingCalls > 0 && calls.find()) {
        found++;
        settings.add(textOf(calls.group(1)));
      }
      return settingCalls == found ? settings : null;
    }

    /** Decodes a text value as it stands in memory: four bytes of length, then the characters. */
    private static String textOf(String bytes) {
      String[] numbers = bytes.trim().split(" ", -1);
      byte[] value = new byte[Math.max(0, numbers.length - 4)];
      for (int i = 0; i < value.length; i++) {
        value[i] = (byte) Integer.parseInt(numbers[i + 4]);
      }
      return Tokens.fold(new String(value, StandardCharsets.UTF_8));
    }
  }
}
