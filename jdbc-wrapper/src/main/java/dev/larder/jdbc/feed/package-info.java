/**
 * The port to what follows the log of the server: {@code FeedReaders} finds a {@code FeedReader} on
 * the class path, which gets its connections from {@code FeedConnections}. Imports nothing of the
 * module, and of the core {@code feed}.
 */
@NullMarked
package dev.larder.jdbc.feed;

import org.jspecify.annotations.NullMarked;
