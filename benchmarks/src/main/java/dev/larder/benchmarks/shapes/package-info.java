/**
 * Experiments on a real server: the shapes that others have published figures of, and the servers
 * that they need. An experiment is known to the command by its interface only.
 */
@NullMarked
package dev.larder.benchmarks.shapes;

import org.jspecify.annotations.NullMarked;
