/**
 * JMH benchmarks of the read and write path. Figures are ratios of one run: the machines are noisy.
 */
@NullMarked
package dev.larder.benchmarks;

import org.jspecify.annotations.NullMarked;
