/**
 * How several JVMs agree on what is valid. {@code Announcement}, {@code Publication}, {@code
 * BarrierPass} and {@code VersionReading} are pure: each says what to send and learns what came
 * back, over the ports {@code VersionServer} and {@code PrimaryProbe}; a model of the tests goes
 * through all their interleavings. It imports neither the client nor JDBC: {@code
 * dev.larder.memcached.format}, {@code dev.larder.remote} and {@code dev.larder.store}.
 */
@NullMarked
package dev.larder.memcached.protocol;

import org.jspecify.annotations.NullMarked;
