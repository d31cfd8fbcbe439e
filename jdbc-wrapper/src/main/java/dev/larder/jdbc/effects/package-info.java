/**
 * What sending a text may do, as it is known before the text is sent: values without state. Imports
 * {@code postgresql}, for the names of settings, and the core.
 */
@NullMarked
package dev.larder.jdbc.effects;

import org.jspecify.annotations.NullMarked;
