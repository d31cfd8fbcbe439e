package dev.larder.jdbc.proof.keys;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.catalog.CatalogVersion;
import dev.larder.keys.KeyTable;
import dev.larder.lexer.StatementShape;
import dev.larder.resolve.Declarations;
import dev.larder.resolve.ResolvedStatement;
import dev.larder.resolve.Scope;
import dev.larder.resolve.StatementKeys;
import dev.larder.resolve.StatementResolver;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What Larder makes of statements, by one catalog and without a cache. */
record KeyAnalysis(CatalogVersion catalog, TableVersions versions) {
  private static final SqlAnalyzer ANALYZER = new SqlAnalyzer();

  ResolvedStatement of(StatementShape shape) {
    Scope scope =
        new Scope(catalog, List.of("pg_catalog", "public"), Set.of(), Declarations.NONE, versions);
    ResolvedStatement found = new StatementResolver(scope).resolve(ANALYZER.analyze(shape));
    return found.withKeys(StatementKeys.of(shape, found, scope, table -> true));
  }

  private long oid(String table) {
    String name = "public." + table.replace("\"", "");
    return Objects.requireNonNull(catalog.oidOf(name), table);
  }

  /** Returns the tag of a table, named as in SQL. */
  TableTag tag(String table) {
    return versions.tag(TableTag.Scope.RELATION, oid(table));
  }

  /** Returns the keys of a table, or null where its rows are not told apart. */
  @Nullable KeyTable keys(String table) {
    return catalog.keyTable(oid(table));
  }
}
