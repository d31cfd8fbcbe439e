/** A small shop on Spring Boot: products, orders, and a nightly job that writes past the cache. */
@NullMarked
package dev.larder.examples.shop;

import org.jspecify.annotations.NullMarked;
