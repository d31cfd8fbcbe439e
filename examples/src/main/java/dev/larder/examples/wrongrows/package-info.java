/**
 * Three processes read and write the same products through the driver alone, through a cache that
 * was written by hand, and through Larder, and every answer is checked. {@link
 * dev.larder.examples.wrongrows.WrongRows} is the main class, {@link
 * dev.larder.examples.wrongrows.Instance} that of each of the three.
 */
@NullMarked
package dev.larder.examples.wrongrows;

import org.jspecify.annotations.NullMarked;
