/**
 * The store that ships beside those that were not chosen, under one interface: what locking costs a
 * query cache, by threads, writes, results and entries. It imports the product and JMH only.
 */
@NullMarked
package dev.larder.benchmarks.locks;

import org.jspecify.annotations.NullMarked;
