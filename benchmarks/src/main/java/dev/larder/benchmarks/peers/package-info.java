/**
 * What a user would pick instead of a cache in the driver: caches of object mappers and frameworks,
 * set up as their manuals say. It uses the servers of the package {@code shapes}.
 */
@NullMarked
package dev.larder.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
