package dev.lockstep.hlo.translate;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.AllGatherDone;
import dev.lockstep.hlo.op.collective.AllGatherStart;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.AllReduceDone;
import dev.lockstep.hlo.op.collective.AllReduceStart;
import dev.lockstep.hlo.op.collective.AllToAll;
import dev.lockstep.hlo.op.collective.AsyncDone;
import dev.lockstep.hlo.op.collective.AsyncStart;
import dev.lockstep.hlo.op.collective.AsyncUpdate;
import dev.lockstep.hlo.op.collective.CollectiveBroadcast;
import dev.lockstep.hlo.op.collective.CollectivePermute;
import dev.lockstep.hlo.op.collective.CollectivePermuteDone;
import dev.lockstep.hlo.op.collective.CollectivePermuteStart;
import dev.lockstep.hlo.op.collective.Recv;
import dev.lockstep.hlo.op.collective.RecvDone;
import dev.lockstep.hlo.op.collective.ReduceScatter;
import dev.lockstep.hlo.op.collective.Send;
import dev.lockstep.hlo.op.collective.SendDone;
import dev.lockstep.hlo.op.compute.Convolution;
import dev.lockstep.hlo.op.compute.Rng;
import dev.lockstep.hlo.op.control.Case;
import dev.lockstep.hlo.op.control.Conditional;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.hlo.op.control.Fusion;
import dev.lockstep.hlo.op.control.GetTupleElement;
import dev.lockstep.hlo.op.control.If;
import dev.lockstep.hlo.op.control.TupleOp;
import dev.lockstep.hlo.op.control.While;
import dev.lockstep.hlo.op.data.Bitcast;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.op.data.Copy;
import dev.lockstep.hlo.op.data.CopyDone;
import dev.lockstep.hlo.op.data.CopyStart;
import dev.lockstep.hlo.op.data.DynamicSlice;
import dev.lockstep.hlo.op.data.DynamicUpdateSlice;
import dev.lockstep.hlo.op.data.OptimizationBarrier;
import dev.lockstep.hlo.op.data.TopK;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;

/** How instructions of HLO that StableHLO has in another shape, or not at all, are written. */
final class StablehloRules {

  /** Builds what stands for the value of an instruction. */
  interface Rule {
    Tree apply(Operation operation, ToStablehlo.Frame frame);
  }

  /** The rules, by op. */
  static final ImmutableMap<OpDef, Rule> SPECIAL =
      ImmutableMap.<OpDef, Rule>builder()
          .put(Constant.DEF, StablehloRules::constant)
          .put(TupleOp.DEF, StablehloRules::tuple)
          .put(GetTupleElement.DEF, StablehloRules::element)
          .put(BuiltinOps.CALL, StablehloRules::call)
          .put(Fusion.DEF, StablehloRules::call)
          .put(CustomCall.DEF, StablehloRules::customCall)
          .put(While.DEF, StablehloRules::loop)
          .put(Conditional.DEF, StablehloRules::conditional)
          .put(OptimizationBarrier.DEF, StablehloRules::barrier)
          .put(Copy.DEF, (operation, frame) -> frame.of(operation.operand(0)))
          .put(Bitcast.DEF, StablehloRules::bitcast)
          .put(DynamicSlice.DEF, (operation, frame) -> indexed(operation, 1, frame))
          .put(DynamicUpdateSlice.DEF, (operation, frame) -> indexed(operation, 2, frame))
          .put(Convolution.DEF, StablehloRules::convolution)
          .put(TopK.DEF, StablehloRules::topK)
          .put(Rng.DEF, StablehloRules::random)
          .put(Send.DEF, StablehloMeetingRules::send)
          .put(SendDone.DEF, (operation, frame) -> at(frame.of(operation.operand(0)), 2))
          .put(Recv.DEF, StablehloMeetingRules::receive)
          .put(RecvDone.DEF, StablehloMeetingRules::received)
          .put(AllReduceStart.DEF, (operation, frame) -> frame.plain(operation, AllReduce.DEF))
          .put(AllReduceDone.DEF, (operation, frame) -> frame.of(operation.operand(0)))
          .put(AllGatherStart.DEF, StablehloMeetingRules::gatherStart)
          .put(AllGatherDone.DEF, (operation, frame) -> at(frame.of(operation.operand(0)), 1))
          .put(CollectivePermute.DEF, StablehloMeetingRules::permute)
          .put(CollectivePermuteStart.DEF, StablehloMeetingRules::permuteStart)
          .put(
              CollectivePermuteDone.DEF,
              (operation, frame) -> at(frame.of(operation.operand(0)), 1))
          .put(CollectiveBroadcast.DEF, StablehloMeetingRules::broadcast)
          .put(AllToAll.DEF, StablehloMeetingRules::allToAll)
          .put(ReduceScatter.DEF, StablehloMeetingRules::reduceScatter)
          .put(AsyncStart.DEF, StablehloMeetingRules::asyncStart)
          .put(AsyncUpdate.DEF, (operation, frame) -> frame.of(operation.operand(0)))
          .put(AsyncDone.DEF, (operation, frame) -> at(frame.of(operation.operand(0)), 1))
          .put(CopyStart.DEF, StablehloMeetingRules::copyStart)
          .put(CopyDone.DEF, (operation, frame) -> at(frame.of(operation.operand(0)), 0))
          .buildOrThrow();

