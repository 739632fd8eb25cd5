package dev.lockstep.hlo.op.data;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/**
 * {@code stablehlo.bitcast_convert}, {@code bitcast-convert} in HLO: same bits under another
 * element type.
 */
public final class BitcastConvert {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.bitcast_convert")
          .hlo("bitcast-convert")
          .summary("Same bits under another element type")
          .form(MlirForm.UNARY_FUNCTION)
          .constraint(
              "C1",
              "operand and result have as many bits",
              TensorRule.of(
                  it ->
                      it.require(
                          !it.operand(0).isStatic()
                              || !it.result().isStatic()
                              || ShapeRules.bits(it.operand(0)) == ShapeRules.bits(it.result()),
                          "%s and %s differ in their number of bits",
                          it.operand(0),
                          it.result())))
          .local(
              (operation, operands) ->
                  ImmutableList.of(
                      convert((Literal) operands.get(0), (TensorType) operation.result().type())))
          .build();

  private BitcastConvert() {}

  /**
   * Returns the bits of {@code from}, lowest first, as elements of {@code to}, whose shape holds as
   * many bits.
   */
  static Literal convert(Literal from, TensorType to) {
    if (from.element() == to.element()) {
      return from.reshaped(TensorType.of(to.element(), to.dims()));
    }
    // complex<f64> is wider than a long: it goes by way of its two halves.
    if (from.element() == ElementType.C128) {
      TensorType halves = TensorType.of(ElementType.F64, 2L * from.count());
      return convert(Literal.of(halves, from.storage()), to);
    }
    if (to.element() == ElementType.C128) {
      Literal halves = convert(from, TensorType.of(ElementType.F64, 2 * to.count()));
      return Literal.of(to, halves.storage());
    }
    int width = from.element().bits();
    int newWidth = to.element().bits();
    LiteralBuilder out = new LiteralBuilder(to);
    checkArgument(
        (long) from.count() * width == to.count() * newWidth,
        "%s and %s do not have the same number of bits",
        from.type(),
        to);
    if (width >= newWidth) {
      int parts = width / newWidth;
      long mask = newWidth == 64 ? -1L : (1L << newWidth) - 1;
      for (int i = 0; i < to.count(); i++) {
        // Masked, since any bit at all would make an i1 true.
        out.setBits(i, (from.getBits(i / parts) >>> (i % parts * newWidth)) & mask);
      }
    } else {
      int parts = newWidth / width;
      for (int i = 0; i < to.count(); i++) {
        long bits = 0;
        for (int p = 0; p < parts; p++) {
          bits |= from.getBits(i * parts + p) << (p * width);
        }
        out.setBits(i, bits);
      }
    }
    return out.build();
  }
}
