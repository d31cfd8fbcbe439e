/**
 * The only package that imports {@code org.postgresql}: catalog loading, the facts of a physical
 * connection, and results taken from and handed to the driver. Imports the core, and nothing else
 * of the module.
 */
@NullMarked
package dev.larder.jdbc.postgresql;

import org.jspecify.annotations.NullMarked;
