/**
 * What the product costs where it saves nothing, against the driver alone. It uses the servers of
 * the package {@code shapes}.
 */
@NullMarked
package dev.larder.benchmarks.cost;

import org.jspecify.annotations.NullMarked;
