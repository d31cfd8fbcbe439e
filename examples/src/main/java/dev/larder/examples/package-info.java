/** Small programs that show how an application uses Larder; each starts a server of its own. */
@NullMarked
package dev.larder.examples;

import org.jspecify.annotations.NullMarked;
