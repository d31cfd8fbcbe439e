package dev.larder.jdbc.postgresql;

import java.util.List;
import java.util.SortedMap;

/**
 * What a session says of itself when it is asked: see {@link PostgresSession#readFacts}.
 *
 * @param systemIdentifier the cluster's, from pg_control_system()
 * @param databaseOid the database's object identifier
 * @param incarnation the server's start time and timeline
 * @param backendPid the process that answered
 * @param backendStart when that process started, as text in the server's own format; empty where it
 *     is hidden
 * @param standby whether the server is in recovery
 * @param sessionUser session_user
 * @param currentUser current_user
 * @param searchPath the effective search path, implicit schemas included
 * @param isolation the isolation level in force, in lower case
 * @param defaultIsolation the isolation level of the session's next transactions, in lower case
 * @param idleTimeoutMillis the smallest idle timeout of the server that applies, 0 for none
 * @param audited whether pgaudit logs reads
 * @param temporaryTables whether the session has a temporary schema
 * @param settings the settings that are part of every key, by lower-case name
 */
public record SessionFacts(
    String systemIdentifier,
    long databaseOid,
    String incarnation,
    int backendPid,
    String backendStart,
    boolean standby,
    String sessionUser,
    String currentUser,
    List<String> searchPath,
    String isolation,
    String defaultIsolation,
    long idleTimeoutMillis,
    boolean audited,
    boolean temporaryTables,
    SortedMap<String, String> settings) {}
