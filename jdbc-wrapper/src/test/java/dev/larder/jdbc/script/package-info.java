/**
 * Scripts of several sessions: each is run on a database without Larder and on another through
 * Larder, and the two must not differ.
 */
@NullMarked
package dev.larder.jdbc.script;

import org.jspecify.annotations.NullMarked;
