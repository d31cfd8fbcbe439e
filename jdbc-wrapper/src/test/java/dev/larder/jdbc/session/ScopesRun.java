package dev.larder.jdbc.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.analysis.SqlAnalyzer;
import dev.larder.jdbc.effects.KnownEffects;
import dev.larder.jdbc.effects.SettingChanges;
import dev.larder.jdbc.effects.StatementKinds;
import dev.larder.jdbc.postgresql.PostgresSession;
import dev.larder.jdbc.postgresql.SessionFacts;
import dev.larder.jdbc.postgresql.TransactionStatus;
import dev.larder.lexer.LexOptions;
import dev.larder.lexer.SqlLexer;
import dev.larder.sql.StatementFacts;
import dev.larder.store.SessionFingerprint;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/**
 * Runs texts on a connection of the driver's and through {@link SettingRules}, and compares what
 * the server says after each with what is known. Confined to a thread.
 */
final class ScopesRun {
  /** In place of a text: the server is asked, and its answer taken over. */
  static final String ASK = "ask";

  /** In front of a text: sent by executeQuery, which throws for want of rows. */
  static final String QUERY = "query: ";

  static final Object CATALOG = "catalog";

  private static final SqlAnalyzer ANALYZER = new SqlAnalyzer();
  private static final KnownEffects KNOWN = new KnownEffects();
  private static final Set<String> NAMES = Set.of("app.a", "app.b");

  private final Connection connection;
  private final PostgresSession session;
  private final SettingRules rules;
  private SettingScopes scopes = SettingScopes.of(null);

  /** How often settings were compared, and how often they were known. */
  int compared;

  int known;

  ScopesRun(Connection connection, SearchPaths paths) throws SQLException {
    this.connection = connection;
    this.session = new PostgresSession(connection);
    this.rules = new SettingRules(paths, CATALOG);
  }

  void run(List<String> texts) throws SQLException {
    scopes = SettingScopes.of(truth(facts()));
    for (String text : texts) {
      if (text.equals(ASK)) {
        ask();
      } else {
        scopes = rules.after(scopes, send(text));
      }
      compare(text, texts);
    }
  }

  /** Returns what the server says of the settings that hold. */
  SessionFacts facts() throws SQLException {
    return session.readFacts(NAMES);
  }

  private static Settings truth(SessionFacts facts) {
    List<String> path = facts.searchPath();
    return new Settings(
        new SessionFingerprint(
            "test",
            facts.sessionUser(),
            facts.currentUser(),
            path == null ? List.of() : path,
            facts.settings()),
        Isolation.of(facts.defaultIsolation()),
        CATALOG);
  }

  private void ask() throws SQLException {
    if (session.status() != TransactionStatus.FAILED) {
      SessionFacts facts = facts();
      scopes = scopes.answered(truth(facts), Isolation.of(facts.isolation()));
    }
  }

  private Sent send(String text) throws SQLException {
    TransactionStatus before = session.status();
    Sent.Failure failure = Sent.Failure.NONE;
    String sql = text.startsWith(QUERY) ? text.substring(QUERY.length()) : text;
    try (Statement statement = connection.createStatement()) {
      if (text.startsWith(QUERY)) {
        statement.executeQuery(sql).close();
      } else {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      failure = session.isAnswer(e) ? Sent.Failure.REFUSED : Sent.Failure.UNCLEAR;
    }
    StatementKinds kinds = kinds(sql);
    boolean restarts = kinds.areSeveral() && kinds.mayEndTransaction();
    return new Sent(kinds, settings(kinds, sql), restarts, before, session.status(), failure);
  }

  static StatementKinds kinds(String sql) {
    return KNOWN
        .of(ANALYZER.analyze(SqlLexer.lex(sql, LexOptions.PREPARED).shape()).statements())
        .kinds();
  }

  private static SettingChanges settings(StatementKinds kinds, String sql) {
    StatementFacts only = kinds.only();
    if (!sql.contains("set_config")) {
      return SettingChanges.NONE;
    }
    Object[] literals = SqlLexer.lex(sql, LexOptions.PREPARED).literals().toArray();
    return only == null || only.settingCalls().isEmpty()
        ? SettingChanges.UNTOLD
        : SettingChanges.of(only.settingCalls(), literals, new Object[0]);
  }

  private void compare(String text, List<String> texts) throws SQLException {
    if (session.status() == TransactionStatus.FAILED) {
      return;
    }
    SessionFacts facts = facts();
    Settings now = scopes.now();
    compared++;
    assertThat(scopes.isOpen())
        .as("open after %s in %s", text, texts)
        .isEqualTo(session.status() == TransactionStatus.OPEN);
    if (now != null) {
      known++;
      Settings truth = truth(facts);
      assertThat(now.fingerprint().settings())
          .as("settings after %s in %s", text, texts)
          .isEqualTo(truth.fingerprint().settings());
      assertThat(now).as("after %s in %s", text, texts).isEqualTo(truth);
    }
    if (scopes.level() != Isolation.UNKNOWN) {
      assertThat(scopes.level())
          .as("level after %s in %s", text, texts)
          .isEqualTo(Isolation.of(facts.isolation()));
    }
  }
}
