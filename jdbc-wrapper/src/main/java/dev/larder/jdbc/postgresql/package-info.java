/**
 * The driver's side of one physical connection: its state, the facts of its session, and questions
 * to the server. Imports {@code driver}, {@code format} and {@code replay}.
 */
@NullMarked
package dev.larder.jdbc.postgresql;

import org.jspecify.annotations.NullMarked;
