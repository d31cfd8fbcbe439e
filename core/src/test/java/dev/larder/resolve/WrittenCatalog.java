package dev.larder.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.catalog.CatalogBuilder;
import dev.larder.catalog.CatalogRow;
import dev.larder.catalog.CatalogVersion;
import dev.larder.code.RoutineRow;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.QueryWords;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.sql.SqlAnalysis;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import dev.larder.store.WriteSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A catalog written by hand, and what statements mean in it: no server is asked. */
final class WrittenCatalog {
  static final List<String> PATH = List.of("pg_catalog", "public");
  static final long INT4 = 23;
  static final long TEXT = 25;
  static final long DATE = 1082;
  static final long TIME = 1083;
  static final long TIMESTAMP = 1114;
  static final long TIMESTAMPTZ = 1184;
  static final long TIMETZ = 1266;
  static final int BEFORE_ROW = 3;
  static final int ON_INSERT = 4;
  static final int ON_DELETE = 8;
  static final int ON_UPDATE = 16;
  static final int ON_TRUNCATE = 32;
  static final int INSTEAD = 64;

  private static final SqlAnalyzer ANALYZER = new SqlAnalyzer();

  final CatalogBuilder rows = new CatalogBuilder();
  final TableVersions versions = new TableVersions();
  private final Map<Long, String> names = new HashMap<>();
  private long nextBuiltin = 5_000;
  private long nextOid = 20_000;
  private @Nullable CatalogVersion catalog;

  WrittenCatalog() {
    rows.add(new CatalogRow.ClockType(DATE, "pg_catalog", "date"));
    rows.add(new CatalogRow.ClockType(TIME, "pg_catalog", "time"));
    rows.add(new CatalogRow.ClockType(TIMESTAMP, "pg_catalog", "timestamp"));
    rows.add(new CatalogRow.ClockType(TIMESTAMPTZ, "pg_catalog", "timestamptz"));
    rows.add(new CatalogRow.ClockType(TIMETZ, "pg_catalog", "timetz"));
    rows.add(new CatalogRow.ClockType(3_912, "pg_catalog", "daterange"));
    rows.add(new CatalogRow.ClockType(13_000, "information_schema", "time_stamp"));
    rows.add(new CatalogRow.TextOperator("||"));
    rows.add(new CatalogRow.TextOperator("->>"));
  }

  // ---- what there is

  long oid() {
    return nextOid++;
  }

  long table(String name) {
    return relation("public", name, 'r');
  }

  long relation(String schema, String name, char kind) {
    return relation(schema, name, kind, false);
  }

  long relation(String schema, String name, char kind, boolean rowSecurity) {
    long oid = oid();
    rows.add(new CatalogRow.Table(oid, schema, name, kind, rowSecurity, ""));
    names.put(oid, name);
    return oid;
  }

  long view(String name, String nodeTree) {
    long oid = relation("public", name, 'v');
    rows.add(new CatalogRow.View(oid, nodeTree));
    return oid;
  }

  long builtin(String name, char volatility, Long... argumentTypes) {
    return builtin(name, volatility, 'o', argumentTypes);
  }

  long builtin(String name, char volatility, char result, Long... argumentTypes) {
    Definition definition = new Definition("pg_catalog", name, volatility);
    definition.result = result;
    definition.oid = nextBuiltin++;
    definition.language = "internal";
    definition.body = null;
    definition.argumentTypes = Set.of(argumentTypes);
    return definition.add();
  }

  Definition function(String name, char volatility) {
    return new Definition("public", name, volatility);
  }

  Definition function(String schema, String name, char volatility) {
    return new Definition(schema, name, volatility);
  }

  long trigger(String name, String body) {
    Definition definition = function(name, 'v').language("plpgsql").body(body);
    definition.trigger = true;
    return definition.add();
  }

  long type(String name, char kind, long base, long element, Long... functions) {
    long oid = oid();
    rows.add(
        new CatalogRow.Type(oid, "public", name, kind, base, element, 0, List.of(functions), null));
    return oid;
  }

  /**
   * Says which columns of the relation are dates or times, and which of its others are elsewhere.
   */
  void times(long relation, Set<String> times, Set<String> others) {
    rows.add(new CatalogRow.Columns(relation, Set.of(), Set.of(), Set.of(), times, others, ""));
  }

  void columns(long relation, Long... types) {
    rows.add(
        new CatalogRow.Columns(
            relation, Set.of(types), Set.of(), Set.of(), Set.of(), Set.of(), ""));
  }

  long operator(String symbol, long left, long right, long routine, long result) {
    long oid = oid();
    rows.add(new CatalogRow.Operator(oid, "public", symbol, left, right, routine, result));
    return oid;
  }

  /** A routine that is being written. */
  final class Definition {
    private final String schema;
    private final String name;
    private final char volatility;
    private long oid = oid();
    private Set<Long> argumentTypes = Set.of();
    private long onlyArgument;
    private boolean takesRow;
    private boolean trigger;
    private char result = 'o';
    private String language = "sql";
    private @Nullable String body = "1"; // Says nothing, and is not understood.
    private String library = "";
    private List<Long> support = List.of();
    private Set<Long> types = Set.of();
    private @Nullable String defaults;

    Definition(String schema, String name, char volatility) {
      this.schema = schema;
      this.name = name;
      this.volatility = volatility;
    }

    Definition numbered(long other) {
      oid = other;
      return this;
    }

    Definition body(@Nullable String text) {
      body = text;
      return this;
    }

    Definition language(String other) {
      language = other;
      return this;
    }

    /** Takes a value of the type and nothing else. */
    Definition takes(long type, boolean row) {
      onlyArgument = type;
      takesRow = row;
      return this;
    }

