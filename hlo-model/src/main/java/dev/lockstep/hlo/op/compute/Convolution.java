package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Convolving;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Wide;
import dev.lockstep.hlo.op.kernel.Window;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.Arrays;

/** {@code stablehlo.convolution}. */
public final class Convolution {
  /** Groups along the feature dimension; one when absent. */
  public static final AttrKey<Long> FEATURE_GROUPS =
      AttrKeys.integer("feature_group_count", "feature_group_count");

  /** Groups along the batch dimension; one when absent. */
  public static final AttrKey<Long> BATCH_GROUPS =
      AttrKeys.integer("batch_group_count", "batch_group_count");

  /** Steps of the window; ones when absent. */
  public static final AttrKey<ImmutableLongArray> STRIDES =
      AttrKeys.longs("window_strides", "window.stride");

  /** Dilation of the input; ones when absent. */
  public static final AttrKey<ImmutableLongArray> LHS_DILATION =
      AttrKeys.longs("lhs_dilation", "window.lhs_dilate");

  /** Dilation of the kernel; ones when absent. */
  public static final AttrKey<ImmutableLongArray> RHS_DILATION =
      AttrKeys.longs("rhs_dilation", "window.rhs_dilate");

  /** 1 for spatial dimensions along which the kernel is turned round; zeros when absent. */
  public static final AttrKey<ImmutableLongArray> REVERSAL =
      AttrKeys.longs("window_reversal", "window.rhs_reversal");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.convolution")
          .hlo("convolution")
          .summary("Slides windows of the right operand over the left one")
          .attributes(
              FEATURE_GROUPS,
              BATCH_GROUPS,
              ConvolutionLabels.KEY,
              STRIDES,
              LHS_DILATION,
              RHS_DILATION,
              REVERSAL,
              Window.PADDING,
              Window.PAD_LOW,
              Window.PAD_HIGH)
          .inherent("precision_config")
          .takes(TypeClass.TENSOR, TypeClass.TENSOR.orPerAxis())
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraints(ConvolutionRules.all())
          .constraint(
              "C4",
              "there are two amounts of padding for each window",
              TensorRule.of(ConvolutionRules::checkPadding))
          .constraint(
              "C25",
              "the result has the places of the windows",
              TensorRule.of(ConvolutionRules::checkResult))
          .local(Convolution::eval)
          .build();

  /** Returns the number of output features of {@code operation}; 1 when it cannot be told. */
  public static long outputFeatures(Operation operation) {
    ConvolutionLabels labels = ConvolutionLabels.KEY.find(operation);
    Type kernel = operation.operand(1).type();
    if (labels == null || !(kernel instanceof TensorType)) {
      return 1;
    }
    long dimension = labels.kernel().get(0);
    return dimension < 0 ? 1 : Math.max(1, ((TensorType) kernel).dim((int) dimension));
  }

  private Convolution() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    ConvolutionLabels labels = ConvolutionLabels.KEY.get(operation);
    int rank = labels.input().length() - 2;
    return ImmutableList.of(
        convolve(
            operation,
            operands,
            Window.padding(operation, rank, false),
            Window.padding(operation, rank, true)));
  }

  /** Convolves with the given padding; all else stands on {@code operation}. */
  static Literal convolve(
      Operation operation, ImmutableList<Datum> operands, int[] low, int[] high) {
    Literal lhs = Results.literal(operation, operands, 0);
    Literal rhs = Results.literal(operation, operands, 1);
    ConvolutionLabels labels = ConvolutionLabels.KEY.get(operation);
    int[] x = Index.ints(lhs.dims());
    int[] y = Index.ints(rhs.dims());
    int[] kernel = Index.pick(y, labels.kernel());
    int rank = kernel.length - 2;
    Window window =
        new Window(
            Arrays.copyOfRange(kernel, 2, kernel.length),
            Window.entries(STRIDES, operation, rank, 1),
            low,
            high,
            Window.entries(LHS_DILATION, operation, rank, 1),
            Window.entries(RHS_DILATION, operation, rank, 1));
    Convolving convolving =
        new Convolving(
            Index.pick(x, labels.input()),
            Index.pick(Index.strides(x), labels.input()),
            kernel,
            Index.pick(Index.strides(y), labels.kernel()),
            window,
            Window.entries(REVERSAL, operation, rank, 0),
            Math.toIntExact(FEATURE_GROUPS.getOr(operation, 1L)),
            Math.toIntExact(BATCH_GROUPS.getOr(operation, 1L)));
    ElementType element = Results.tensor(operation, 0).element();
    int[] dims = convolving.resultDims();
    TensorType type = TensorType.of(element, Index.longs(dims));
    Literal result =
        switch (element.kind()) {
          case FLOAT ->
              Wide.ofDoubles(type, convolving.doubles(Wide.doubles(lhs), Wide.doubles(rhs)));
          case COMPLEX -> Wide.ofPairs(type, convolving.pairs(Wide.pairs(lhs), Wide.pairs(rhs)));
          case BOOL, SIGNED, UNSIGNED ->
              Wide.ofLongs(type, convolving.longs(Wide.longs(lhs), Wide.longs(rhs)));
        };
    return inOrder(result, dims, labels.output());
  }

  /** Returns {@code literal} with dimension i moved to place {@code places[i]}. */
  private static Literal inOrder(Literal literal, int[] dims, ImmutableLongArray places) {
    int[] outDims = new int[dims.length];
    int[] outStrides = new int[dims.length];
    int[] strides = Index.strides(dims);
    for (int i = 0; i < dims.length; i++) {
      outDims[(int) places.get(i)] = dims[i];
      outStrides[(int) places.get(i)] = strides[i];
    }
    int[] offsets = Index.offsets(outDims, outStrides);
    LiteralBuilder out = new LiteralBuilder(TensorType.of(literal.element(), Index.longs(outDims)));
    for (int i = 0; i < offsets.length; i++) {
      out.copy(i, literal, offsets[i]);
    }
    return out.build();
  }
}
