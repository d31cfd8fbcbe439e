/** Two processes that share a cache over memcached, which is killed in the middle. */
@NullMarked
package dev.larder.examples.shared;

import org.jspecify.annotations.NullMarked;
