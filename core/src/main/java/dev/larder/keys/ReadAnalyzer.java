package dev.larder.keys;

import dev.larder.keys.ReadPattern.Shown;
import dev.larder.keys.Scope.Occurrence;
import dev.larder.keys.Wide.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SetOperationList;
import org.jspecify.annotations.Nullable;

/**
 * Finds which rows of its tables a query depends on: for each mention of a table the equality that
 * restricts it to some values of one of its schemes. What is not understood in full is not
 * restricted. Pure.
 *
 * <p>An equality restricts a mention where it is a part of WHERE, or of the ON of an inner join,
 * that must hold; or of the ON of a LEFT JOIN, for the side that is filled with NULLs. Then a row
 * with other values is in no result, and cannot keep another from it. A condition beside it that
 * can fail could make an error of such a row, so that with one of those nothing is restricted. A
 * subquery is a block of its own, and knows what the block around it equals.
 */
public final class ReadAnalyzer {
  /** Words that begin something in which names or rows mean something else. */
  private static final Set<String> OTHER_WORDS =
      Set.of("with", "lateral", "tablesample", "using", "natural", "ordinality");

  private final QueryTree tree;
  private final Names names;

  /** What is found of each table, or an empty list where a mention of it is not restricted. */
  private final Map<KeyTable, List<Restriction>> found = new LinkedHashMap<>();

  /** Why more rows matter than are found. */
  private final List<Wide> wide = new ArrayList<>();

  /** The block that was understood last. */
  private @Nullable Block last;

  private int blocks;
  private final List<DoubtfulPart> doubtful = new ArrayList<>();

  private ReadAnalyzer(QueryTree tree, Names names) {
    this.tree = tree;
    this.names = names;
  }

  /** Returns the tables of a query that are restricted, in each mention of them. */
  public static ReadPattern analyze(QueryTree tree, Names names) {
    ReadAnalyzer analyzer = new ReadAnalyzer(tree, names);
    List<ColumnUse> columns = ColumnUse.of(tree, names);
    if (analyzer.hasOtherWords()
        || !(tree.statement() instanceof Select select)
        || !analyzer.query(select)
        || (analyzer.blocks != tree.queries() && !analyzer.refuse(Reason.SUBQUERY, ""))) {
      return new ReadPattern(
          tree.literals(), List.of(), List.of(), columns, List.of(), analyzer.wide);
    }
    analyzer.found.values().removeIf(List::isEmpty);
    TopBlock top =
        analyzer.blocks == 1 && select instanceof PlainSelect block && analyzer.last != null
            ? new TopBlock(block, analyzer.last, analyzer.wide)
            : null;
    List<ReadPattern.OfTable> tables = new ArrayList<>();
    analyzer.found.forEach(
        (table, mentions) ->
            tables.add(
                new ReadPattern.OfTable(
                    table, mentions, top == null ? Shown.NOTHING : top.shown(table, mentions))));
    return new ReadPattern(
        tree.literals(),
        tables,
        top == null ? List.of() : top.derived(analyzer.found),
        columns,
        analyzer.doubtful,
        analyzer.wide);
  }

  private boolean hasOtherWords() {
    Stream<String> all = Stream.concat(OTHER_WORDS.stream().sorted(), Stream.of("only"));
    return all.filter(word -> tree.hasWord(word) && !(word.equals("only") && tree.hasWord("fetch")))
        .anyMatch(word -> !refuse(Reason.CLAUSE, word.toUpperCase(Locale.ROOT)));
  }

  /** Notes why nothing is restricted, and returns false. */
  private boolean refuse(Reason reason, String detail) {
    wide.add(new Wide("", reason, detail));
    return false;
  }

  private boolean query(Select select) {
    if (select.getWithItemsList() != null || select.getPivot() != null) {
      return refuse(Reason.NOT_UNDERSTOOD, "");
    }
    if (select instanceof ParenthesedSelect nested) {
      return nested.getAlias() == null && query(nested.getSelect());
    }
    if (select instanceof SetOperationList list) {
      return list.getSelects().stream().allMatch(this::query);
    }
    return select instanceof PlainSelect block
        ? block(block, null)
        : refuse(Reason.NOT_UNDERSTOOD, "");
  }

  private boolean block(PlainSelect block, @Nullable Block around) {
    blocks++;
    if (!isKnown(block) || !(block.getFromItem() instanceof Table first)) {
      return refuse(isKnown(block) ? Reason.SUBQUERY : Reason.NOT_UNDERSTOOD, "");
    }
    Scope scope = new Scope(tree, names, around == null ? null : around.scope());
    List<Join> joins = block.getJoins() == null ? List.of() : block.getJoins();
    Conditions conditions = new Conditions(scope);
    if (!add(first, scope) || !joins.stream().allMatch(join -> join(join, scope))) {
      return false;
    }
    conditions.add(block.getWhere());
    for (Join join : joins) {
      if (!join.isLeft()) {
        join.getOnExpressions().forEach(conditions::add);
      }
    }
    if (!isSafeHaving(block.getHaving(), scope)) {
      return false;
    }
    if (around != null) {
      conditions.addAround(around.conditions());
    }
    conditions.carryOver();
    Map<Occurrence, Conditions> outer = outer(joins, scope, conditions);
    if (!conditions.isSafe()) {
      return refuse(Reason.CONDITION, conditions.refused());
    }
    return found(block, new Block(scope, conditions, outer));
  }

