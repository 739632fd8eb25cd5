package dev.lockstep.hlo.op.data;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
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
          .takes(TypeClass.TENSOR.orPerAxis())
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint(
              "C1",
              "the smaller elements stand in a last dimension",
              TensorRule.of(BitcastConvert::checkShape))
          .constraint(
              "C2",
              "complex numbers stay complex",
              TensorRule.of(
                  it ->
                      it.require(
                          it.operand(0).element().isComplex() == it.result().element().isComplex(),
                          "%s and %s must both be complex, or none",
                          it.operand(0),
                          it.result())))
          .local(
              (operation, operands) ->
                  ImmutableList.of(
                      convert((Literal) operands.get(0), (TensorType) operation.result().type())))
          .build();

  private BitcastConvert() {}

  private static void checkShape(TensorRule.Case it) {
    boolean shrinks = it.result().element().bits() < it.operand(0).element().bits();
    TensorType small = shrinks ? it.result() : it.operand(0);
    TensorType big = shrinks ? it.operand(0) : it.result();
    boolean same = small.element().bits() == big.element().bits();
    boolean fits = small.rank() == big.rank() + (same ? 0 : 1);
    for (int d = 0; fits && d < big.rank(); d++) {
      fits = TensorRule.agree(small.dim(d), big.dim(d));
    }
    if (fits && !same) {
      fits = TensorRule.agree(small.dim(big.rank()), big.element().bits() / small.element().bits());
    }
    it.require(fits, "%s and %s do not hold the same bits", it.operand(0), it.result());
  }

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
