/**
 * Follows what others write, as the log of the server tells: when such a write is announced and
 * published, and up to which moment everything is known. What reads the log is in a module of its
 * own ({@code FeedReader} is implemented there); the engine asks only {@code FollowedWrites#fresh}.
 * Imports the configuration, {@code catalog}, {@code keys}, {@code log}, {@code store} and {@code
 * watch}.
 */
@NullMarked
package dev.larder.feed;

import org.jspecify.annotations.NullMarked;
