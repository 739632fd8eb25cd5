package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Wide;

/** {@code stablehlo.batch_norm_training}, HLO's {@code batch-norm-training}. */
public final class BatchNormTraining {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.batch_norm_training")
          .hlo("batch-norm-training")
          .summary("Normalises over all dimensions but one; gives mean and variance too")
          .attributes(Normalization.FEATURE_INDEX, Normalization.EPSILON)
          .takes(TypeClass.FLOAT, TypeClass.FLOAT.vector(), TypeClass.FLOAT.vector())
          .gives(TypeClass.FLOAT, TypeClass.FLOAT.vector(), TypeClass.FLOAT.vector())
          .constraint(
              "C1",
              "the feature dimension is one of the operand",
              TensorRule.of(NormalizationRules::checkFeatureIndex))
          .constraint("C2", "all have elements of one type", NormalizationRules.elements())
          .constraint("C3", "there is a scale for each feature", NormalizationRules.operandSize(1))
          .constraint(
              "C4", "there is an offset for each feature", NormalizationRules.operandSize(2))
          .constraint("C5", "there is a mean for each feature", NormalizationRules.resultSize(1))
          .constraint(
              "C6", "there is a variance for each feature", NormalizationRules.resultSize(2))
          .constraint(
              "C7",
              "operand and result have one type",
              TensorRule.of(NormalizationRules::checkResult))
          .local(BatchNormTraining::eval)
          .build();

  private BatchNormTraining() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = Results.literal(operation, operands, 0);
    Normalization norm = new Normalization(operation, operand);
    Literal scale = Results.literal(operation, operands, 1);
    Literal offset = Results.literal(operation, operands, 2);
    double[] mean = norm.means(norm.operand(), null);
    double[] centred = norm.centred(mean);
    double[] variance = norm.means(centred, centred);
    double[] out = norm.scaled(centred, variance, Wide.doubles(scale), Wide.doubles(offset));
    return ImmutableList.of(
        Wide.ofDoubles(operand.type(), out),
        Wide.ofDoubles(scale.type(), mean),
        Wide.ofDoubles(scale.type(), variance));
  }
}
