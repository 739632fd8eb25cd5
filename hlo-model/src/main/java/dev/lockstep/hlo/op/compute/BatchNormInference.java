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

/** {@code stablehlo.batch_norm_inference}, HLO's {@code batch-norm-inference}. */
public final class BatchNormInference {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.batch_norm_inference")
          .hlo("batch-norm-inference")
          .summary("Normalises with a given mean and variance")
          .attributes(Normalization.FEATURE_INDEX, Normalization.EPSILON)
          .takes(
              TypeClass.FLOAT,
              TypeClass.FLOAT.vector(),
              TypeClass.FLOAT.vector(),
              TypeClass.FLOAT.vector(),
              TypeClass.FLOAT.vector())
          .gives(TypeClass.FLOAT)
          .constraint(
              "C1",
              "the feature dimension is one of the operand",
              TensorRule.of(NormalizationRules::checkFeatureIndex))
          .constraint("C2", "all have elements of one type", NormalizationRules.elements())
          .constraint("C3", "there is a scale for each feature", NormalizationRules.operandSize(1))
          .constraint(
              "C4", "there is an offset for each feature", NormalizationRules.operandSize(2))
          .constraint("C5", "there is a mean for each feature", NormalizationRules.operandSize(3))
          .constraint(
              "C6", "there is a variance for each feature", NormalizationRules.operandSize(4))
          .constraint(
              "C7",
              "operand and result have one type",
              TensorRule.of(NormalizationRules::checkResult))
          .local(BatchNormInference::eval)
          .build();

  private BatchNormInference() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = Results.literal(operation, operands, 0);
    Normalization norm = new Normalization(operation, operand);
    double[] scale = Wide.doubles(Results.literal(operation, operands, 1));
    double[] offset = Wide.doubles(Results.literal(operation, operands, 2));
    double[] mean = Wide.doubles(Results.literal(operation, operands, 3));
    double[] variance = Wide.doubles(Results.literal(operation, operands, 4));
    return ImmutableList.of(
        Wide.ofDoubles(operand.type(), norm.scaled(norm.centred(mean), variance, scale, offset)));
  }
}
