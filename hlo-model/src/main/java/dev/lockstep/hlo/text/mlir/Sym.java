package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * A spelling that occurs in the text, with everything that was found out about it, so that one
 * probe of the intern table gives a type, an op or the current meaning of a value's name.
 */
final class Sym {
  final String text;

  /** The decoded type, attribute or location, once asked for. */
  @Nullable Type type;

  @Nullable Attribute attribute;

  /** The op of that name in a place without a default dialect, and within functions. */
  @Nullable OpDef def;

  @Nullable OpDef functionDef;
  @Nullable MlirAssembly assembly;
  @Nullable MlirAssembly functionAssembly;

  /** The values that a name stands for now, and the isolated scope that they are visible in. */
  Value @Nullable [] values;

  int scope = -1;

  /** The same name without its sigil or quotes. */
  @Nullable String bare;

  Sym(String text) {
    this.text = text;
  }
}
