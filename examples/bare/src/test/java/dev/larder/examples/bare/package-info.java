/** Looks at what is published, as an application sees it. */
@org.jspecify.annotations.NullMarked
package dev.larder.examples.bare;
