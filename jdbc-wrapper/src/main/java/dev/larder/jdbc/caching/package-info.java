/**
 * JDBC objects that cache: the read and write path, the state of transactions and sessions, bind
 * values. Imports {@code delegate}, {@code postgresql} and the core; knows the driver only through
 * {@code postgresql}.
 */
@NullMarked
package dev.larder.jdbc.caching;

import org.jspecify.annotations.NullMarked;
