package dev.larder.jdbc.proof.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.larder.jdbc.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each rule of docs/invalidation.md is needed: without it the oracle finds a stale read or a write
 * that says too little. A mutant is a piece of Larder's source put otherwise, compiled, and run in
 * a class loader of its own. Takes a quarter of an hour, so that it runs where it is named: {@code
 * -Dtest=KeyMutants}. {@code -Dlarder.keys.mutant.writes} says how many writes it gets.
 */
final class KeyMutants {
  private static final Path CORE = Path.of("../core/src/main/java/dev/larder");

  @TempDir Path classes;

  static Stream<Arguments> mutants() {
    return Stream.of(
        arguments(
            "an ON of a LEFT JOIN filters the preserved side",
            "keys/Conditions",
            "if (place.of() == filled) {",
            "if (true) {"),
        arguments(
            "one branch of an OR is enough",
            "keys/Conditions",
            "complete &= some != null && all.addAll(some)",
            "complete &= some == null || all.addAll(some)"),
        arguments(
            "NOT is read over",
            "keys/Conditions",
            "add(list.get(0));\n",
            "add(list.get(0));\n    } else if (condition instanceof net.sf.jsqlparser.expression.NotExpression not) {\n      add(not.getExpression());\n"),
        arguments("NOT IN is IN", "keys/Conditions", "|| in.isNot()", ""),
        arguments(
            "a predicate that can fail is harmless",
            "keys/ReadAnalyzer",
            "if (!conditions.isSafe()) {",
            "if (false) {"),
        arguments(
            "ON may stand anywhere",
            "keys/ReadAnalyzer",
            "&& join.getOnExpressions().size() == (isProduct(join) ? 0 : 1)",
            ""),
        arguments("a RIGHT JOIN is a JOIN", "keys/ReadAnalyzer", "!join.isRight()", "true"),
        arguments(
            "subqueries read nothing",
            "keys/ReadAnalyzer",
            "|| (analyzer.blocks != tree.queries() && !analyzer.refuse(Reason.SUBQUERY, \"\"))",
            ""),
        arguments(
            "plain: who comes is not looked for",
            "keys/ReadPattern",
            "rows.add(tags.unknownOld());\nrows.add(tags.unknownNew());",
            "rows.add(tags.unknownOld());"),
        arguments(
            "plain: who goes is not looked for",
            "keys/ReadPattern",
            "rows.add(tags.unknownOld());\nrows.add(tags.unknownNew());",
            "rows.add(tags.unknownNew());"),
        arguments(
            "found: an absent row stays absent",
            "keys/ReadPattern",
            "result.rows().count() > 0 ? List.of() : null",
            "List.of()"),
        arguments(
            "found: the row never goes",
            "keys/ReadPattern",
            "if (one.shown() == Shown.FOUND) {\nrows.add(tags.unknownOld());",
            "if (one.shown() == Shown.FOUND) {"),
        arguments(
            "found by any key",
            "keys/TopBlock",
            "scheme.unique() && restriction.isOfOneValue()",
            "restriction.isOfOneValue()"),
        arguments(
            "found by an array",
            "keys/TopBlock",
            "scheme.unique() && restriction.isOfOneValue()",
            "scheme.unique() && restriction.values().size() == 1"),
        arguments(
            "found on the side that NULLs fill",
            "keys/TopBlock",
            "block.outer().containsKey(occurrence) ? Shown.NOTHING : Shown.FOUND",
            "Shown.FOUND"),
        arguments(
            "found in an aggregate",
            "keys/TopBlock",
            "return item instanceof AllColumns",
            "return true || item instanceof AllColumns"),
        arguments(
            "covered beside another predicate",
            "keys/TopBlock",
            "&& block.conditions().areOnlyThat(occurrence, scheme)",
            ""),
        arguments("covered under a LIMIT", "keys/TopBlock", "if (!complete) {", "if (false) {"),
        arguments(
            "covered or derived: who goes is not looked for",
            "keys/ReadPattern",
            "shown.add(tags.unknownOld());\nreturn",
            "return"),
        arguments(
            "covered: who comes is not looked for",
            "keys/ReadPattern",
            "rows.add(tags.unknownNew());\nchoices",
            "choices"),
        arguments(
            "columns: a star is none",
            "keys/ColumnUse",
            "if (tokens.isSymbol(i, \"*\") && !counts) {",
            "if (false) {"),
        arguments("columns: a row is none", "keys/ColumnUse", "|| mayMeanRows(scope, wholes)", ""),
        arguments(
            "columns: who comes and goes is not looked for",
            "keys/ColumnUse",
            "tags.add(own.rowsComeAndGo());",
            ""),
        arguments(
            "columns: many are none", "keys/WritePattern", "rows.add(columns.manyColumns());", ""),
        arguments(
            "columns: what is computed is not set",
            "keys/WriteAnalyzer",
            "sets.containsKey(column) || column.computed() || table.assigning()",
            "sets.containsKey(column) || table.assigning()"),
        arguments(
            "columns: triggers assign nothing",
            "keys/WriteAnalyzer",
            "sets.containsKey(column) || column.computed() || table.assigning()",
            "sets.containsKey(column) || column.computed()"),
        arguments(
            "derived along no foreign key",
            "keys/TopBlock",
            "&& isReference(partners, of.table, scheme)",
            ""),
        arguments(
            "derived on the side that NULLs fill beside another predicate",
            "keys/TopBlock",
            "if (on == null || elsewhere) {",
            "if (on == null) {"),
        arguments(
            "derived beside another predicate",
            "keys/Conditions",
            "return mentions.getOrDefault(of, 0) == scheme.columns().size() ? partners : null",
            "return partners"),
        arguments(
            "a row that moves leaves its old value",
            "keys/WritePattern",
            "if (one.changesRows() && (!one.makesRows() || ProtocolStep.NAME_OLD_VALUES.isTaken())) {",
            "if (one.changesRows() && !one.makesRows()) {"),
        arguments(
            "a row that moves comes to no value",
            "keys/WritePattern",
            "if (one.makesRows() && (!one.changesRows() || ProtocolStep.NAME_NEW_VALUES.isTaken())) {",
            "if (one.makesRows() && !one.changesRows()) {"),
        arguments(
            "an UPDATE by one key touches look-ups by that key only",
            "keys/WritePattern",
            "if (values == null || ",
            "if (values != null && "),
        arguments(
            "triggers assign nothing",
            "catalog/KeyTables",
            "anyMatch(KeyTables::mayAssign)",
            "anyMatch(each -> false)"),
        arguments(
            "a default is NULL",
            "keys/WriteAnalyzer",
            "row.containsKey(column) || column.filled()",
            "row.containsKey(column) || !column.filled()"),
        arguments(
            "a generated column stays",
            "keys/WriteAnalyzer",
            "sets.containsKey(c) || c.computed()",
            "sets.containsKey(c)"),
        arguments("OVERRIDING says nothing", "keys/WriteAnalyzer", "|| insert.isOverriding()", ""),
        arguments("ON CONFLICT DO UPDATE inserts", "keys/WriteAnalyzer", "|| !nothingElse", ""),
        arguments("WITH writes nothing", "keys/WriteAnalyzer", "tree.hasWord(\"with\") || ", ""),
        arguments(
            "what follows a write is of other tables",
            "resolve/StatementResolver",
            "return writes.unknown() || writes.tags().contains(tag) ? 0 : table.oid()",
            "return writes.unknown() ? 0 : table.oid()"),
        arguments(
            "a uuid is its text", "keys/KeyType", "? java.util.UUID.fromString(text)", "? text"),
        arguments("a backslash is itself", "keys/Operand", "|| written.indexOf('\\\\') >= 0", ""),
        arguments(
            "a varchar holds all",
            "keys/Restriction",
            "|| (stored && !column.keeps(constant))",
            ""),
        arguments(
            "smallint is no bigint",
            "keys/KeyType",
            "return ((Number) value).longValue()",
            "return value instanceof Long ? value : (Object) (((Number) value).longValue() + 7)"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void isFound(String name, String file, String from, String to) throws Exception {
    Path source = CORE.resolve(file + ".java");
    compile(source, mutated(Files.readString(source), from, to));
    String found = isCaught();
    System.out.println("proof: key mutant: " + name + ": " + found);
    assertThat(found).as(name).startsWith("found");
  }

  private static String mutated(String source, String from, String to) {
    String flat = from.replaceAll("\n\\s*", "\n");
    StringBuilder pattern = new StringBuilder();
    for (String line : flat.split("\n", -1)) {
      pattern.append(pattern.isEmpty() ? "" : "\n\\s*").append(Pattern.quote(line));
    }
    String changed = source.replaceFirst(pattern.toString(), Matcher.quoteReplacement(to));
    assertThat(changed).as("%s is not in the source", from).isNotEqualTo(source);
    return changed;
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private void compile(Path original, String source) throws IOException {
    Path file = classes.resolve(original.getFileName());
    Files.writeString(file, source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath());
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
              .call();
      assertThat(compiled).as("%s", messages).isTrue();
    }
  }

  private String isCaught() throws Exception {
    List<URL> urls = new ArrayList<>();
    urls.add(classes.toUri().toURL());
    for (String path : classPath().split(File.pathSeparator, -1)) {
      urls.add(Path.of(path).toUri().toURL());
    }
    long writes = Long.getLong("larder.keys.mutant.writes", 3_000);
    try (TestDatabase database = TestDatabase.create();
        Larder larder = new Larder(urls.toArray(new URL[0]))) {
      Class<?> oracle = larder.loadClass(KeyOracle.class.getName());
      Object made = oracle.getConstructor(String.class, long.class).newInstance(database.url(), 1L);
      try {
        oracle.getMethod("check", long.class).invoke(made, writes);
        return "not found by " + oracle.getField("counts").get(made);
      } catch (InvocationTargetException e) {
        assertThat(e.getCause()).isInstanceOf(AssertionError.class);
        return "found by " + oracle.getField("counts").get(made);
      } finally {
        oracle.getMethod("close").invoke(made);
      }
    }
  }

  /** Has classes of Larder of its own. */
  private static final class Larder extends URLClassLoader {
    Larder(URL[] urls) {
      super(urls, KeyMutants.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("dev.larder.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? findClass(name) : known;
      }
    }
  }
}
