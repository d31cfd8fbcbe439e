/**
 * Results as the driver received them: columns and raw column bytes, with their weight in memory.
 * Immutable once built. It may import the JDK and Caffeine's interner only.
 */
@NullMarked
package dev.larder.result;

import org.jspecify.annotations.NullMarked;
