/**
 * What users see: the driver, the data sources and the properties. It may import every other
 * package of the module, and none of them imports it.
 */
@NullMarked
package dev.larder.jdbc;

import org.jspecify.annotations.NullMarked;
