/** What spymemcached itself makes, by name. */
@NullMarked
package dev.larder.memcached.spy;

import org.jspecify.annotations.NullMarked;