    Definition arguments(Long... takes) {
      argumentTypes = Set.of(takes);
      return this;
    }

    /** Returns what the letter stands for in {@link RoutineRow}. */
    Definition returns(char letter) {
      result = letter;
      return this;
    }

    Definition inC(String file) {
      language = "c";
      body = null;
      library = file;
      return this;
    }

    /** Makes it an aggregate. */
    Definition of(Long... parts) {
      support = List.of(parts);
      return this;
    }

    Definition types(Long... used) {
      types = Set.of(used);
      return this;
    }

    Definition defaults(String nodeTree) {
      defaults = nodeTree;
      return this;
    }

    long add() {
      rows.add(
          new RoutineRow(
              oid,
              schema,
              name,
              volatility,
              argumentTypes,
              onlyArgument,
              takesRow,
              trigger,
              result,
              language,
              body,
              library,
              support,
              types,
              defaults,
              null,
              ""));
      return oid;
    }
  }

  // ---- expressions as the server stores them, cut down to what matters

  static String call(long routine) {
    return "{FUNCEXPR :funcid " + routine + " :funcresulttype 23 :args <>}";
  }

  /** A query that reads the relations and evaluates the expressions. */
  static String query(List<Long> relations, String... expressions) {
    return "({QUERY :commandType 1 :rtable ("
        + relations.stream()
            .map(oid -> "{RANGETBLENTRY :rtekind 0 :relid " + oid + " :tablesample <>}")
            .collect(Collectors.joining(" "))
        + ") :targetList ("
        + Arrays.stream(expressions)
            .map(expression -> "{TARGETENTRY :expr " + expression + " :resno 1}")
            .collect(Collectors.joining(" "))
        + ") :limitCount <>})";
  }

  // ---- what statements mean

  CatalogVersion catalog() {
    CatalogVersion built = catalog == null ? rows.build("") : catalog;
    catalog = built;
    return built;
  }

  static StatementShape shape(String sql) {
    return SqlLexer.lex(sql, LexOptions.STATEMENT).shape();
  }

  static SqlAnalysis analyze(String sql) {
    return ANALYZER.analyze(shape(sql));
  }

  ResolvedStatement resolve(String sql) {
    return resolve(sql, Declarations.NONE);
  }

  ResolvedStatement resolve(String sql, Declarations declarations) {
    return resolve(sql, PATH, declarations);
  }

  ResolvedStatement resolve(String sql, List<String> path, Declarations declarations) {
    ResolvedStatement resolved =
        new StatementResolver(new Scope(catalog(), path, Set.of(), declarations, versions))
            .resolve(analyze(sql));
    if (onlyReads(sql, declarations)) {
      assertThat(resolved.writes().isEmpty()).as("%s writes", sql).isTrue();
      assertThat(resolved.changesSettings()).as("%s changes settings", sql).isFalse();
      assertThat(resolved.reloadsCatalog()).as("%s changes the catalog", sql).isFalse();
      assertThat(resolved.taintsSession()).as("%s makes something temporary", sql).isFalse();
    }
    return resolved;
  }

  /** Whether a look at its words tells that a text does nothing but read. */
  boolean onlyReads(String sql, Declarations declarations) {
    QueryWords words = QueryWords.of(shape(sql));
    return words != null && !new EffectfulNames(catalog(), declarations, versions).areAmong(words);
  }

  ResolvedStatement resolveWithTemporary(String sql, String... temporary) {
    return new StatementResolver(
            new Scope(catalog(), PATH, Set.of(temporary), Declarations.NONE, versions))
        .resolve(analyze(sql));
  }

  @Nullable Undeclared undeclared(String sql, Declarations declarations) {
    return new StatementResolver(new Scope(catalog(), PATH, Set.of(), declarations, versions))
        .undeclared(analyze(sql));
  }

  static Declarations readOnly(String... functions) {
    return new Declarations(Set.of(functions), Map.of(), Map.of());
  }

  static Declarations functionWrites(String function, String... tables) {
    return new Declarations(Set.of(), Map.of(function, Set.of(tables)), Map.of());
  }

  static Declarations triggerWrites(String trigger, String... tables) {
    return new Declarations(Set.of(), Map.of(), Map.of(trigger, Set.of(tables)));
  }

  /** The relations whose rows a query depends on, or the reason why it is not cached. */
  String reads(String sql) {
    ResolvedStatement resolved = resolve(sql);
    return resolved.bypass() == null ? names(resolved.readTags()) : resolved.bypass().name();
  }

  /** The relations that a statement invalidates; UNKNOWN for all. */
  String writes(String sql) {
    return writes(sql, Declarations.NONE);
  }

  String writes(String sql, Declarations declarations) {
    return names(resolve(sql, declarations).writes());
  }

  String names(WriteSet writes) {
    return writes.everywhere() ? "EVERYWHERE" : writes.unknown() ? "UNKNOWN" : names(writes.tags());
  }

  /** The names in order; what is below a relation as {@code name*}. */
  String names(List<TableTag> tags) {
    Set<String> found = new TreeSet<>();
    for (TableTag tag : tags) {
      String name = names.getOrDefault(tag.oid(), "?" + tag.oid());
      found.add(tag.scope() == TableTag.Scope.BELOW ? name + '*' : name);
    }
    return String.join(" ", found);
  }

  String names(Set<Long> oids) {
    List<String> found = new ArrayList<>();
    for (long oid : oids) {
      found.add(oid < 0 ? names.get(-oid) + '*' : names.getOrDefault(oid, "?" + oid));
    }
    found.sort(null);
    return String.join(" ", found);
  }
}
