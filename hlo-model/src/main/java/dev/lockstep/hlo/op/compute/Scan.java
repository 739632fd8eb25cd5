package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics.BodyRunner;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Parts;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** {@code chlo.scan}. */
public final class Scan {
  /** The dimension that is walked. */
  public static final AttrKey<Long> DIMENSION = AttrKeys.integerOrList("dimension", "dimensions");

  /** Whether it is walked from the end. */
  public static final AttrKey<Boolean> IS_REVERSE = AttrKeys.flag("is_reverse", "is_reverse");

  /** Number of carried values. */
  public static final AttrKey<Long> NUM_CARRIES = AttrKeys.integer("", "num_carries");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.scan")
          .hlo("scan")
          .summary("Folds along a dimension and keeps every step")
          .attributes(DIMENSION, IS_REVERSE, NUM_CARRIES)
          .inherent("is_associative", "operandSegmentSizes", "resultSegmentSizes")
          .bodies("to_apply")
          .constraint(
              "C1", "inputs have the dimension, and one size along it", ScanRules::dimension)
          .bodyConstraint(
              "C2", "the body takes steps of the inputs and what is carried", ScanRules::arguments)
          .bodyConstraint(
              "C3", "results are the steps and what is carried last", ScanRules::results)
          .regional(Scan::eval)
          .build();

  private Scan() {}

  /**
   * Walks along the dimension: the body gets the slices of the inputs and the carried values and
   * gives slices of the outputs and the next carried values.
   */
  private static ImmutableList<Datum> eval(
      Operation operation, ImmutableList<Datum> operands, BodyRunner bodies) {
    int carries = carries(operation);
    int inputs = operands.size() - carries;
    ImmutableList<Literal> walked = Results.literals(operation, operands, 0, inputs);
    int dim = Math.toIntExact(DIMENSION.get(operation));
    int steps = (int) walked.get(0).type().dim(dim);
    boolean reverse = IS_REVERSE.getOr(operation, false);
    ImmutableList<Datum> carried = operands.subList(inputs, operands.size());
    List<ImmutableList<Datum>> outputs = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      int at = reverse ? steps - 1 - step : step;
      ImmutableList.Builder<Datum> arguments = ImmutableList.builder();
      for (Literal input : walked) {
        Literal slice = Parts.slice(input, dim, at, 1);
        int[] rest = Index.drop(Index.ints(slice.dims()), ImmutableLongArray.of(dim));
        arguments.add(slice.reshaped(TensorType.of(slice.element(), Index.longs(rest))));
      }
      ImmutableList<Datum> given = Results.flat(bodies.run(0, arguments.addAll(carried).build()));
      outputs.add(given.subList(0, given.size() - carries));
      carried = given.subList(given.size() - carries, given.size());
    }
    if (reverse) {
      Collections.reverse(outputs);
    }
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    int count = Results.types(operation).size() - carries;
    for (int i = 0; i < count; i++) {
      TensorType type = Results.tensor(operation, i);
      ImmutableList.Builder<Literal> rows = ImmutableList.builder();
      for (ImmutableList<Datum> output : outputs) {
        long[] dims = Index.longs(Index.ints(type.dims()));
        dims[dim] = 1;
        rows.add(((Literal) output.get(i)).reshaped(TensorType.of(type.element(), dims)));
      }
      out.add(steps == 0 ? Literal.zeros(type) : Parts.join(rows.build(), dim));
    }
    return out.addAll(carried).build();
  }

  static int carries(Operation operation) {
    Long written = NUM_CARRIES.find(operation);
    if (written != null) {
      return Math.toIntExact(written);
    }
    Attribute segments = operation.attribute("operandSegmentSizes");
    ImmutableLongArray sizes = segments == null ? null : AttrKeys.asLongs(segments);
    return sizes != null && sizes.length() == 2
        ? Math.toIntExact(sizes.get(1))
        : operation.operands().size() / 2;
  }
}
