/** Attacks, by actor: each class is named after somebody who has few rights and wants more. */
@NullMarked
package dev.larder.jdbc.attack;

import org.jspecify.annotations.NullMarked;
