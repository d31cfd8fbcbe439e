/**
 * What is answered from the cache, in which form, and what it costs; and what is a bypass instead.
 */
@NullMarked
package dev.larder.jdbc.hit;

import org.jspecify.annotations.NullMarked;
