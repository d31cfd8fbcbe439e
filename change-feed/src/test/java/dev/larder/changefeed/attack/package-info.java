/** Attacks on a change feed, by actor. */
@NullMarked
package dev.larder.changefeed.attack;

import org.jspecify.annotations.NullMarked;
