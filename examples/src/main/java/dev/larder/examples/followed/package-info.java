/**
 * Three processes follow the log of the server, and nothing else runs. {@link
 * dev.larder.examples.followed.Followed} is the main class, {@link
 * dev.larder.examples.followed.Follower} that of each process that reads.
 */
@NullMarked
package dev.larder.examples.followed;

import org.jspecify.annotations.NullMarked;
