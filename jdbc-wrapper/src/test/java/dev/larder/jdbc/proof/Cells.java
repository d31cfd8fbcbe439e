package dev.larder.jdbc.proof;

/** How many cells the schemes of tables have. */
final class Cells {
  private Cells() {}

  /** Gives every scheme that is made from now on so many cells, or the usual number for 0. */
  static void force(int cells) {
    try {
      var method =
          Class.forName("dev.larder.store.SchemeTags").getDeclaredMethod("forceCells", int.class);
      method.setAccessible(true);
      method.invoke(null, cells);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
