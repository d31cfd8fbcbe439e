package dev.larder.sql;

import java.util.List;
import java.util.Map;
import net.sf.jsqlparser.expression.AliasedExpression;
import net.sf.jsqlparser.expression.AllValue;
import net.sf.jsqlparser.expression.AnalyticExpression;
import net.sf.jsqlparser.expression.AnyComparisonExpression;
import net.sf.jsqlparser.expression.ArrayConstructor;
import net.sf.jsqlparser.expression.ArrayExpression;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CaseExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.CollateExpression;
import net.sf.jsqlparser.expression.DateTimeLiteralExpression;
import net.sf.jsqlparser.expression.DateUnitExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.ExtractExpression;
import net.sf.jsqlparser.expression.IntervalExpression;
import net.sf.jsqlparser.expression.IntervalQualifier;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.JsonExpression;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.OracleNamedFunctionParameter;
import net.sf.jsqlparser.expression.OverlapsCondition;
import net.sf.jsqlparser.expression.PartitionByClause;
import net.sf.jsqlparser.expression.PostgresNamedFunctionParameter;
import net.sf.jsqlparser.expression.RangeExpression;
import net.sf.jsqlparser.expression.RowConstructor;
import net.sf.jsqlparser.expression.RowGetExpression;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.TimeKeyExpression;
import net.sf.jsqlparser.expression.TimezoneExpression;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.expression.WhenClause;
import net.sf.jsqlparser.expression.WindowDefinition;
import net.sf.jsqlparser.expression.WindowElement;
import net.sf.jsqlparser.expression.WindowOffset;
import net.sf.jsqlparser.expression.WindowRange;
import net.sf.jsqlparser.expression.operators.arithmetic.Addition;
import net.sf.jsqlparser.expression.operators.arithmetic.BitwiseAnd;
import net.sf.jsqlparser.expression.operators.arithmetic.BitwiseLeftShift;
import net.sf.jsqlparser.expression.operators.arithmetic.BitwiseOr;
import net.sf.jsqlparser.expression.operators.arithmetic.BitwiseRightShift;
import net.sf.jsqlparser.expression.operators.arithmetic.BitwiseXor;
import net.sf.jsqlparser.expression.operators.arithmetic.Concat;
import net.sf.jsqlparser.expression.operators.arithmetic.Division;
import net.sf.jsqlparser.expression.operators.arithmetic.Modulo;
import net.sf.jsqlparser.expression.operators.arithmetic.Multiplication;
import net.sf.jsqlparser.expression.operators.arithmetic.Subtraction;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.ContainedBy;
import net.sf.jsqlparser.expression.operators.relational.Contains;
import net.sf.jsqlparser.expression.operators.relational.CosineSimilarity;
import net.sf.jsqlparser.expression.operators.relational.DoubleAnd;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExistsExpression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.GeometryDistance;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsDistinctExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.IsUnknownExpression;
import net.sf.jsqlparser.expression.operators.relational.JsonOperator;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.Matches;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NamedExpressionList;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.expression.operators.relational.RegExpMatchOperator;
import net.sf.jsqlparser.expression.operators.relational.SimilarToExpression;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.statement.create.table.ColDataType;
import net.sf.jsqlparser.statement.select.AllColumns;
import net.sf.jsqlparser.statement.select.AllTableColumns;
import net.sf.jsqlparser.statement.select.FunctionAllColumns;

/** The nodes of which expressions are built. */
final class ExpressionNodes {
  private static final List<Class<? extends BinaryExpression>> BINARY =
      List.of(
          Addition.class,
          AndExpression.class,
          BitwiseAnd.class,
          BitwiseLeftShift.class,
          BitwiseOr.class,
          BitwiseRightShift.class,
          BitwiseXor.class,
          Concat.class,
          ContainedBy.class,
          Contains.class,
          CosineSimilarity.class,
          Division.class,
          DoubleAnd.class,
          EqualsTo.class,
          GeometryDistance.class,
          GreaterThan.class,
          GreaterThanEquals.class,
          IsDistinctExpression.class,
          JsonOperator.class,
          LikeExpression.class,
          Matches.class,
          MinorThan.class,
          MinorThanEquals.class,
          Modulo.class,
          Multiplication.class,
          NotEqualsTo.class,
          OrExpression.class,
          RegExpMatchOperator.class,
          SimilarToExpression.class,
          Subtraction.class);

