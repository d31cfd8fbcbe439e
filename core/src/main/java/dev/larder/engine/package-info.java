/**
 * The engine: what a text means (plans), whether it may be answered from memory (lookups), and what
 * a write invalidates. It decides and never does I/O but the store's; the JDBC module acts on its
 * decisions. It may import every other package of the core; none of them imports it, and {@code
 * module-info} exports it to the JDBC module only.
 */
@NullMarked
package dev.larder.engine;

import org.jspecify.annotations.NullMarked;
