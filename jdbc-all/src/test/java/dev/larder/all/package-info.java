/** The one jar, and a program that has nothing else but the PostgreSQL JDBC driver. */
@NullMarked
package dev.larder.all;

import org.jspecify.annotations.NullMarked;
