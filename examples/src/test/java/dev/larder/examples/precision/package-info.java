/** Which statements of common libraries are cached, and what each write leaves in the cache. */
package dev.larder.examples.precision;
