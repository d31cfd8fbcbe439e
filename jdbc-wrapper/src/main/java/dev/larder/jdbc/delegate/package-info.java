/**
 * JDBC objects and setters that only pass calls on, one line a method. The build writes them
 * ({@code src/build/java/DelegateGenerator.java}); a test asserts that no method is missing.
 * Imports {@code java.sql}, {@code javax.sql} and {@code javax.transaction.xa} only. Null goes
 * through as JDBC has it, so the package is not null-marked: whoever overrides a method says what
 * may be null.
 */
@NullUnmarked
package dev.larder.jdbc.delegate;

import org.jspecify.annotations.NullUnmarked;
