/** Larder under the pools and frameworks that applications use, each as its manual says. */
package dev.larder.examples.adoption;
