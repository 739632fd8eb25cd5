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
import java.util.Arrays;

/** {@code stablehlo.batch_norm_grad}, HLO's {@code batch-norm-grad}. */
public final class BatchNormGrad {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.batch_norm_grad")
          .hlo("batch-norm-grad")
          .summary("Gradients of batch_norm_training")
          .attributes(Normalization.FEATURE_INDEX, Normalization.EPSILON)
          .takes(
              TypeClass.FLOAT,
              TypeClass.FLOAT.vector(),
              TypeClass.FLOAT.vector(),
              TypeClass.FLOAT.vector(),
              TypeClass.FLOAT)
          .gives(TypeClass.FLOAT, TypeClass.FLOAT.vector(), TypeClass.FLOAT.vector())
          .constraint(
              "C1",
              "the feature dimension is one of the operand",
              TensorRule.of(NormalizationRules::checkFeatureIndex))
          .constraint("C2", "all have elements of one type", NormalizationRules.elements())
          .constraint(
              "C3",
              "operand, its gradient and that of the output have one shape",
              TensorRule.of(NormalizationRules::checkGradient))
          .constraint(
              "C4",
              "what there is for each feature has one shape",
              TensorRule.of(NormalizationRules::checkFeatures))
          .constraint("C5", "there is a scale for each feature", NormalizationRules.operandSize(1))
          .local(BatchNormGrad::eval)
          .build();

  private BatchNormGrad() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = Results.literal(operation, operands, 0);
    Normalization norm = new Normalization(operation, operand);
    Literal scale = Results.literal(operation, operands, 1);
    double[] mean = Wide.doubles(Results.literal(operation, operands, 2));
    double[] variance = Wide.doubles(Results.literal(operation, operands, 3));
    double[] gradOutput = Wide.doubles(Results.literal(operation, operands, 4));
    double[] centred = norm.centred(mean);
    double[] ones = new double[scale.count()];
    Arrays.fill(ones, 1);
    double[] normalized = norm.scaled(centred, variance, ones, null);
    double[] gradOperand =
        norm.scaled(
            norm.gradient(gradOutput, centred, variance), variance, Wide.doubles(scale), null);
    return ImmutableList.of(
        Wide.ofDoubles(operand.type(), gradOperand),
        Wide.ofDoubles(scale.type(), norm.sums(gradOutput, normalized)),
        Wide.ofDoubles(scale.type(), norm.sums(gradOutput, null)));
  }
}
