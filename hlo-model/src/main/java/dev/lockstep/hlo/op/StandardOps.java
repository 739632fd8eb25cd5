package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;

/** The list of all ops that Lockstep defines, in documentation order. */
final class StandardOps {
  static final ImmutableList<OpDef> ALL =
      ImmutableList.<OpDef>builder().addAll(BuiltinOps.ALL).build();

  private StandardOps() {}
}
