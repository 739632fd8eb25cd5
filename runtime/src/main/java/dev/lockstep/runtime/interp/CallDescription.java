package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.Type;
import java.util.function.Supplier;

/**
 * What a collective is, in words that mean the same in every process: two members whose words are
 * alike are at the same collective.
 *
 * @param op the same for one op in both syntaxes
 * @param name the name of the op in the text that it stands in
 * @param operands the types of its operands
 * @param results the types of its results
 * @param attributes its own attributes, the same ones in the same order for one op
 * @param reduction the operations of its reducer in order; empty when it has none
 * @param place where it stands; asked only when something differs
 */
record CallDescription(
    String op,
    String name,
    ImmutableList<String> operands,
    ImmutableList<String> results,
    ImmutableList<Property> attributes,
    String reduction,
    Supplier<Location> place) {

  /**
   * One attribute.
   *
   * @param value what it says; empty when it is absent
   */
  record Property(String name, String value) {}

  private static final String ABSENT = "";
  private static final String SOME_NUMBER = "some number";

  /**
   * Returns the words for {@code operation} of {@code module}. Channel numbers are not told: ranks
   * that take part in different groups count them differently. Groups are not told either: the
   * members are what they mean.
   */
  static CallDescription of(Operation operation, Module module) {
    ImmutableList.Builder<Property> attributes = ImmutableList.builder();
    for (AttrKey<?> key : operation.def().attributes()) {
      if (key.mlirName().startsWith("channel_") || key.hloName().startsWith("channel_")) {
        String said = key.raw(operation) == null ? ABSENT : SOME_NUMBER;
        attributes.add(new Property(key.mlirName(), said));
        continue;
      }
      Object value = key.find(operation);
      String said = value == null || value instanceof ReplicaGroups ? ABSENT : value.toString();
      attributes.add(new Property(key.mlirName(), said));
    }
    return new CallDescription(
        operation.def().name(),
        operation.def().nameIn(module.syntax()),
        words(operation.operandTypes()),
        words(operation.resultTypes()),
        attributes.build(),
        reduction(operation, module),
        operation::location);
  }

  private static ImmutableList<String> words(ImmutableList<Type> types) {
    return types.stream().map(Type::toString).collect(ImmutableList.toImmutableList());
  }

  private static String reduction(Operation operation, Module module) {
    StringBuilder out = new StringBuilder();
    for (Block body : Bodies.of(operation, module)) {
      for (Operation inner : body.operations()) {
        if (!inner.is(BuiltinOps.PARAMETER) && !inner.def().isTerminator()) {
          out.append(out.length() == 0 ? "" : ", ").append(inner.def().shortName());
        }
      }
    }
    return out.toString();
  }
}
