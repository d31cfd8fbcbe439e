/**
 * What the product costs while one thing grows: entries, tables, tables a query, connections. It
 * uses the servers of the package {@code shapes}.
 */
@NullMarked
package dev.larder.benchmarks.growth;

import org.jspecify.annotations.NullMarked;