  private final TreeNodes nodes;

  private ExpressionNodes(TreeNodes nodes) {
    this.nodes = nodes;
  }

  /** Adds the classes to {@code nodes}. */
  static void addTo(TreeNodes nodes) {
    ExpressionNodes table = new ExpressionNodes(nodes);
    table.addValues();
    table.addExpressions();
    table.addCalls();
    table.addOperators();
  }

  private void addValues() {
    nodes.add(StringValue.class);
    nodes.add(DateUnitExpression.class);
    nodes.add(LongValue.class);
    nodes.add(DoubleValue.class);
    nodes.add(BooleanValue.class);
    nodes.add(NullValue.class);
    nodes.add(AllValue.class);
    nodes.add(JdbcParameter.class);
    nodes.add(DateTimeLiteralExpression.class);
    nodes.add(ColDataType.class);
    nodes.add(IntervalQualifier.class);
    nodes.<Column>add(Column.class, Column::getArrayConstructor);
    nodes.<AllColumns>add(
        AllColumns.class, AllColumns::getExceptColumns, AllColumns::getReplaceExpressions);
    nodes.<AllTableColumns>add(
        AllTableColumns.class,
        AllTableColumns::getExceptColumns,
        AllTableColumns::getReplaceExpressions);
    nodes.<FunctionAllColumns>add(FunctionAllColumns.class, FunctionAllColumns::getFunction);
    nodes.add(TimeKeyExpression.class);
  }

  private void addExpressions() {
    nodes.<ArrayConstructor>add(
        ArrayConstructor.class, ArrayConstructor::getExpressions, ArrayConstructor::getDataType);
    nodes.<ArrayExpression>add(
        ArrayExpression.class,
        ArrayExpression::getObjExpression,
        ArrayExpression::getIndexExpression,
        ArrayExpression::getStartIndexExpression,
        ArrayExpression::getStopIndexExpression);
    nodes.<CaseExpression>add(
        CaseExpression.class,
        CaseExpression::getSwitchExpression,
        CaseExpression::getElseExpression,
        CaseExpression::getWhenClauses);
    nodes.<WhenClause>add(
        WhenClause.class, WhenClause::getWhenExpression, WhenClause::getThenExpression);
    nodes.<CastExpression>add(
        CastExpression.class,
        CastExpression::getLeftExpression,
        CastExpression::getColDataType,
        CastExpression::getColumnDefinitions);
    nodes.<CollateExpression>add(CollateExpression.class, CollateExpression::getLeftExpression);
    nodes.<NotExpression>add(NotExpression.class, NotExpression::getExpression);
    nodes.<SignedExpression>add(SignedExpression.class, SignedExpression::getExpression);
    nodes.<TimezoneExpression>add(
        TimezoneExpression.class,
        TimezoneExpression::getLeftExpression,
        TimezoneExpression::getTimezoneExpressions);
    nodes.<IntervalExpression>add(
        IntervalExpression.class,
        IntervalExpression::getExpression,
        IntervalExpression::getIntervalQualifier);
    nodes.<RangeExpression>add(
        RangeExpression.class,
        RangeExpression::getStartExpression,
        RangeExpression::getEndExpression);
    nodes.<RowGetExpression>add(RowGetExpression.class, RowGetExpression::getExpression);
    nodes.<AnyComparisonExpression>add(
        AnyComparisonExpression.class, AnyComparisonExpression::getSelect);
    nodes.add(ExpressionList.class);
    nodes.add(ParenthesedExpressionList.class);
    nodes.add(RowConstructor.class);
    nodes.add(NamedExpressionList.class);
    nodes.add(PartitionByClause.class);
    nodes.<AliasedExpression>add(
        AliasedExpression.class, AliasedExpression::getExpression, AliasedExpression::getAlias);
  }

