package dev.larder.jdbc.postgresql;

import dev.larder.engine.DatabaseIdentity;
import dev.larder.engine.ServerGeneration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a session says of itself when it is asked: see {@link PostgresSession#readFacts}.
 *
 * @param identity which database it is; unknown where the server does not say
 * @param serverGeneration which life of the server it is
 * @param backend the process that answered
 * @param standby whether the server is in recovery
 * @param sessionUser session_user
 * @param currentUser current_user
 * @param searchPath the effective search path, implicit schemas included; null where the question
 *     for it would create the session's temporary schema
 * @param isolation the isolation level in force, in lower case
 * @param defaultIsolation the isolation level of the session's next transactions, in lower case
 * @param idleTimeoutMillis the smallest idle timeout of the server that applies, 0 for none
 * @param timeoutMillis the smallest timeout of statement and transaction, 0 for none; in a
 *     transaction that of the question
 * @param audited whether pgaudit logs reads
 * @param temporary the names of the session's temporary relations and types; null where it has no
 *     temporary objects; an empty one among them where other tables have rows of theirs
 * @param loginTriggers whether the server has run event triggers before it let the session in
 * @param databaseMark differs once the database was altered, or dropped and created again
 * @param rights by what right the session's user gives commands: {@code all}, {@code status},
 *     {@code own} or empty where nobody knows
 * @param logged whether the server logs what does no more than set something
 * @param namesOfModules the names of settings that modules define, where settings were asked for
 * @param leftBehind whether somebody may have set something in the session that a new one has not;
 *     without a pooler nobody asks
 * @param settings the settings that are part of every key, by lower-case name
 */
public record SessionFacts(
    DatabaseIdentity identity,
    ServerGeneration serverGeneration,
    Backend backend,
    boolean standby,
    String sessionUser,
    String currentUser,
    @Nullable List<String> searchPath,
    String isolation,
    String defaultIsolation,
    long idleTimeoutMillis,
    long timeoutMillis,
    boolean audited,
    @Nullable Set<String> temporary,
    boolean loginTriggers,
    String databaseMark,
    String rights,
    boolean logged,
    Set<String> namesOfModules,
    boolean leftBehind,
    SortedMap<String, String> settings) {

  /** Returns whether the server has said which database it is. */
  public boolean identified() {
    return !identity.isUnknown();
  }

  /** Returns these of a session in which somebody has left something. */
  public SessionFacts withLeftBehind() {
    return new SessionFacts(
        identity,
        serverGeneration,
        backend,
        standby,
        sessionUser,
        currentUser,
        searchPath,
        isolation,
        defaultIsolation,
        idleTimeoutMillis,
        timeoutMillis,
        audited,
        temporary,
        loginTriggers,
        databaseMark,
        rights,
        logged,
        namesOfModules,
        true,
        settings);
  }

  /** Returns the facts of a session that says nothing but these. */
  static SessionFacts unidentified(ServerGeneration serverGeneration, Backend backend) {
    DatabaseIdentity none = DatabaseIdentity.UNKNOWN;
    return new SessionFacts(
        none,
        serverGeneration,
        backend,
        false,
        "",
        "",
        List.of(),
        "",
        "",
        0,
        0,
        false,
        null,
        false,
        "",
        "",
        false,
        Set.of(),
        false,
        new TreeMap<>());
  }
}
