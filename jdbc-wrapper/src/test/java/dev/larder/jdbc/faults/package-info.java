/** What becomes of writes and results when a connection, a server or Larder itself fails. */
@NullMarked
package dev.larder.jdbc.faults;

import org.jspecify.annotations.NullMarked;
