/** Readers and printers of both text syntaxes behind one facade. */
@NullMarked
package dev.lockstep.hlo.text;

import org.jspecify.annotations.NullMarked;
