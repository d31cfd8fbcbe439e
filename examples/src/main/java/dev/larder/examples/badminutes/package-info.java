/**
 * Two bad minutes of an application, with and without Larder: its pool is exhausted, its database
 * stands still, it is deployed, and a dashboard is looked at while its table is written. {@link
 * dev.larder.examples.badminutes.BadMinutes} is the main class, {@link
 * dev.larder.examples.badminutes.Application} that of the process of each side.
 */
@NullMarked
package dev.larder.examples.badminutes;

import org.jspecify.annotations.NullMarked;
