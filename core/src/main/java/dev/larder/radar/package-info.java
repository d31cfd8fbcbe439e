/**
 * The radar: finds writers that are not Larder. It compares the server's counts of changed rows
 * with what Larder itself wrote, in this JVM and in those that tell it by the text of their last
 * query. A detector, never a proof; in doubt it is silent. It imports the options, {@code catalog},
 * {@code resolve}, {@code watch}, {@code store}, {@code remote} and {@code log}, and knows nothing
 * of caches.
 */
@NullMarked
package dev.larder.radar;

import org.jspecify.annotations.NullMarked;
