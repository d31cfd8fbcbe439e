/**
 * What is written to memcached: the names of versions and entries, and the bytes of both, packed
 * and sealed. Pure: it knows neither the client nor the protocol. It may import {@code
 * dev.larder.remote}, {@code dev.larder.store} and {@code dev.larder.result}.
 */
@NullMarked
package dev.larder.memcached.format;

import org.jspecify.annotations.NullMarked;
