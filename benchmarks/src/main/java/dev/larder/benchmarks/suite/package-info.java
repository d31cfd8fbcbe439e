/**
 * The one command: runs the experiments, keeps every reading with the machine that it was taken on,
 * and draws the figures. It knows experiments by their interface; they are in the packages beside.
 */
@NullMarked
package dev.larder.benchmarks.suite;

import org.jspecify.annotations.NullMarked;
