/** What spymemcached itself makes, by name. It imports spymemcached only. */
@NullMarked
package dev.larder.memcached.spy;

import org.jspecify.annotations.NullMarked;
