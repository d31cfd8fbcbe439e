/** Tests of the starter, which Spring Boot 4 passes too: see boot-4. */
@NullMarked
package dev.larder.spring;

import org.jspecify.annotations.NullMarked;
