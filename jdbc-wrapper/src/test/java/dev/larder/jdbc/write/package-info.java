/** What a statement, a function or a change of the catalog invalidates, whoever runs it. */
@NullMarked
package dev.larder.jdbc.write;

import org.jspecify.annotations.NullMarked;
