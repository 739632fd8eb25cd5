package dev.lockstep.hlo.proto;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.PrimitiveType;
import java.util.List;
import java.util.function.ToLongFunction;

/** The computations that an instruction runs: a list of ids in protos, names by role in text. */
final class CalleeForms {
  /** Opcodes whose computations have roles, in the order of the proto. */
  private static final ImmutableMap<String, ImmutableList<String>> ROLES =
      ImmutableMap.of(
          "while", ImmutableList.of("body", "condition"),
          "select-and-scatter", ImmutableList.of("select", "scatter"),
          "fusion", ImmutableList.of("calls"),
          "async-start", ImmutableList.of("calls"));

  private static final ImmutableList<String> BRANCHES =
      ImmutableList.of("true_computation", "false_computation");

  /** All attributes that name computations, in an order that gives that of the proto. */
  static final ImmutableList<String> ATTRIBUTES =
      ImmutableList.of(
          "to_apply",
          "body",
          "condition",
          "select",
          "scatter",
          "true_computation",
          "false_computation",
          "branch_computations",
          "calls",
          "called_computations",
          "async_computation");

  private CalleeForms() {}

  /** Appends the computations of {@code proto}. */
  static void read(
      HloInstructionProto proto,
      ProtoNames names,
      AttributeText out,
      HloInstructionProto.Builder rest) {
    List<Long> ids = proto.getCalledComputationIdsList();
    rest.clearCalledComputationIds();
    String opcode = proto.getOpcode();
    if (ids.isEmpty() || opcode.equals("async-update") || opcode.equals("async-done")) {
      return;
    }
    ImmutableList<String> roles = ROLES.getOrDefault(opcode, ImmutableList.of("to_apply"));
    if (opcode.equals("conditional")) {
      if (names.proto(proto.getOperandIds(0)).getShape().getElementType() != PrimitiveType.PRED) {
        all(ids, "branch_computations", names, out);
        return;
      }
      roles = BRANCHES;
    } else if (opcode.equals("custom-call")) {
      all(ids, "called_computations", names, out);
      return;
    }
    if (ids.size() != roles.size()) {
      throw names.error(
          proto.getName() + " runs " + ids.size() + " computations, not " + roles.size());
    }
    for (int i = 0; i < roles.size(); i++) {
      out.put(roles.get(i), "%" + names.computation(ids.get(i)));
    }
  }

  private static void all(List<Long> ids, String name, ProtoNames names, AttributeText out) {
    StringBuilder text = new StringBuilder("{");
    for (long id : ids) {
      text.append(text.length() == 1 ? "%" : ", %").append(names.computation(id));
    }
    out.put(name, text.append('}').toString());
  }

  /** Adds the computations that {@code operation} names. */
  static void write(
      Operation operation, ToLongFunction<String> ids, HloInstructionProto.Builder out) {
    for (String name : ATTRIBUTES) {
      Attribute value = operation.attribute(name);
      if (value instanceof Attribute.Symbol) {
        out.addCalledComputationIds(ids.applyAsLong(((Attribute.Symbol) value).name()));
      } else if (value instanceof Attribute.Array) {
        for (Attribute element : ((Attribute.Array) value).elements()) {
          if (element instanceof Attribute.Symbol) {
            out.addCalledComputationIds(ids.applyAsLong(((Attribute.Symbol) element).name()));
          }
        }
      }
    }
  }
}