  private StablehloRules() {}

  /** Returns an element; of a start that gives its result alone, that. */
  static Tree at(Tree tuple, int index) {
    if (tuple instanceof Tree.Leaf) {
      return tuple;
    }
    return ((Tree.Node) tuple).elements().get(index);
  }

  private static Tree constant(Operation operation, ToStablehlo.Frame frame) {
    if (operation.result().type() instanceof TupleType
        || !(operation.attribute("value") instanceof Attribute.Dense value)) {
      throw Untranslatable.op(operation, "StableHLO has no constants of this form");
    }
    return new Tree.Leaf(frame.builder().constant(value.literal()));
  }

  private static Tree tuple(Operation operation, ToStablehlo.Frame frame) {
    return new Tree.Node(
        operation.operands().stream().map(frame::of).collect(ImmutableList.toImmutableList()));
  }

  private static Tree element(Operation operation, ToStablehlo.Frame frame) {
    Long index = AttrKeys.asLong(requireNonNull(operation.attribute("index")));
    return at(frame.of(operation.operand(0)), Math.toIntExact(requireNonNull(index)));
  }

  private static Tree call(Operation operation, ToStablehlo.Frame frame) {
    String callee = frame.owner().function(Bodies.callees(operation).get(0), operation);
    return frame.emit(
        operation,
        BuiltinOps.CALL,
        frame.operands(operation),
        operation.result().type(),
        Attributes.of("callee", Attribute.Symbol.of(callee)),
        ImmutableList.of());
  }

  /** Old HLO has all indices in one array, from operand {@code first} on. */
  private static Tree indexed(Operation operation, int first, ToStablehlo.Frame frame) {
    if (operation.operands().size() > first
        && operation.operand(first).type() instanceof TensorType
        && ((TensorType) operation.operand(first).type()).rank() > 0) {
      throw Untranslatable.op(operation, "its indices are one array; give an operand for each");
    }
    return frame.plain(operation, operation.def());
  }

  private static Tree customCall(Operation operation, ToStablehlo.Frame frame) {
    if (!Bodies.callees(operation).isEmpty()) {
      throw Untranslatable.attribute(operation, "called_computations");
    }
    for (String name : CustomCallForms.ONLY_HLO) {
      if (operation.attribute(name) != null) {
        throw Untranslatable.attribute(operation, name);
      }
    }
    Attributes.Builder attributes = Attributes.builder();
    AttributeTranslation.of(operation, frame.builder()).forEach(attributes::put);
    CustomCallForms.toMlir(operation, attributes);
    return frame.emit(
        operation,
        CustomCall.DEF,
        frame.operands(operation),
        operation.result().type(),
        attributes.build(),
        ImmutableList.of());
  }

  private static Tree loop(Operation operation, ToStablehlo.Frame frame) {
    ImmutableList<String> callees = Bodies.callees(operation);
    return frame.emit(
        operation,
        While.DEF,
        frame.operands(operation),
        operation.result().type(),
        Attributes.EMPTY,
        ImmutableList.of(
            frame.owner().region(callees.get(0), operation),
            frame.owner().region(callees.get(1), operation)));
  }

