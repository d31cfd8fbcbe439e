/**
 * Results and versions of tables in memcached, shared by several JVMs. The protocol ({@code
 * Announcement}, {@code Publication}, {@code BarrierPass}, {@code VersionReading}) is pure: it says
 * what to send and learns what came back, over the ports {@code VersionServer} and {@code
 * PrimaryProbe}; {@code MemcachedCache} puts it behind the port of the core. It may import {@code
 * dev.larder.remote}, {@code dev.larder.store}, {@code dev.larder.result} and spymemcached; never
 * the engine.
 */
@NullMarked
package dev.larder.memcached;

import org.jspecify.annotations.NullMarked;
