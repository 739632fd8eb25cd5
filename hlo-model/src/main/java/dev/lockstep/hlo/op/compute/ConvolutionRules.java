package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.type.TensorType;

/** The rules of convolution, which dynamic_conv shares under the same labels. */
final class ConvolutionRules {
  private static final int BATCH = 0;
  private static final int FEATURE = 1;
  private static final int OUTPUT_FEATURE = 0;
  private static final int INPUT_FEATURE = 1;

  private final TensorRule.Case it;
  private final ConvolutionLabels labels;

  private ConvolutionRules(TensorRule.Case it) {
    this.it = it;
    this.labels = ConvolutionLabels.KEY.get(it.operation());
  }

  private interface Rule {
    void check(ConvolutionRules rules);
  }

  private static Constraint.Check of(Rule rule) {
    return TensorRule.of(it -> rule.check(new ConvolutionRules(it)));
  }

  /** Returns the rules that need no padding. */
  static ImmutableList<Constraint> all() {
    return ImmutableList.<Constraint>builder()
        .add(
            new Constraint(
                "C1", "operands have one rank, two or more", of(ConvolutionRules::ranks)))
        .add(
            new Constraint(
                "C2", "there is a step for each window", of(r -> r.each(Convolution.STRIDES))))
        .add(
            new Constraint(
                "C3", "steps are positive", DimensionRules.positive(Convolution.STRIDES)))
        .add(
            new Constraint(
                "C5",
                "there is a left dilation for each window",
                of(r -> r.each(Convolution.LHS_DILATION))))
        .add(
            new Constraint(
                "C6",
                "left dilations are positive",
                DimensionRules.positive(Convolution.LHS_DILATION)))
        .add(
            new Constraint(
                "C7",
                "there is a right dilation for each window",
                of(r -> r.each(Convolution.RHS_DILATION))))
        .add(
            new Constraint(
                "C8",
                "right dilations are positive",
                DimensionRules.positive(Convolution.RHS_DILATION)))
        .add(
            new Constraint(
                "C9", "there is a reversal for each window", of(r -> r.each(Convolution.REVERSAL))))
        .add(
            new Constraint(
                "C10", "batches are a multiple of their groups", of(ConvolutionRules::batches)))
        .add(
            new Constraint(
                "C11", "features are a multiple of their groups", of(ConvolutionRules::features)))
        .add(
            new Constraint(
                "C13",
                "dimensions of the input are those of the operand",
                of(r -> r.labels("input", r.labels.input()))))
        .add(
            new Constraint(
                "C14",
                "the kernel takes the features of a group",
                of(ConvolutionRules::kernelFeatures)))
        .add(
            new Constraint(
                "C15",
                "output features are a multiple of the batch groups",
                of(r -> r.outputFeatures("batch_group_count", Convolution.BATCH_GROUPS))))
        .add(
            new Constraint(
                "C16",
                "output features are a multiple of the feature groups",
                of(r -> r.outputFeatures("feature_group_count", Convolution.FEATURE_GROUPS))))
        .add(
            new Constraint(
                "C18",
                "dimensions of the kernel are those of the operand",
                of(r -> r.labels("kernel", r.labels.kernel()))))
        .add(
            new Constraint(
                "C20",
                "dimensions of the output are those of the result",
                of(r -> r.labels("output", r.labels.output()))))
        .add(
            new Constraint(
                "C21",
                "there is a feature group",
                of(r -> r.positive("feature_group_count", Convolution.FEATURE_GROUPS))))
        .add(
            new Constraint(
                "C22",
                "there is a batch group",
                of(r -> r.positive("batch_group_count", Convolution.BATCH_GROUPS))))
        .add(
            new Constraint(
                "C23",
                "features or batches are grouped, not both",
                of(ConvolutionRules::oneGrouping)))
        .add(
            new Constraint(
                "C24", "there is a precision for each operand", DimensionRules.precisions()))
        .add(
            new Constraint(
                "C26", "the result has the rank of the operands", of(ConvolutionRules::rank)))
        .add(new Constraint("C27", "elements are of one type", of(ConvolutionRules::elements)))
        .build();
  }

  /** Requires what the padding gives. */
  static void checkPadding(TensorRule.Case it) {
    WindowRules.padding(it, Math.max(0, it.operand(0).rank() - 2));
  }

  /** Requires the sizes of the result. */
  static void checkResult(TensorRule.Case it) {
    new ConvolutionRules(it).result();
  }

  private boolean isSound() {
    int rank = it.operand(0).rank();
    return rank == it.operand(1).rank()
        && isSound(labels.input(), rank)
        && isSound(labels.kernel(), rank)
        && isSound(labels.output(), rank)
        && groups(Convolution.BATCH_GROUPS) > 0
        && groups(Convolution.FEATURE_GROUPS) > 0;
  }

  private static boolean isSound(ImmutableLongArray dims, int rank) {
    return dims.length() == rank
        && dims.stream().allMatch(d -> d >= 0 && d < rank)
        && dims.stream().distinct().count() == rank;
  }

