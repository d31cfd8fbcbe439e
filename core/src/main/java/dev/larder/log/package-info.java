/**
 * The log of the cache: a line when a cache starts, and each kind of trouble with its code, cause
 * and cure. It imports nothing of Larder.
 */
@NullMarked
package dev.larder.log;

import org.jspecify.annotations.NullMarked;
