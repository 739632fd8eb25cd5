/**
 * HLO text: reader and printer.
 *
 * <p>{@code HloLexer} turns bytes into tokens and interns names; the ANTLR grammar {@code
 * HloParser.g4} checks their order, one token ahead and without a parse tree; its actions call
 * {@code HloBuilder}. {@code HloPrinter} writes what XLA's {@code HloModule::ToString} writes.
 */
@NullMarked
package dev.lockstep.hlo.text.hlo;

import org.jspecify.annotations.NullMarked;
