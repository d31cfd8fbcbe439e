/**
 * The connections to memcached, by spymemcached: which server has what, what becomes of a server
 * that does not answer, and reads that travel together. The only package that imports spymemcached
 * but {@code spy}, which spymemcached itself calls. It implements {@code VersionServer} of the
 * protocol, and imports {@code protocol}, {@code format} and {@code spy}.
 */
@NullMarked
package dev.larder.memcached.client;

import org.jspecify.annotations.NullMarked;
