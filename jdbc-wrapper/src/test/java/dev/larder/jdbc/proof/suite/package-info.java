/**
 * Runs a folder of SQL files that were written for psql, through Larder and past it: what Larder
 * says must be what the server says. Tests only.
 */
@NullMarked
package dev.larder.jdbc.proof.suite;

import org.jspecify.annotations.NullMarked;
