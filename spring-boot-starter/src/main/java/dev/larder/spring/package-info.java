/**
 * Larder in a Spring Boot application: what the URL prefix decides in Spring Boot is decided for
 * Larder's, data sources with an ordinary URL get Larder below their pool, and the caches show in
 * metrics, health and an endpoint. It imports {@code dev.larder} and {@code dev.larder.jdbc}, and
 * nothing that Spring Boot 3.5 and 4 have in different packages.
 */
@NullMarked
package dev.larder.spring;

import org.jspecify.annotations.NullMarked;
