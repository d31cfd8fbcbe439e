/**
 * The demo: one workload through the PostgreSQL driver and through Larder in turn, with every
 * answer checked. {@link dev.larder.examples.demo.Demo} is its main class.
 */
@NullMarked
package dev.larder.examples.demo;

import org.jspecify.annotations.NullMarked;
