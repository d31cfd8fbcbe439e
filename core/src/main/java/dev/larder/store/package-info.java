/**
 * The storage interface: entries, keys, and the versions of tables that decide whether an entry may
 * still be hit. {@code TableVersions} is critical for correctness, {@code ResultStore} is best
 * effort. It may import {@code dev.larder.lexer}, {@code dev.larder.result}, and Caffeine for tags.
 */
@NullMarked
package dev.larder.store;

import org.jspecify.annotations.NullMarked;
