package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * An interned spelling with everything that reading ever looks up by it, so that one probe of the
 * table answers all questions about a name.
 */
final class Symbol {
  final byte[] bytes;
  final int hash;
  final String text;

  /** Token type of a keyword, else 0. */
  int keyword;

  /** The value that this names in the computation numbered {@link #scope}. */
  @Nullable Value value;

  /** Number of the computation that {@link #value} belongs to. */
  int scope;

  /** The type that this spells, once it was asked for. */
  @Nullable Type type;

  /** The op that this is the opcode of, once it was asked for. */
  @Nullable OpDef def;

  /** {@code -start}, {@code -update} or {@code -done} when this is sugar, else empty. */
  String suffix = "";

  /** Number of operands of the op, or -1. */
  int arity = -1;

  /** Whether a literal stands in the parentheses of the op. */
  boolean constant;

  /** The form of the attribute that this names, once it was asked for. */
  @Nullable AttributeForm form;

  /** The computation of this name, once it was read. */
  @Nullable Operation computation;

  Symbol(byte[] bytes, int hash, String text) {
    this.bytes = bytes;
    this.hash = hash;
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
