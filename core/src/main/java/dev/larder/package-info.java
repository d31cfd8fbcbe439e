/**
 * What users see of the engine: the cache, its configuration, and the decision about each
 * statement. It imports every other package of the core; none of them imports it.
 */
@NullMarked
package dev.larder;

import org.jspecify.annotations.NullMarked;
