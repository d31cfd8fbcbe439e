/**
 * Which hit ratio a cache of any size would have, found out from the requests alone. It knows
 * hashes, sizes and versions, and no query: it may import {@code dev.larder.store} and nothing else
 * of Larder.
 */
@NullMarked
package dev.larder.curve;

import org.jspecify.annotations.NullMarked;
