/**
 * Decodes what the server's plug-in {@code pgoutput} writes of its log, of the protocol's versions
 * 1 and 2. Imports {@code feed} and {@code keys} of the core, and nothing of the module.
 */
@NullMarked
package dev.larder.changefeed.pgoutput;

import org.jspecify.annotations.NullMarked;