  private void addCalls() {
    nodes.<net.sf.jsqlparser.expression.Function>add(
        net.sf.jsqlparser.expression.Function.class,
        net.sf.jsqlparser.expression.Function::getParameters,
        net.sf.jsqlparser.expression.Function::getChainedParameters,
        net.sf.jsqlparser.expression.Function::getNamedParameters,
        net.sf.jsqlparser.expression.Function::getAttribute,
        net.sf.jsqlparser.expression.Function::getKeep,
        net.sf.jsqlparser.expression.Function::getLimit,
        net.sf.jsqlparser.expression.Function::getHavingClause,
        net.sf.jsqlparser.expression.Function::getKeywordArguments,
        net.sf.jsqlparser.expression.Function::getOrderByElements);
    nodes.<AnalyticExpression>add(
        AnalyticExpression.class,
        AnalyticExpression::getExpression,
        AnalyticExpression::getOffset,
        AnalyticExpression::getDefaultValue,
        AnalyticExpression::getOrderByElements,
        AnalyticExpression::getKeep,
        AnalyticExpression::getPartitionExpressionList,
        AnalyticExpression::getWindowElement,
        AnalyticExpression::getWindowDefinition,
        AnalyticExpression::getHavingClause,
        AnalyticExpression::getLimit,
        AnalyticExpression::getKeywordArguments,
        AnalyticExpression::getFilterExpression);
    nodes.<WindowDefinition>add(
        WindowDefinition.class,
        WindowDefinition::getOrderByElements,
        WindowDefinition::getPartitionExpressionList,
        WindowDefinition::getWindowElement);
    nodes.<WindowElement>add(
        WindowElement.class, WindowElement::getOffset, WindowElement::getRange);
    nodes.<WindowOffset>add(WindowOffset.class, WindowOffset::getExpression);
    nodes.<WindowRange>add(WindowRange.class, WindowRange::getStart, WindowRange::getEnd);
    nodes.<ExtractExpression>add(ExtractExpression.class, ExtractExpression::getExpression);
    nodes.<TrimFunction>add(
        TrimFunction.class, TrimFunction::getExpression, TrimFunction::getFromExpression);
    nodes.<PostgresNamedFunctionParameter>add(
        PostgresNamedFunctionParameter.class, PostgresNamedFunctionParameter::getExpression);
    nodes.<OracleNamedFunctionParameter>add(
        OracleNamedFunctionParameter.class, OracleNamedFunctionParameter::getExpression);
  }

  private void addOperators() {
    for (Class<? extends BinaryExpression> type : BINARY) {
      nodes.<BinaryExpression>add(
          type, BinaryExpression::getLeftExpression, BinaryExpression::getRightExpression);
    }
    nodes.<LikeExpression>add(LikeExpression.class, LikeExpression::getEscape);
    nodes.<Between>add(
        Between.class,
        Between::getLeftExpression,
        Between::getBetweenExpressionStart,
        Between::getBetweenExpressionEnd);
    nodes.<ExistsExpression>add(ExistsExpression.class, ExistsExpression::getRightExpression);
    nodes.<InExpression>add(
        InExpression.class, InExpression::getLeftExpression, InExpression::getRightExpression);
    nodes.<IsBooleanExpression>add(
        IsBooleanExpression.class, IsBooleanExpression::getLeftExpression);
    nodes.<IsNullExpression>add(IsNullExpression.class, IsNullExpression::getLeftExpression);
    nodes.<IsUnknownExpression>add(
        IsUnknownExpression.class, IsUnknownExpression::getLeftExpression);
    nodes.<JsonExpression>add(
        JsonExpression.class,
        JsonExpression::getExpression,
        json -> json.getIdentList().stream().map(Map.Entry::getKey).toList());
    nodes.<OverlapsCondition>add(
        OverlapsCondition.class, OverlapsCondition::getLeft, OverlapsCondition::getRight);
  }
}
