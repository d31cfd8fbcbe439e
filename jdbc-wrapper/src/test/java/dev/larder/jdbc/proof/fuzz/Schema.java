package dev.larder.jdbc.proof.fuzz;

import java.util.List;

/**
 * What statements may name.
 *
 * @param ddl makes it, in order
 * @param readable tables, views and materialized views; each has the columns id, n and s
 * @param writable those that rows can be written to
 * @param numbers calls that give an int, with {@code %s} for an argument of type int
 * @param materialized the materialized views
 */
record Schema(
    List<String> ddl,
    List<Relation> readable,
    List<Relation> writable,
    List<String> numbers,
    List<Relation> materialized) {

  /**
   * A relation.
   *
   * @param name as written in SQL
   * @param columns all of them
   */
  record Relation(String name, List<Column> columns) {}

  /**
   * A column.
   *
   * @param name as written in SQL
   * @param type its type's name
   */
  record Column(String name, String type) {}
}
