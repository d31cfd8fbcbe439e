package dev.larder.jdbc.catalog;

import dev.larder.code.NodeTree;
import dev.larder.code.RoutineBodies;

/**
 * The parts of the catalog's queries that fetch texts of whoever may create something: bodies and
 * expressions. The server sends none that is long, and not many of one owner; a text that may do
 * anything takes its place. Stateless.
 */
final class OthersTexts {
  private static final int MOST_BODY_BYTES = 1 << 16;

  private static final int MOST_BODIES_BYTES = 1 << 24;
  private static final int MOST_TREE_BYTES = 1 << 21;
  private static final int MOST_TREES_BYTES = 1 << 26;

  /** What belongs to one owner is short altogether, in the order of its making; else the former. */
  private static final String OF_OWNER =
      "CASE WHEN sum(%s) OVER (PARTITION BY %s) > %d THEN '%s' ELSE %s END";

  /** The body of a routine {@code p}. */
  static final String BODY =
      OF_OWNER.formatted(
          "CASE WHEN p.oid >= 16384 THEN octet_length(p.prosrc) ELSE 0 END",
          "p.proowner ORDER BY p.oid",
          MOST_BODIES_BYTES,
          RoutineBodies.MAY_DO_ANYTHING,
          "CASE WHEN octet_length(p.prosrc) > %d THEN '%s' ELSE p.prosrc END"
              .formatted(MOST_BODY_BYTES, RoutineBodies.MAY_DO_ANYTHING));

  /** The query of a view {@code c} with the rule {@code r}. */
  static final String QUERY =
      OF_OWNER.formatted(
          "octet_length(r.ev_action::text)",
          "c.relowner ORDER BY c.oid",
          MOST_TREES_BYTES,
          NodeTree.MAY_DO_ANYTHING,
          tree("r.ev_action"));

  private OthersTexts() {}

  /** Returns a tree as text, or what may do anything in place of one that is too long. */
  static String tree(String column) {
    return "CASE WHEN octet_length(%s::text) > %d THEN '%s' ELSE %s::text END"
        .formatted(column, MOST_TREE_BYTES, NodeTree.MAY_DO_ANYTHING, column);
  }
}
