/** What a write whose rows are known by key leaves valid. */
@NullMarked
package dev.larder.jdbc.bykey;

import org.jspecify.annotations.NullMarked;
