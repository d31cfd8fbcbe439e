/**
 * Connections above a pool: they look up first, and borrow one of the pool's at the first statement
 * that is no hit. {@link dev.larder.jdbc.lazy.LazyPool} knows the session that the pool's
 * connections usually have. Imports what the statements below the pool are made of, and no driver.
 */
@NullMarked
package dev.larder.jdbc.lazy;

import org.jspecify.annotations.NullMarked;
