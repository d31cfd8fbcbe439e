/**
 * Results and versions of tables in memcached, shared by several JVMs: {@code MemcachedCache} puts
 * them behind the port of the core, with its settings and the threads that it needs. Below it are
 * {@code client}, {@code protocol} and {@code format}, each of which imports only those after it.
 * The module may import {@code dev.larder} for its options, {@code dev.larder.remote}, {@code
 * dev.larder.store}, {@code dev.larder.result} and spymemcached; never the engine.
 */
@NullMarked
package dev.larder.memcached;

import org.jspecify.annotations.NullMarked;
