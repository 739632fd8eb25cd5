package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has been read of an operation that is open. One object a depth of nesting, reused. */
final class OpState {
  int begin;
  int nameEnd;
  @Nullable OpDef def;
  final List<Sym> results = new ArrayList<>();
  final List<Integer> resultCounts = new ArrayList<>();
  final List<Integer> resultBegins = new ArrayList<>();
  final List<Value> operands = new ArrayList<>();
  final List<Integer> operandBegins = new ArrayList<>();
  final List<Type> operandTypes = new ArrayList<>();
  final List<Type> resultTypes = new ArrayList<>();
  final List<Region> regions = new ArrayList<>();
  Attributes.Builder attributes = Attributes.builder();
  @Nullable Attribute debugLocation;

  /** Of a function: its parameters and what is said about them and the results. */
  final List<Value> parameters = new ArrayList<>();

  final List<Type> parameterTypes = new ArrayList<>();
  final List<@Nullable Attribute> parameterAttributes = new ArrayList<>();
  final List<@Nullable Attribute> functionResultAttributes = new ArrayList<>();
  final List<Type> functionResults = new ArrayList<>();
  final List<@Nullable Attribute> parameterLocations = new ArrayList<>();
  int functionMark;
  int functionScope;

  /** Whether a function's head is being read. */
  boolean head;

  /** Whether the next region is isolated from the values around it, and its default dialect. */
  boolean isolated;

  boolean function;

  void reset(int offset) {
    begin = offset;
    def = null;
    results.clear();
    resultCounts.clear();
    resultBegins.clear();
    operands.clear();
    operandBegins.clear();
    operandTypes.clear();
    resultTypes.clear();
    regions.clear();
    attributes = Attributes.builder();
    debugLocation = null;
    parameters.clear();
    parameterTypes.clear();
    parameterAttributes.clear();
    functionResultAttributes.clear();
    functionResults.clear();
    parameterLocations.clear();
    head = false;
    isolated = false;
    function = false;
  }
}
