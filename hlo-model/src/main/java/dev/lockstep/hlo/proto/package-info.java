/**
 * HLO protos: what XLA and its plugins pass around instead of text. A proto is read by writing the
 * HLO text that says the same, and written field by field from a module in HLO syntax; what no text
 * says is kept beside it.
 */
@NullMarked
package dev.lockstep.hlo.proto;

import org.jspecify.annotations.NullMarked;
