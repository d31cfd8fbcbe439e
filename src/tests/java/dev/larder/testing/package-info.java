/** What the tests of several modules use; each module compiles it with its own. */
@NullMarked
package dev.larder.testing;

import org.jspecify.annotations.NullMarked;
