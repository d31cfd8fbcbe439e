/**
 * What has nothing to do with rows is as with the driver alone; and what is Larder's own, such as
 * its commands.
 */
@NullMarked
package dev.larder.jdbc.driver;

import org.jspecify.annotations.NullMarked;
