/**
 * The members of the driver that are no API, and options that not all of its versions have. Imports
 * nothing of the module. A new version of the driver is tried here.
 */
@NullMarked
package dev.larder.jdbc.driver;

import org.jspecify.annotations.NullMarked;
