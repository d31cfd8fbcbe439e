/**
 * Why a query is not cached: the reasons, in the words that users read. It imports the JDK only.
 */
@NullMarked
package dev.larder.bypass;

import org.jspecify.annotations.NullMarked;
