package dev.larder.resolve;

import java.util.List;

/**
 * What makes a statement one that may write anything: a trigger or a routine of which nothing is
 * known. Immutable.
 *
 * @param statement what runs it, such as {@code INSERT orders}; a call where there is no table
 * @param trigger whether it is a trigger
 * @param name of the trigger, or of the routine
 * @param writes the tables that its body can be seen to write; empty where none can
 */
public record Undeclared(String statement, boolean trigger, String name, List<String> writes) {
  /** Returns what is to blame, in words. */
  public String culprit() {
    return (trigger ? "trigger " : "function ") + name;
  }

  /** Returns the setting that would declare it, by what its body shows. */
  public String declaration() {
    return (trigger ? "larder.triggers.writes=" : "larder.functions.writes=")
        + name
        + '='
        + (writes.isEmpty() ? "<its tables>" : String.join("|", writes));
  }
}
