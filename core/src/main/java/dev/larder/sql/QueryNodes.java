package dev.larder.sql;

import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.select.Distinct;
import net.sf.jsqlparser.statement.select.ExceptOp;
import net.sf.jsqlparser.statement.select.Fetch;
import net.sf.jsqlparser.statement.select.GroupByElement;
import net.sf.jsqlparser.statement.select.IntersectOp;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.LateralSubSelect;
import net.sf.jsqlparser.statement.select.Limit;
import net.sf.jsqlparser.statement.select.Offset;
import net.sf.jsqlparser.statement.select.OrderByElement;
import net.sf.jsqlparser.statement.select.ParenthesedFromItem;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.SelectItem;
import net.sf.jsqlparser.statement.select.SetOperationList;
import net.sf.jsqlparser.statement.select.TableFunction;
import net.sf.jsqlparser.statement.select.TableStatement;
import net.sf.jsqlparser.statement.select.UnionOp;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.select.WithCycleClause;
import net.sf.jsqlparser.statement.select.WithItem;
import net.sf.jsqlparser.statement.select.WithSearchClause;

/** The nodes of which queries, their clauses and FROM items are built. */
final class QueryNodes {
  private final TreeNodes nodes;

  private QueryNodes(TreeNodes nodes) {
    this.nodes = nodes;
  }

  /** Adds the classes to {@code nodes}. */
  static void addTo(TreeNodes nodes) {
    QueryNodes table = new QueryNodes(nodes);
    table.addQueries();
    table.addClauses();
    table.addFromItems();
  }

  private void addSelect(Class<? extends Select> type) {
    nodes.<Select>add(
        type,
        Select::getWithItemsList,
        Select::getForClause,
        Select::getOption,
        Select::getOrderByElements,
        Select::getInterpolate,
        Select::getLimit,
        Select::getLimitBy,
        Select::getOffset,
        Select::getFetch,
        Select::getIsolation,
        Select::getMySqlProcedureAnalyse,
        Select::getForUpdate,
        Select::getAlias,
        Select::getPivot,
        Select::getUnPivot,
        Select::getSampleClause);
  }

  private void addQueries() {
    addSelect(PlainSelect.class);
    nodes.<PlainSelect>add(
        PlainSelect.class,
        PlainSelect::getFromItem,
        PlainSelect::getMySqlSelectIntoClause,
        PlainSelect::getSelectItems,
        PlainSelect::getWhere,
        PlainSelect::getPreWhere,
        PlainSelect::getLateralViews,
        PlainSelect::getJoins,
        PlainSelect::getSettings,
        PlainSelect::getOptimizeFor,
        PlainSelect::getTop,
        PlainSelect::getSkip,
        PlainSelect::getFirst,
        PlainSelect::getDistinct,
        PlainSelect::getHaving,
        PlainSelect::getQualify,
        PlainSelect::getGroupBy,
        PlainSelect::getOracleHierarchical,
        PlainSelect::getPreferringClause,
        PlainSelect::getKsqlWindow,
        PlainSelect::getWindowDefinitions);
    addSelect(SetOperationList.class);
    nodes.<SetOperationList>add(
        SetOperationList.class, SetOperationList::getSelects, SetOperationList::getOperations);
    addSelect(ParenthesedSelect.class);
    nodes.<ParenthesedSelect>add(ParenthesedSelect.class, ParenthesedSelect::getSelect);
    addSelect(LateralSubSelect.class);
    nodes.<LateralSubSelect>add(LateralSubSelect.class, ParenthesedSelect::getSelect);
    addSelect(Values.class);
    nodes.<Values>add(Values.class, Values::getExpressions);
    addSelect(TableStatement.class);
    nodes.<TableStatement>add(TableStatement.class, TableStatement::getTable);
  }

  private void addClauses() {
    nodes.<WithItem<?>>add(
        withItem(),
        WithItem::getParenthesedStatement,
        WithItem::getAlias,
        WithItem::getWithItemList,
        WithItem::getWithFunctionDeclaration,
        WithItem::getSearchClause,
        WithItem::getCycleClause);
    nodes.<WithSearchClause>add(WithSearchClause.class, WithSearchClause::getSearchColumns);
    nodes.<WithCycleClause>add(
        WithCycleClause.class,
        WithCycleClause::getCycleColumns,
        WithCycleClause::getMarkValue,
        WithCycleClause::getMarkDefault);
    nodes.<SelectItem<?>>add(selectItem(), SelectItem::getExpression, SelectItem::getAlias);
    nodes.<Distinct>add(Distinct.class, Distinct::getOnSelectItems);
    nodes.<GroupByElement>add(
        GroupByElement.class,
        GroupByElement::getGroupByExpressionList,
        GroupByElement::getGroupingSets);
    nodes.<OrderByElement>add(
        OrderByElement.class, OrderByElement::getExpression, OrderByElement::getWithFill);
    nodes.<Limit>add(Limit.class, Limit::getOffset, Limit::getRowCount, Limit::getByExpressions);
    nodes.<Offset>add(Offset.class, Offset::getOffset);
    nodes.<Fetch>add(Fetch.class, Fetch::getExpression);
    nodes.add(UnionOp.class);
    nodes.add(IntersectOp.class);
    nodes.add(ExceptOp.class);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Class<WithItem<?>> withItem() {
    return (Class) WithItem.class;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Class<SelectItem<?>> selectItem() {
    return (Class) SelectItem.class;
  }

  private void addFromItems() {
    nodes.<Table>add(
        Table.class,
        Table::getAlias,
        Table::getPivot,
        Table::getUnPivot,
        Table::getSqlServerHints,
        Table::getIndexHint,
        Table::getSampleClause);
    nodes.<ParenthesedFromItem>add(
        ParenthesedFromItem.class,
        ParenthesedFromItem::getFromItem,
        ParenthesedFromItem::getJoins,
        ParenthesedFromItem::getAlias,
        ParenthesedFromItem::getPivot,
        ParenthesedFromItem::getUnPivot,
        ParenthesedFromItem::getSampleClause);
    nodes.<TableFunction>add(
        TableFunction.class,
        TableFunction::getFunctions,
        TableFunction::getAlias,
        TableFunction::getPivot,
        TableFunction::getUnPivot,
        TableFunction::getSampleClause);
    nodes.<Join>add(
        Join.class,
        Join::getFromItem,
        Join::getOnExpressions,
        Join::getUsingColumns,
        Join::getJoinWindow);
    nodes.<Alias>add(Alias.class, Alias::getAliasColumns);
    nodes.<Alias.AliasColumn>add(Alias.AliasColumn.class, column -> column.colDataType);
  }
}
