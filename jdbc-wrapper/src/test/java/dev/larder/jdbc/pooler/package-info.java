/** What is cached behind a pooler that may have another session run each transaction. */
@NullMarked
package dev.larder.jdbc.pooler;

import org.jspecify.annotations.NullMarked;
