/**
 * The JDBC objects in the hands of the application, and the way of a statement through them: {@link
 * dev.larder.jdbc.statement.StatementPipeline}. Imports every package of the module that is below
 * the drivers and data sources, but {@code wrap}.
 */
@NullMarked
package dev.larder.jdbc.statement;

import org.jspecify.annotations.NullMarked;
