package dev.larder.catalog;

import dev.larder.sql.Repeatability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an expression or query in PostgreSQL's stored form ({@code pg_node_tree}, see the server's
 * nodes/outfuncs.c) refers to. Needed because pg_depend omits what is built in. Whatever the form
 * holds that cannot be told is marked as clock-dependent or unsupported, never ignored.
 */
final class NodeTree {
  private static final Pattern SETTING_CALL =
      Pattern.compile(
          ":funcid (?:2077|3294) [^{}]*?:args \\(\\{CONST :consttype 25 [^{}]*?:constisnull false "
              + "[^{}]*?:constvalue \\d+ \\[ ([-0-9 ]+)\\]");
  private static final Set<String> ROUTINE_KEYS =
      Set.of("funcid", "opfuncid", "winfnoid", "aggfnoid", "hashfuncid", "negfuncid", "elemfuncid");
  private static final Set<String> OPERATOR_KEYS = Set.of("opno", "eqop", "sortop", "opnos");
  private static final Set<String> TYPE_LIST_KEYS = Set.of("coltypes", "funccoltypes");

  /** What chooses rows or their order; not there, false or {@code <>} where nothing does. */
  private static final Set<String> CHOICE_KEYS =
      Set.of("limitOffset", "limitCount", "hasWindowFuncs", "hasDistinctOn");

  private static final Set<String> GROUPING_KEYS =
      Set.of("groupClause", "distinctClause", "setOperations");

  /** The value of SUBLINK's {@code subLinkType} for {@code ARRAY(SELECT …)}. */
  private static final long ARRAY_SUBLINK = 6;

  /** The last value of SQLVALUEFUNCTION's {@code op} that reads the clock. */
  private static final long LAST_CLOCK_VALUE = 8;

  private static final long TABLE_OID_COLUMN = -6;

  private final Set<Long> relations = new HashSet<>();
  private final Set<Long> routines = new HashSet<>();
  private final Set<Long> operators = new HashSet<>();
  private final Set<Long> convertedTypes = new HashSet<>();
  private final Set<Long> checkedTypes = new HashSet<>();
  private final Set<String> settings = new HashSet<>();
  private final String text;
  private int position;
  private int settingCalls;
  private boolean clock;
  private boolean systemColumn;
  private boolean unsupported;
  private Repeatability repeatability = Repeatability.EXACT;

  private NodeTree(String text) {
    this.text = text;
  }

  /** Reads {@code text}. */
  static NodeTree parse(String text) {
    NodeTree tree = new NodeTree(text);
    tree.scan();
    tree.readSettings();
    return tree;
  }

  /** Returns the relations in its range tables. */
  Set<Long> relations() {
    return relations;
  }

  /** Returns the functions that it calls, by whatever syntax. */
  Set<Long> routines() {
    return routines;
  }

  /** Returns the operators that it uses, those of sorting and grouping included. */
  Set<Long> operators() {
    return operators;
  }

  /** Returns the types that it makes from text. */
  Set<Long> convertedTypes() {
    return convertedTypes;
  }

  /** Returns the domains that it converts to. */
  Set<Long> checkedTypes() {
    return checkedTypes;
  }

  /** Returns the settings that it reads by a literal name. */
  Set<String> settings() {
    return settings;
  }

  /** Returns whether it reads a setting whose name is no literal. */
  boolean readsUnknownSetting() {
    return settingCalls > settings.size();
  }

  /** Returns whether it reads the clock by CURRENT_DATE and the like, or may by JSON_VALUE. */
  boolean readsClock() {
    return clock;
  }

  /** Returns whether it reads ctid, xmin and the like. */
  boolean readsSystemColumn() {
    return systemColumn;
  }

  /** Returns whether it locks rows or samples tables. */
  boolean unsupported() {
    return unsupported;
  }

  /** Returns how far its answers may differ, what it calls left out. */
  Repeatability repeatability() {
    return repeatability;
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
        // The path of JSON_VALUE and its like may take the offset of today; only its bytes are
        // here.
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
    if (ROUTINE_KEYS.contains(key)) {
      values(this::routine);
    } else if (OPERATOR_KEYS.contains(key)) {
      values(operators::add);
    } else if (key.equals("relid")) {
      values(relations::add);
    } else if (key.equals("resulttype")) {
      values(type -> converted(node, type));
    } else if (TYPE_LIST_KEYS.contains(key)
        || (key.equals("typid") && node.equals("JSONRETURNING"))) {
      values(convertedTypes::add);
    } else if (key.equals("op") && node.equals("SQLVALUEFUNCTION")) {
      values(op -> clock |= op <= LAST_CLOCK_VALUE);
    } else if (key.equals("varattno")) {
      values(number -> systemColumn |= number < 0 && number != TABLE_OID_COLUMN);
    } else if (key.equals("hasForUpdate")) {
      unsupported |= text.startsWith(" true", position);
    } else if (key.equals("tablesample")) {
      unsupported |= text.startsWith(" {", position);
    } else if (CHOICE_KEYS.contains(key) && isThere()) {
      repeatability = Repeatability.NONE;
    } else if (GROUPING_KEYS.contains(key) && isThere()) {
      repeatability = repeatability.and(Repeatability.VALUES);
    } else if (key.equals("subLinkType")) {
      values(type -> repeatability = type == ARRAY_SUBLINK ? Repeatability.NONE : repeatability);
    }
  }

  /** Returns whether the value that follows is neither false nor empty. */
  private boolean isThere() {
    return !text.startsWith(" false", position) && !text.startsWith(" <>", position);
  }

  private void routine(long oid) {
    if (oid == BuiltinRoutines.CURRENT_SETTING || oid == BuiltinRoutines.CURRENT_SETTING_OPTIONAL) {
      settingCalls++;
    } else if (oid != 0) {
      routines.add(oid);
    }
  }

  private void converted(String node, long type) {
    if (node.equals("COERCEVIAIO")) {
      convertedTypes.add(type);
    } else if (node.equals("COERCETODOMAIN")) {
      checkedTypes.add(type);
    }
  }

  /** Hands on the number, or each number of the list {@code (o 1 2)}, that follows. */
  private void values(Consumer<Long> consumer) {
    int at = position + 1;
    boolean list = text.startsWith("(o ", at) || text.startsWith("(i ", at);
    int end = list ? text.indexOf(')', at) : at;
    if (!list) {
      while (end < text.length() && " })".indexOf(text.charAt(end)) < 0) {
        end++;
      }
    }
    for (String number : text.substring(list ? at + 3 : at, end).split(" ", -1)) {
      if (!number.isEmpty() && !number.equals("<>") && !number.startsWith("(")) {
        consumer.accept(Long.parseLong(number));
      }
    }
  }

  private void readSettings() {
    Matcher calls = SETTING_CALL.matcher(text);
    int found = 0;
    while (settingCalls > 0 && calls.find()) {
      found++;
      settings.add(textOf(calls.group(1)));
    }
    settingCalls = settingCalls == found ? settings.size() : Integer.MAX_VALUE;
  }

  /** Decodes a text value as it stands in memory: four bytes of length, then the characters. */
  private static String textOf(String bytes) {
    String[] numbers = bytes.trim().split(" ", -1);
    byte[] value = new byte[Math.max(0, numbers.length - 4)];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) Integer.parseInt(numbers[i + 4]);
    }
    return new String(value, StandardCharsets.UTF_8).toLowerCase(java.util.Locale.ROOT);
  }
}
