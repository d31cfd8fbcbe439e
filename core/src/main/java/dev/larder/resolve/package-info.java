/**
 * What statements mean in a catalog version: what they read, write and call, through views,
 * partitions, foreign keys, triggers and functions. It imports {@code dev.larder.catalog}, {@code
 * dev.larder.code}, {@code dev.larder.analysis}, and {@code dev.larder.store} for the tags of
 * tables.
 */
@NullMarked
package dev.larder.resolve;

import org.jspecify.annotations.NullMarked;
