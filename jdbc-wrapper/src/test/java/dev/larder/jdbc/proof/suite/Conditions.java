package dev.larder.jdbc.proof.suite;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The branches of {@code \if} that a script is in. */
final class Conditions {
  private static final Set<String> TRUE = Set.of("true", "t", "on", "1", "yes", "y");

  private static final Set<String> INNER = Set.of("elif", "else", "endif");

  private enum Branch {
    TAKEN,
    TO_COME,
    OVER
  }

  private final Deque<Branch> branches = new ArrayDeque<>();

  /** Returns whether what stands here is carried out. */
  boolean active() {
    return branches.stream().allMatch(Branch.TAKEN::equals);
  }

  /** Returns whether {@code command} was one of branches, and notes it. */
  boolean note(String command, BooleanSupplier condition) {
    if (branches.isEmpty() && INNER.contains(command)) {
      return true; // psql reports an error, and goes on.
    }
    switch (command) {
      case "if" -> {
        Branch branch = active() ? taken(condition) : Branch.OVER;
        branches.push(branch);
      }
      case "elif" -> {
        boolean open = branches.pop() == Branch.TO_COME && active();
        branches.push(open ? taken(condition) : Branch.OVER);
      }
      case "else" -> branches.push(branches.pop() == Branch.TO_COME ? Branch.TAKEN : Branch.OVER);
      case "endif" -> branches.pop();
      default -> {
        return false;
      }
    }
    return true;
  }

  private static Branch taken(BooleanSupplier condition) {
    return condition.getAsBoolean() ? Branch.TAKEN : Branch.TO_COME;
  }

  /** Returns what psql takes a word for. */
  static boolean isTrue(String word) {
    return TRUE.contains(word.toLowerCase(Locale.ROOT));
  }
}