  private static Tree conditional(Operation operation, ToStablehlo.Frame frame) {
    ImmutableList<String> callees = Bodies.callees(operation);
    ImmutableList.Builder<Region> regions = ImmutableList.builder();
    for (int i = 0; i < callees.size(); i++) {
      ImmutableList<Tree> given = ImmutableList.of(frame.of(operation.operand(i + 1)));
      regions.add(frame.owner().region(callees.get(i), given, operation));
    }
    boolean isIf = ((TensorType) operation.operand(0).type()).element().isBool();
    return frame.emit(
        operation,
        isIf ? If.DEF : Case.DEF,
        frame.of(operation.operand(0)).leaves(),
        operation.result().type(),
        Attributes.EMPTY,
        regions.build());
  }

  private static Tree barrier(Operation operation, ToStablehlo.Frame frame) {
    return frame.emit(
        operation,
        OptimizationBarrier.DEF,
        frame.operands(operation),
        operation.result().type(),
        Attributes.EMPTY,
        ImmutableList.of());
  }

  /**
   * A bitcast reads the elements in the order in which they lie as an array of another shape: a
   * transposition into that order, a reshape, and a transposition out of the order of the result.
   */
  private static Tree bitcast(Operation operation, ToStablehlo.Frame frame) {
    TensorType from = (TensorType) operation.operand(0).type();
    TensorType to = (TensorType) operation.result().type();
    if (from.element() != to.element()) {
      throw Untranslatable.op(operation, "it changes the type of elements as they lie");
    }
    OpBuilder builder = frame.builder();
    Value value = frame.of(operation.operand(0)).leaves().get(0);
    long[] before = majorToMinor(from);
    long[] after = majorToMinor(to);
    long[] dims = new long[after.length];
    long[] back = new long[after.length];
    for (int i = 0; i < after.length; i++) {
      dims[i] = to.dim((int) after[i]);
      back[(int) after[i]] = i;
    }
    Value lying = isIdentity(before) ? value : builder.transpose(value, before);
    Value shaped = builder.reshape(lying, dims);
    return new Tree.Leaf(isIdentity(back) ? shaped : builder.transpose(shaped, back));
  }

  private static long[] majorToMinor(TensorType type) {
    Layout layout = type.layout();
    long[] out = new long[type.rank()];
    for (int i = 0; i < out.length; i++) {
      out[i] = layout == null ? i : layout.minorToMajor().get(out.length - 1 - i);
    }
    return out;
  }

  private static boolean isIdentity(long[] permutation) {
    for (int i = 0; i < permutation.length; i++) {
      if (permutation[i] != i) {
        return false;
      }
    }
    return true;
  }

  /** HLO leaves out the groups of one that StableHLO wants. */
  private static Tree convolution(Operation operation, ToStablehlo.Frame frame) {
    Attributes attributes = AttributeTranslation.of(operation, frame.builder());
    for (String name : new String[] {"batch_group_count", "feature_group_count"}) {
      if (!attributes.has(name)) {
        attributes = attributes.with(name, Attribute.Int.i64(1));
      }
    }
    return frame.emit(
        operation,
        Convolution.DEF,
        frame.operands(operation),
        operation.result().type(),
        attributes,
        ImmutableList.of());
  }

  private static Tree topK(Operation operation, ToStablehlo.Frame frame) {
    if (!TopK.LARGEST.getOr(operation, true)) {
      throw Untranslatable.attribute(operation, "largest");
    }
    return frame.plain(operation, TopK.DEF);
  }

  private static Tree random(Operation operation, ToStablehlo.Frame frame) {
    if (operation.operands().size() != 2) {
      throw Untranslatable.op(operation, "StableHLO's takes two bounds and no state");
    }
    TensorType type = (TensorType) operation.result().type();
    Value sizes =
        frame
            .builder()
            .constant(
                Literal.of(TensorType.of(ElementType.I64, type.rank()), type.dims().toArray()));
    return frame.emit(
        operation,
        Rng.DEF,
        ImmutableList.<Value>builder().addAll(frame.operands(operation)).add(sizes).build(),
        type,
        AttributeTranslation.of(operation, frame.builder()),
        ImmutableList.of());
  }
}
