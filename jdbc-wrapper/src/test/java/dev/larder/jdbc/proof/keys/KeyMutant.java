package dev.larder.jdbc.proof.keys;

import java.util.List;

/**
 * A piece of Larder's source put otherwise, so that a rule of docs/invalidation.md does not hold.
 *
 * @param oracle what finds that, or one that does the same
 */
record KeyMutant(String name, Class<?> oracle, List<Edit> edits) {
  /** {@code from} is looked for in {@code file}; blanks that begin a line do not count. */
  record Edit(String file, String from, String to) {}

  /** Of a thousand. */
  private static final long SHARE_OF_VALUES = 300;

  /** All of them. */
  static final List<KeyMutant> ALL =
      List.of(
          of(
              "an ON of a LEFT JOIN filters the preserved side",
              "keys/Conditions",
              "if (place.of() == filled) {",
              "if (true) {"),
          of(
              "one branch of an OR is enough",
              "keys/Conditions",
              "complete &= some != null && all.addAll(some)",
              "complete &= some == null || all.addAll(some)"),
          of(
              "NOT is read over",
              "keys/Conditions",
              "parts.forEach(this::add);\n",
              "parts.forEach(this::add);\n    } else if (condition instanceof net.sf.jsqlparser.expression.NotExpression not) {\n      add(not.getExpression());\n"),
          of("NOT IN is IN", "keys/Conditions", "in.isNot() || ", ""),
          of(
              "a predicate that can fail is harmless",
              "keys/ReadAnalyzer",
              "if (!conditions.isSafe()) {",
              "if (false) {"),
          of(
              "ON may stand anywhere",
              "keys/ReadAnalyzer",
              "&& join.getOnExpressions().size() == (isProduct(join) ? 0 : 1)",
              ""),
          of("a RIGHT JOIN is a JOIN", "keys/ReadAnalyzer", "!join.isRight()", "true"),
          new KeyMutant(
              "subqueries read nothing",
              KeyOracle.class,
              List.of(
                  new Edit(
                      "keys/ReadAnalyzer",
                      "|| (analyzer.blocks != tree.queries() && !analyzer.refuse(Reason.SUBQUERY, \"\"))",
                      ""),
                  new Edit(
                      "keys/ReadAnalyzer",
                      ".allMatch(each -> subquery(each, own))",
                      ".allMatch(each -> true)"))),
          of(
              "a subquery is for the rows that any part of the condition around is for",
              "keys/Conditions",
              "constants.putAll(around.constants);",
              "constants.putAll(around.constants);\n    around.choices.forEach(choice -> choice.forEach(one -> constants.putAll(one.constants)));"),
          of(
              "a name in a subquery is one of the block around",
              "keys/Scope",
              "Place found = null;",
              "Place found = around == null ? null : around.place(column);\n    if (found != null) {\n      return found;\n    }"),
          of("LIKE never fails", "keys/LikePattern", "|| text.indexOf('\\\\') >= 0", ""),
          of(
              "plain: who comes is not looked for",
              "keys/ReadPattern",
              "} else {\nrows.add(tags.unknownNew());",
              "} else {"),
          of(
              "plain: who goes is not looked for",
              "keys/ReadPattern",
              "} else {\nrows.add(tags.unknownOld());",
              "} else {"),
          of(
              "found: an absent row stays absent",
              "keys/Dependencies",
              "rows == 1 ? One.ROW : result -> result.rows().count() >= rows ? List.of() : null",
              "result -> List.of()"),
          of(
              "found: one of several is enough",
              "keys/Dependencies",
              "count() >= rows",
              "count() > 0"),
          of(
              "found: the row never goes",
              "keys/ReadPattern",
              "} else {\nrows.add(tags.unknownOld());",
              "} else if (!one.isFound()) {\nrows.add(tags.unknownOld());"),
          of(
              "found by any key",
              "keys/TopBlock",
              "if (scheme.unique() && (restriction",
              "if ((restriction"),
          of(
              "found: rows of a join are rows of the table",
              "keys/TopBlock",
              "(restriction.isOfOneValue() || countable)",
              "true"),
          of(
              "found on the side that NULLs fill",
              "keys/TopBlock",
              "return outer ? Shown.NOTHING :",
              "return"),
          of(
              "found in an aggregate",
              "keys/TopBlock",
              "return item instanceof AllColumns",
              "return true || item instanceof AllColumns"),
          of(
              "covered beside another predicate",
              "keys/TopBlock",
              "&& block.conditions().areOnlyThat(occurrence, scheme)",
              ""),
          of("covered under a LIMIT", "keys/TopBlock", "if (!complete) {", "if (false) {"),
          of(
              "covered or derived: who goes is not looked for",
              "keys/ReadPattern",
              "shown.add(tags.unknownOld());\nreturn",
              "return"),
          of(
              "covered: who comes is not looked for",
              "keys/ReadPattern",
              "&& mentions.get(0).scheme().unique()",
              ""),
          of(
              "covered by a key beside another predicate",
              "keys/TopBlock",
              "&& isAlone(occurrence, scheme)\n&& places",
              "&& places"),
          of(
              "columns: a star is none",
              "keys/ColumnUse",
              "if (tokens.isSymbol(i, \"*\") && !counts) {",
              "if (false) {"),
          of("columns: a row is none", "keys/ColumnUse", "|| mayMeanRows(scope, wholes)", ""),
          of(
              "columns: a call behind a dot is a column",
              "keys/ColumnUse",
              "|| mayCallWithRows(scope, tree.tokens())",
              ""),
          of(
              "columns: who comes and goes is not looked for",
              "keys/ColumnUse",
              "tags.add(own.rowsComeAndGo());",
              ""),
          of("columns: many are none", "keys/WritePattern", "rows.add(columns.manyColumns());", ""),
          of(
              "columns: what is computed is not set",
              "keys/WriteAnalyzer",
              "sets.containsKey(column) || table.decides(column)",
              "sets.containsKey(column)"),
          of(
              "what is computed is as it is given",
              "keys/KeyTable",
              "column.computed() || assigned == null",
              "assigned == null"),
          of(
              "triggers assign nothing that their bodies name",
              "keys/KeyTable",
              " || assigned.contains(column.name())",
              ""),
          of(
              "derived along no foreign key",
              "keys/TopBlock",
              "&& isReference(partners, of.table, scheme)",
              ""),
          of(
              "derived on the side that NULLs fill beside another predicate",
              "keys/TopBlock",
              "if (on == null || elsewhere) {",
              "if (on == null) {"),
          of(
              "derived beside another predicate",
              "keys/Conditions",
              "return mentions.getOrDefault(of, 0) == scheme.columns().size() ? partners : null",
              "return partners"),
          of(
              "a row that moves leaves its old value",
              "keys/WritePattern",
              "if (one.changesRows() && (!one.makesRows() || ProtocolStep.NAME_OLD_VALUES.isTaken())) {",
              "if (one.changesRows() && !one.makesRows()) {"),
          of(
              "a row that moves comes to no value",
              "keys/WritePattern",
              "if (one.makesRows() && (!one.changesRows() || ProtocolStep.NAME_NEW_VALUES.isTaken())) {",
              "if (one.makesRows() && !one.changesRows()) {"),
          of(
              "an UPDATE by one key touches look-ups by that key only",
              "keys/WritePattern",
              "if (values == null || ",
              "if (values != null && "),
          of(
              "triggers that are not understood assign nothing",
              "resolve/AssignedColumns",
              "text == null || text.assigned() == null",
              "text == null"),
          of(
              "triggers run after the row is made",
              "resolve/AssignedColumns",
              "fires && trigger.beforeRow()",
              "false"),
          of("a trigger returns its row", "code/PlpgsqlReader", "if (!asItIs) {", "if (false) {"),
          of(
              "INTO assigns nothing",
              "code/BodyPieces",
              "    assign(i);\n    i = tokens.afterName(i);\n    while",
              "    i = tokens.afterName(i);\n    while"),
          of(
              "a default is NULL",
              "keys/WriteAnalyzer",
              "row.containsKey(column) || column.filled()",
              "row.containsKey(column) || !column.filled()"),
          of(
              "a generated column stays",
              "keys/WriteAnalyzer",
              "sets.containsKey(c) || table.decides(c)",
              "sets.containsKey(c)"),
          of(
              "OVERRIDING says nothing",
              "keys/WriteAnalyzer",
              "insert.isOverriding() ? null : ",
              ""),
          of(
              "ON CONFLICT DO UPDATE inserts",
              "keys/WriteAnalyzer",
              "if (action != null && action.getConflictActionType() != ConflictActionType.DO_NOTHING) {",
              "if (false) {"),
          of(
              "ON CONFLICT DO UPDATE finds rows as they are inserted",
              "keys/WriteAnalyzer",
              "scheme, null, moves(scheme, sets, table) ?",
              "scheme, made(scheme, rows, table), moves(scheme, sets, table) ?"),
          of(
              "ON CONFLICT DO UPDATE sets what is inserted",
              "keys/WriteAnalyzer",
              "moves(scheme, sets, table) ? null : made(scheme, rows, table)",
              "made(scheme, rows, table)"),
          of(
              "ON CONFLICT compares as the column does",
              "catalog/KeyTables",
              "!others.contains(",
              "true || !others.contains("),
          // One of the two alone would do.
          new KeyMutant(
              "WITH writes nothing",
              KeyOracle.class,
              List.of(
                  new Edit("keys/WriteAnalyzer", "tree.hasWord(\"with\") || ", ""),
                  new Edit(
                      "resolve/StatementResolver",
                      "facts.targets().size() == 1 ?",
                      "!facts.targets().isEmpty() ?"))),
          of(
              "what follows a write is of other tables",
              "resolve/StatementResolver",
              "return writes.unknown() || writes.tags().contains(tag) ? 0 : table.oid()",
              "return writes.unknown() ? 0 : table.oid()"),
          ofValue(
              "a uuid is its text", "keys/KeyType", "? java.util.UUID.fromString(text)", "? text"),
          ofValue(
              "every collation is of bytes",
              "catalog/KeyTables",
              "row.exact() ? KeyType.TEXT : null",
              "KeyType.TEXT"),
          ofValue(
              "char(n) is text", "catalog/KeyTables", "case 25, 1043 ->", "case 25, 1042, 1043 ->"),
          ofValue(
              "a cast is what it casts",
              "keys/Operand",
              "int literal = QueryTree.literal(expression);",
              "if (expression instanceof net.sf.jsqlparser.expression.CastExpression cast) {\n"
                  + "      return of(cast.getLeftExpression());\n    }\n"
                  + "    int literal = QueryTree.literal(expression);"),
          ofValue(
              "a minus is nothing",
              "keys/Operand",
              "negated && !written.equals(\"0\") ? '-' + written : written",
              "written"),
          new KeyMutant(
              "an escape is itself",
              ValueOracle.class,
              List.of(
                  new Edit("keys/Operand", "|| written.indexOf('\\\\') >= 0", ""),
                  new Edit(
                      "lexer/StatementText",
                      "return literal.startsWith(\"'\")",
                      "if (literal.startsWith(\"E\")) {\n      return unquoted(literal.substring(1));\n"
                          + "    }\n    return literal.startsWith(\"'\")"))),
          ofValue(
              "a varchar holds all",
              "keys/Restriction",
              "|| (stored && !column.keeps(constant))",
              ""),
          ofValue(
              "smallint is no bigint",
              "keys/KeyType",
              "return ((Number) value).longValue()",
              "return value instanceof Long ? value : (Object) (((Number) value).longValue() + 7)"));

  /** Returns how much of its oracle's work is enough to find it, where {@code writes} are made. */
  long amount(long writes) {
    return oracle == ValueOracle.class ? SHARE_OF_VALUES : writes;
  }

  private static KeyMutant ofValue(String name, String file, String from, String to) {
    return new KeyMutant(name, ValueOracle.class, List.of(new Edit(file, from, to)));
  }

  private static KeyMutant of(String name, String file, String from, String to) {
    return new KeyMutant(name, KeyOracle.class, List.of(new Edit(file, from, to)));
  }

  @Override
  public String toString() {
    return name;
  }
}
