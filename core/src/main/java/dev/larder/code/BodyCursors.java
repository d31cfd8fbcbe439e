package dev.larder.code;

import dev.larder.lexer.Token.Kind;
import dev.larder.lexer.Tokens;
import java.util.Set;

/**
 * The cursors in a body in PL/pgSQL. As in {@link BodyPieces}, a statement ends at an index that is
 * negative where there is none, and false means that it is not understood. Used by one thread.
 */
final class BodyCursors {
  /** The directions of FETCH and MOVE, and the signs of their numbers. */
  private static final Set<String> DIRECTIONS =
      Set.of(
          "next",
          "prior",
          "first",
          "last",
          "absolute",
          "relative",
          "forward",
          "backward",
          "all",
          "-",
          "+");

  private final Tokens tokens;
  private final BodyPieces pieces;
  private boolean opened;

  BodyCursors(Tokens tokens, BodyPieces pieces) {
    this.tokens = tokens;
    this.pieces = pieces;
  }

  /** Returns whether any is opened: what is called, and who calls, may fetch from it. */
  boolean areOpened() {
    return opened;
  }

  /** Returns the index behind SCROLL or NO SCROLL, if that stands there. */
  int afterScroll(int index) {
    int scroll = tokens.is(index, "no") ? index + 1 : index;
    return tokens.is(scroll, "scroll") ? scroll + 1 : scroll;
  }

  /** Reads a declaration, from the parameters on. */
  boolean declared(int from, int end) {
    pieces.untold();
    int query = tokens.isSymbol(from, "(") ? tokens.afterClosing(from) : from;
    for (int start = from + 1; start < query; ) {
      int comma = pieces.end(start, ",");
      int next = comma < 0 || comma > query ? query - 1 : comma;
      if (!pieces.type(start + 1, next)) {
        return false;
      }
      start = next + 1;
    }
    return (tokens.is(query, "for") || tokens.is(query, "is")) && pieces.query(query + 1, end);
  }

  /** Reads an OPEN, from the name of the cursor on. */
  boolean opened(int from, int end) {
    opened = true;
    pieces.untold();
    pieces.assign(from);
    int name = tokens.afterName(from);
    int behind = afterScroll(name);
    return tokens.is(behind, "for") ? pieces.query(behind + 1, end) : ofCursor(name, end);
  }

  /** Reads what stands between IN and LOOP. */
  boolean looped(int from, int end) {
    opened = true;
    pieces.untold();
    return ofCursor(tokens.afterName(from), end);
  }

  /** Reads the arguments of a cursor, if it has any. */
  private boolean ofCursor(int from, int end) {
    boolean arguments = tokens.isSymbol(from, "(") && tokens.afterClosing(from) == end;
    return arguments ? pieces.values(from, end) : from == end;
  }

  /** Reads a FETCH, MOVE or CLOSE whose direction is a word, a number, or both. */
  boolean moved(int at, int end) {
    pieces.untold();
    int i = at + 1;
    if (!tokens.is(at, "close")) {
      while (DIRECTIONS.contains(Tokens.fold(tokens.get(i).text()))) {
        i++;
      }
      i = tokens.get(i).kind() == Kind.NUMBER ? i + 1 : i;
      i = tokens.is(i, "from") || tokens.is(i, "in") ? i + 1 : i;
    }
    i = tokens.get(i).isIdentifier() ? tokens.afterName(i) : -1;
    boolean fetches = tokens.is(at, "fetch") && tokens.is(i, "into");
    return (fetches ? pieces.afterTargets(i) : i) == end;
  }
}
