/**
 * Follows the log of PostgreSQL by logical decoding, for {@code larder.feed=wal}: {@code
 * PostgresFeedReader} starts it, and {@code FeedCheck} says before what a server lacks. Below are
 * {@code server}, the connections and their two threads, {@code coverage}, which tables the log
 * tells of, and {@code pgoutput}, which decodes it. The module may import the core's {@code feed},
 * {@code keys}, {@code log} and {@code store}, the JDBC module's {@code feed}, and the driver.
 */
@NullMarked
package dev.larder.changefeed;

import org.jspecify.annotations.NullMarked;
