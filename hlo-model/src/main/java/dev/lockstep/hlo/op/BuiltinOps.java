package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.op.OpDef.Trait;

/** The ops that the structure of programs rests on. */
public final class BuiltinOps {
  /** Attribute of {@link #FUNC}: its name, a string. */
  public static final String SYM_NAME = "sym_name";

  /** Attribute of {@link #FUNC}: {@code private}, {@code nested} or {@code public}. */
  public static final String SYM_VISIBILITY = "sym_visibility";

  /** Attribute of {@link #FUNC} in MLIR: a {@code FunctionType}. */
  public static final String FUNCTION_TYPE = "function_type";

  /** Attribute of {@link #FUNC} in MLIR: an array of dictionaries, one a parameter. */
  public static final String ARG_ATTRS = "arg_attrs";

  /** Attribute of {@link #FUNC} in MLIR: an array of dictionaries, one a result. */
  public static final String RES_ATTRS = "res_attrs";

  /** Attribute of {@link #PARAMETER}: its number. */
  public static final String PARAMETER_NUMBER = "parameter_number";

  /** {@code func.func}, and an HLO computation. */
  public static final OpDef FUNC =
      OpDef.named("func.func")
          .summary("Names a piece of code")
          .inherent(SYM_NAME, SYM_VISIBILITY, FUNCTION_TYPE, ARG_ATTRS, RES_ATTRS)
          .trait(Trait.ISOLATED)
          .build();

  /** A nested {@code module}. */
  public static final OpDef MODULE =
      OpDef.named("builtin.module")
          .summary("Holds functions and other symbols")
          .inherent(SYM_NAME, SYM_VISIBILITY)
          .trait(Trait.ISOLATED)
          .build();

  /** {@code func.return}. */
  public static final OpDef RETURN =
      OpDef.named("func.return")
          .summary("Ends a function and gives its operands back")
          .trait(Trait.TERMINATOR)
          .semantics(Semantics.Control.RETURN)
          .build();

  /** {@code func.call} and HLO's {@code call}. */
  public static final OpDef CALL =
      OpDef.named("func.call")
          .hlo("call")
          .summary("Runs a function")
          .inherent("callee")
          .bodies("callee", "to_apply")
          .semantics(Semantics.Control.CALL)
          .build();

  /** HLO's {@code parameter}. */
  public static final OpDef PARAMETER =
      OpDef.named("hlo.parameter")
          .hlo("parameter")
          .summary("An argument of an HLO computation")
          .semantics(Semantics.Control.PARAMETER)
          .build();

  /** All of them. */
  public static final ImmutableList<OpDef> ALL =
      ImmutableList.of(FUNC, MODULE, RETURN, CALL, PARAMETER);

  private BuiltinOps() {}
}
