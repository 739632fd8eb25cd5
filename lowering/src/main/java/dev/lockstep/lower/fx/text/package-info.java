/** The syntax of torch FX graphs: text to statements, without knowing any op. */
@NullMarked
package dev.lockstep.lower.fx.text;

import org.jspecify.annotations.NullMarked;
