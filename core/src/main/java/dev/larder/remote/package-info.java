/**
 * The port to results and versions outside of the JVM, which several JVMs share. A module
 * implements it ({@code RemoteBackend} is found by {@code ServiceLoader}); the engine reads and
 * fills through it, and the JDBC module announces writes to it and tells it of the primary. It may
 * import {@code dev.larder.store} and {@code dev.larder.result}.
 */
@NullMarked
package dev.larder.remote;

import org.jspecify.annotations.NullMarked;
