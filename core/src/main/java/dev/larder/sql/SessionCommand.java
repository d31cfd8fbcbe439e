package dev.larder.sql;

import org.jspecify.annotations.Nullable;

/**
 * Details of a statement that concerns the session or its transaction, a temporary table or a
 * procedure.
 *
 * @param name the setting (lower case, e.g. {@code timezone}, {@code role}, {@code session
 *     authorization}), the savepoint (folded), or the transaction identifier of a two-phase
 *     command; "all" for RESET ALL and DISCARD ALL; the folded name of a temporary table that is
 *     created; "drop table" for DROP TABLE without CASCADE; "create table", "create schema", "alter
 *     table" and "rights" of one table, where only that is concerned, with its name as the value;
 *     the folded name of the procedure that is called; "fetch" for FETCH and MOVE
 * @param value for SET: the value's text without quotes where it is one literal or identifier, or
 *     null for DEFAULT, for a number that the server may show otherwise, and for anything that is
 *     not a single plain value
 * @param local SET LOCAL
 * @param form how the value is written
 */
public record SessionCommand(String name, @Nullable String value, boolean local, Form form) {
  /** How a value is written: the same characters may mean, or be shown as, something else. */
  public enum Form {
    /** As one name, number or constant. */
    SINGLE,
    /** As several names, here each in quotes; the server shows them without, where it can. */
    NAMES,
    /** As the text that set_config was given, which the server shows as it is. */
    TEXT
  }

  /** Creates one of a single value. */
  public SessionCommand(String name, @Nullable String value, boolean local) {
    this(name, value, local, Form.SINGLE);
  }

  /** Creates one that only names something. */
  public SessionCommand(String name) {
    this(name, null, false);
  }
}
