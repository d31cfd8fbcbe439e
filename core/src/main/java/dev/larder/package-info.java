/**
 * What users see of the engine: the options and the configuration that they make. It imports {@code
 * dev.larder.remote}, the port that it finds, and nothing else of Larder. In the core the engine
 * and the radar import it, and nobody else.
 */
@NullMarked
package dev.larder;

import org.jspecify.annotations.NullMarked;
