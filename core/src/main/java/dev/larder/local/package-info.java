/**
 * The backend in this process: entries in Caffeine. It imports {@code dev.larder.store} and {@code
 * dev.larder.result}.
 */
@NullMarked
package dev.larder.local;

import org.jspecify.annotations.NullMarked;