  private long groups(AttrKey<Long> key) {
    return key.getOr(it.operation(), 1L);
  }

  private void ranks() {
    it.require(
        it.operand(0).rank() == it.operand(1).rank() && it.operand(0).rank() >= 2,
        "operands %s and %s must have one rank, two or more",
        it.operand(0),
        it.operand(1));
  }

  private void rank() {
    it.require(
        it.result().rank() == it.operand(0).rank(),
        "the result %s must have the rank of %s",
        it.result(),
        it.operand(0));
  }

  private void each(AttrKey<ImmutableLongArray> key) {
    ImmutableLongArray given = DimensionRules.of(it, key);
    int windows = it.operand(0).rank() - 2;
    // MLIR looks at windows only where their padding is known; programs with longer lists exist.
    boolean isOpen = it.operation().operands().size() > 2 && !it.result().isStatic();
    it.require(
        isOpen || given.isEmpty() || given.length() == windows,
        "%s must have one entry for each of %d windows",
        given,
        windows);
  }

  private void labels(String what, ImmutableLongArray dims) {
    int rank = it.operand(0).rank();
    it.require(
        isSound(dims, rank),
        "dimensions %s of the %s must be those of a tensor of rank %d, each once",
        dims,
        what,
        rank);
  }

  private void positive(String name, AttrKey<Long> key) {
    it.require(groups(key) > 0, "%s is %d, must be above zero", name, groups(key));
  }

  private void oneGrouping() {
    it.require(
        groups(Convolution.FEATURE_GROUPS) == 1 || groups(Convolution.BATCH_GROUPS) == 1,
        "feature_group_count is %d and batch_group_count %d, one of them must be 1",
        groups(Convolution.FEATURE_GROUPS),
        groups(Convolution.BATCH_GROUPS));
  }

  private void batches() {
    if (isSound()) {
      multiple(
          "batches",
          it.operand(0).dim((int) labels.input().get(BATCH)),
          "batch_group_count",
          groups(Convolution.BATCH_GROUPS));
    }
  }

  private void features() {
    if (isSound()) {
      multiple(
          "features",
          it.operand(0).dim((int) labels.input().get(FEATURE)),
          "feature_group_count",
          groups(Convolution.FEATURE_GROUPS));
    }
  }

  private void outputFeatures(String name, AttrKey<Long> key) {
    if (isSound()) {
      multiple(
          "output features",
          it.operand(1).dim((int) labels.kernel().get(OUTPUT_FEATURE)),
          name,
          groups(key));
    }
  }

  private void multiple(String what, long size, String name, long groups) {
    it.require(
        size == TensorType.DYNAMIC || size % groups == 0,
        "%d %s are not a multiple of %s %d",
        size,
        what,
        name,
        groups);
  }

  private void kernelFeatures() {
    if (!isSound()) {
      return;
    }
    long features = it.operand(0).dim((int) labels.input().get(FEATURE));
    long taken = it.operand(1).dim((int) labels.kernel().get(INPUT_FEATURE));
    it.require(
        features == TensorType.DYNAMIC
            || TensorRule.agree(taken, features / groups(Convolution.FEATURE_GROUPS)),
        "the kernel takes %d features, the input has %d in %d groups",
        taken,
        features,
        groups(Convolution.FEATURE_GROUPS));
  }

  private void elements() {
    it.require(
        // XLA's own passes take operands of different types apart.
        it.isHlo() || it.sameElements(it.operand(0), it.operand(1)),
        "operands have elements of types %s and %s",
        it.operand(0).element(),
        it.operand(1).element());
  }

  private void result() {
    if (!isSound() || it.result().rank() != it.operand(0).rank()) {
      return;
    }
    int windows = it.operand(0).rank() - 2;
    long[] base = new long[windows];
    long[] size = new long[windows];
    for (int d = 0; d < windows; d++) {
      base[d] = it.operand(0).dim((int) labels.input().get(d + 2));
      size[d] = it.operand(1).dim((int) labels.kernel().get(d + 2));
    }
    long[] places =
        WindowRules.places(
            it,
            base,
            size,
            Convolution.STRIDES,
            Convolution.LHS_DILATION,
            Convolution.RHS_DILATION);
    if (places == null) {
      return;
    }
    long[] dims = new long[windows + 2];
    long batches = it.operand(0).dim((int) labels.input().get(BATCH));
    dims[(int) labels.output().get(BATCH)] =
        batches == TensorType.DYNAMIC ? batches : batches / groups(Convolution.BATCH_GROUPS);
    dims[(int) labels.output().get(FEATURE)] =
        it.operand(1).dim((int) labels.kernel().get(OUTPUT_FEATURE));
    for (int d = 0; d < windows; d++) {
      dims[(int) labels.output().get(d + 2)] = places[d];
    }
    DimensionRules.requireResult(it, dims);
  }
}
