/**
 * What users see: the driver, the data sources and the properties. It imports every other package
 * of the module.
 */
@NullMarked
package dev.larder.jdbc;

import org.jspecify.annotations.NullMarked;
