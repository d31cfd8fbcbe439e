/**
 * The driver's own interfaces and classes as the application sees them: what can write passes
 * through the gate. Imports {@code postgresql}.
 */
@NullMarked
package dev.larder.jdbc.gate;

import org.jspecify.annotations.NullMarked;
