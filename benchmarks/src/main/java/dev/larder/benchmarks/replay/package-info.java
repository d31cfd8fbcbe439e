/**
 * What reading whole results costs, by their shape and by the types of their columns: direct and
 * replayed. It uses the servers of the package {@code shapes}.
 */
@NullMarked
package dev.larder.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
