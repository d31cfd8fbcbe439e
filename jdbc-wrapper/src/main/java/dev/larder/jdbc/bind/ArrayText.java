package dev.larder.jdbc.bind;

import dev.larder.keys.BoundValue;
import dev.larder.keys.KeyType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The text of an array, as the server reads and writes it. Used once, by one thread. */
final class ArrayText {
  private final String text;
  private final KeyType type;
  private int next = 1;

  private ArrayText(String text, KeyType type) {
    this.text = text;
    this.type = type;
  }

  /**
   * Returns the elements of an array of one dimension, each a value that {@code type} is sure to
   * have, or {@link BoundValue#NULL}; null for any other text.
   */
  static @Nullable List<Object> elements(String text, KeyType type) {
    boolean braced = text.length() >= 2 && text.startsWith("{") && text.endsWith("}");
    return braced ? new ArrayText(text, type).elements() : null;
  }

  private @Nullable List<Object> elements() {
    List<Object> elements = new ArrayList<>();
    if (text.length() == 2) {
      return elements;
    }
    int end = text.length() - 1;
    while (next <= end) {
      Object element = text.charAt(next) == '"' ? quoted(end) : bare(end);
      boolean follows = element != null && (next == end || text.charAt(next) == ',');
      if (!follows) {
        return null;
      }
      elements.add(element);
      next++;
    }
    return elements;
  }

  private @Nullable Object quoted(int end) {
    StringBuilder element = new StringBuilder();
    for (next++; next < end; next++) {
      char c = text.charAt(next);
      if (c == '"') {
        next++;
        return type.canonical(element.toString());
      }
      if (c == '\\') {
        next++;
      }
      element.append(text.charAt(next));
    }
    return null;
  }

  /** Blanks around an element would not count: who writes them is not understood. */
  private @Nullable Object bare(int end) {
    int from = next;
    while (next < end && text.charAt(next) != ',') {
      if ("{}\\\" \t\n\r\f\u000b".indexOf(text.charAt(next)) >= 0) {
        return null;
      }
      next++;
    }
    String element = text.substring(from, next);
    if (element.isEmpty()) {
      return null;
    }
    return element.equalsIgnoreCase("NULL") ? BoundValue.NULL : type.canonical(element);
  }
}
