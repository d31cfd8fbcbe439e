/**
 * Random schemas and statements, on a connection through Larder and on one of the driver itself:
 * both must say the same; and what the server locks must be what the analysis said. Tests only.
 */
@NullMarked
package dev.larder.jdbc.proof.fuzz;

import org.jspecify.annotations.NullMarked;
