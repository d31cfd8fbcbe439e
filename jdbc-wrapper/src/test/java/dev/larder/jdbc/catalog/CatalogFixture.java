package dev.larder.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.catalog.CatalogVersion;
import dev.larder.jdbc.TestDatabase;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.QueryWords;
import dev.larder.lexer.SqlLexer;
import dev.larder.lexer.StatementShape;
import dev.larder.resolve.Declarations;
import dev.larder.resolve.EffectfulNames;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.resolve.Scope;
import dev.larder.resolve.StatementResolver;
import dev.larder.sql.SqlAnalysis;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A database with a schema, and what statements mean in it. */
final class CatalogFixture implements AutoCloseable {
  static final List<String> PATH = List.of("pg_catalog", "public");

  private static final SqlAnalyzer ANALYZER = new SqlAnalyzer();

  final TestDatabase database;
  final TableVersions versions = new TableVersions();
  final PostgresCatalogLoader loader;
  private CatalogVersion catalog;

  CatalogFixture(String... ddl) throws SQLException {
    database = TestDatabase.create();
    database.execute(ddl);
    loader = new PostgresCatalogLoader(database::connect);
    catalog = loader.load();
  }

  /** Runs DDL and loads the catalog again. */
  void alter(String... ddl) throws SQLException {
    database.execute(ddl);
    catalog = loader.load();
  }

  ResolvedStatement resolve(String sql) {
    return resolve(sql, PATH, Declarations.NONE);
  }

  ResolvedStatement resolve(String sql, List<String> path, Declarations declarations) {
    StatementShape shape = SqlLexer.lex(sql, LexOptions.STATEMENT).shape();
    SqlAnalysis analysis = ANALYZER.analyze(shape);
    ResolvedStatement resolved =
        new StatementResolver(new Scope(catalog, path, Set.of(), declarations, versions))
            .resolve(analysis);
    QueryWords words = QueryWords.of(shape);
    if (words != null && !new EffectfulNames(catalog, declarations, versions).areAmong(words)) {
      assertThat(resolved.writes().isEmpty()).as("%s writes", sql).isTrue();
      assertThat(resolved.changesSettings()).as("%s changes settings", sql).isFalse();
      assertThat(resolved.reloadsCatalog()).as("%s changes the catalog", sql).isFalse();
      assertThat(resolved.taintsSession()).as("%s makes something temporary", sql).isFalse();
    }
    return resolved;
  }

  /** Returns the tags as {@code RELATION:name} and {@code BELOW:name}. */
  Set<String> names(List<TableTag> tags) throws SQLException {
    Set<String> names = new TreeSet<>();
    for (TableTag tag : tags) {
      names.add(tag.scope() + ":" + name(tag.oid()));
    }
    return names;
  }

  String name(long oid) throws SQLException {
    return database.queryString("SELECT relname FROM pg_class WHERE oid = " + oid);
  }

  Set<String> reads(String sql) throws SQLException {
    return names(resolve(sql).readTags());
  }

  Set<String> writes(String sql) throws SQLException {
    ResolvedStatement resolved = resolve(sql);
    return resolved.writes().unknown() ? Set.of("UNKNOWN") : names(resolved.writes().tags());
  }

  @Override
  public void close() throws SQLException {
    loader.release();
    database.close();
  }
}
