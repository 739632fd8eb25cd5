package dev.lockstep.pass.region.merge;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The arguments that the entry takes in addition, behind its own. */
public final class AddedInputs {
  /**
   * What an argument holds.
   *
   * @param byClass the value of each class, all of one type
   */
  public record Values(ImmutableList<Literal> byClass) {}

  private final int parameters;
  private final int tensors;
  private final boolean isHlo;
  private final Map<Values, Value> known = new HashMap<>();
  private final List<AddedInput> inputs = new ArrayList<>();
  private final List<Value> arguments = new ArrayList<>();

  AddedInputs(Function entry, boolean isHlo) {
    this.parameters = entry.parameters().size();
    int count = 0;
    for (Value parameter : entry.parameters()) {
      count += tensors(parameter.type());
    }
    this.tensors = count;
    this.isHlo = isHlo;
  }

  private static int tensors(Type type) {
    if (type instanceof TupleType tuple) {
      return tuple.elements().stream().mapToInt(AddedInputs::tensors).sum();
    }
    return type instanceof TensorType ? 1 : 0;
  }

  Value add(Values values, OpBuilder builder) {
    Value made = known.get(values);
    if (made != null) {
      return made;
    }
    TensorType type = values.byClass().get(0).type();
    int number = inputs.size();
    if (isHlo) {
      made =
          builder.emit(
              BuiltinOps.PARAMETER,
              ImmutableList.of(),
              type,
              Attributes.of(
                  BuiltinOps.PARAMETER_NUMBER, Attribute.Int.untyped(parameters + number)));
    } else {
      made = new Value(type);
      arguments.add(made);
    }
    inputs.add(new AddedInput(tensors + number, values.byClass()));
    known.put(values, made);
    return made;
  }

  /** Returns the arguments to be added to the entry's block; none in HLO. */
  ImmutableList<Value> arguments() {
    return ImmutableList.copyOf(arguments);
  }

  /** Returns what was added. */
  ImmutableList<AddedInput> inputs() {
    return ImmutableList.copyOf(inputs);
  }
}