  /** Adds what is found of a block's tables and of its subqueries. */
  private boolean found(PlainSelect block, Block own) {
    own.scope().occurrences().forEach(occurrence -> found(occurrence, own.conditions()));
    doubtful.addAll(own.conditions().doubtful);
    boolean known =
        Stream.concat(own.conditions().subqueries.stream(), Subquery.inSelectList(block).stream())
            .allMatch(each -> subquery(each, own));
    last = own;
    return known;
  }

  /** Only for the rows of the block around that matter, a subquery matters. */
  private boolean subquery(Subquery one, Block around) {
    return block(one.select(), around)
        && last != null
        && (one.isPlain(last.scope()) || refuse(Reason.SUBQUERY, ""));
  }

  /** A planner makes what HAVING says of single rows a part of WHERE. */
  private boolean isSafeHaving(@Nullable Expression having, Scope scope) {
    SafeCondition judged = new SafeCondition(scope);
    boolean safe = having == null || judged.accepts(having);
    doubtful.addAll(judged.doubtful());
    return safe || refuse(Reason.CONDITION, judged.refused());
  }

  private boolean add(Table table, Scope scope) {
    return scope.add(table) != null || refuse(Reason.NO_TABLE, tree.name(table.getName()));
  }

  /** Adds what LEFT JOINs say of what they fill, and returns it by that. */
  private static Map<Occurrence, Conditions> outer(
      List<Join> joins, Scope scope, Conditions conditions) {
    Map<Occurrence, Conditions> outer = new LinkedHashMap<>();
    for (int i = 0; i < joins.size(); i++) {
      if (joins.get(i).isLeft()) {
        Conditions on = new Conditions(scope);
        joins.get(i).getOnExpressions().forEach(on::add);
        conditions.addOuter(on, scope.occurrences().get(i + 1));
        outer.put(scope.occurrences().get(i + 1), on);
      }
    }
    return outer;
  }

  private boolean join(Join join, Scope scope) {
    boolean known =
        !join.isRight()
            && !join.isFull()
            && !join.isNatural()
            && !join.isApply()
            && !join.isSemi()
            && !join.isStraight()
            && !join.isWindowJoin()
            && !join.isGlobal()
            && !join.isAsOf()
            && !join.isAny()
            && !join.isAll()
            && !join.isArray()
            && !join.isFetch()
            && join.getJoinHint() == null
            && join.getUsingColumns().isEmpty()
            && join.getOnExpressions().size() == (isProduct(join) ? 0 : 1);
    if (!known) {
      return refuse(Reason.JOIN, "");
    }
    return join.getFromItem() instanceof Table table
        ? add(table, scope)
        : refuse(Reason.SUBQUERY, "");
  }

  /** Only what follows a comma or CROSS JOIN has no ON; with two of them, joins are nested. */
  private static boolean isProduct(Join join) {
    return join.isSimple() || join.isCross();
  }

  private void found(Occurrence occurrence, Conditions conditions) {
    Restriction best = best(occurrence, conditions);
    List<Restriction> before = found.get(occurrence.table);
    if (best == null || (before != null && before.isEmpty())) {
      found.put(occurrence.table, List.of());
      if (best == null) {
        wide.add(conditions.whyWide(occurrence));
      }
    } else {
      found.put(
          occurrence.table,
          before == null
              ? List.of(best)
              : Stream.concat(before.stream(), Stream.of(best)).toList());
    }
  }

  private static @Nullable Restriction best(Occurrence occurrence, Conditions conditions) {
    Restriction best = null;
    for (KeyScheme scheme : occurrence.table.schemes()) {
      Restriction one = conditions.restriction(occurrence, scheme);
      if (one != null && (best == null || isBetter(one, best))) {
        best = one;
      }
    }
    return best;
  }

  private static boolean isBetter(Restriction one, Restriction other) {
    if (one.scheme().unique() != other.scheme().unique()) {
      return one.scheme().unique();
    }
    return one.values().size() < other.values().size();
  }

  /** Whether there is nothing in a block but what is looked at here, or changes no dependence. */
  private static boolean isKnown(PlainSelect block) {
    List<@Nullable Object> others = new ArrayList<>();
    others.add(block.getIntoTables());
    others.add(block.getMySqlSelectIntoClause());
    others.add(block.getPreWhere());
    others.add(block.getLateralViews());
    others.add(block.getIntoTempTable());
    others.add(block.getSettings());
    others.add(block.getSampleClause());
    others.add(block.getOptimizeFor());
    others.add(block.getTop());
    others.add(block.getSkip());
    others.add(block.getFirst());
    others.add(block.getQualify());
    others.add(block.getOracleHierarchical());
    others.add(block.getPreferringClause());
    others.add(block.getOracleHint());
    others.add(block.getForXmlPath());
    others.add(block.getKsqlWindow());
    others.add(block.getUnPivot());
    others.add(block.getLimitBy());
    others.add(block.getMySqlProcedureAnalyse());
    others.add(block.getIsolation());
    others.add(block.getOption());
    others.add(block.getAlias());
    return others.stream().allMatch(each -> each == null || isEmpty(each))
        && !block.isUsingFinal()
        && !block.getMySqlSqlCalcFoundRows();
  }

  private static boolean isEmpty(Object part) {
    return part instanceof List<?> list && list.isEmpty();
  }

  /**
   * A block with what its conditions say.
   *
   * @param outer the conditions of each LEFT JOIN, by what it fills with NULLs
   */
  record Block(Scope scope, Conditions conditions, Map<Occurrence, Conditions> outer) {}
}
