/**
 * Takes results from the driver, keeps their decoded values, and gives them back as its own result
 * sets. Imports {@code driver}.
 */
@NullMarked
package dev.larder.jdbc.replay;

import org.jspecify.annotations.NullMarked;
