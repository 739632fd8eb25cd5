package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.AllToAll;
import dev.lockstep.hlo.op.collective.CollectiveBroadcast;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.Recv;
import dev.lockstep.hlo.op.collective.RecvDone;
import dev.lockstep.hlo.op.collective.Send;
import dev.lockstep.hlo.op.collective.SendDone;
import dev.lockstep.hlo.op.compute.Convolution;
import dev.lockstep.hlo.op.compute.Dot;
import dev.lockstep.hlo.op.compute.Rng;
import dev.lockstep.hlo.op.control.AfterAll;
import dev.lockstep.hlo.op.control.Case;
import dev.lockstep.hlo.op.control.Conditional;
import dev.lockstep.hlo.op.control.CreateToken;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.hlo.op.control.If;
import dev.lockstep.hlo.op.control.While;
import dev.lockstep.hlo.op.data.Broadcast;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.op.data.OptimizationBarrier;
import dev.lockstep.hlo.op.data.TopK;
import dev.lockstep.hlo.op.elementwise.Clamp;
import dev.lockstep.hlo.op.elementwise.Select;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;

/** How ops of StableHLO that HLO has in another shape are written there. */
final class HloRules {

  /** Builds what stands for the results of an operation. */
  interface Rule {
    ImmutableList<Value> apply(Operation operation, ToHlo.Frame frame);
  }

  /** The rules, by op. */
  static final ImmutableMap<OpDef, Rule> SPECIAL =
      ImmutableMap.<OpDef, Rule>builder()
          .put(Constant.DEF, HloRules::constant)
          .put(BuiltinOps.CALL, HloRules::call)
          .put(CustomCall.DEF, HloRules::customCall)
          .put(While.DEF, HloRules::loop)
          .put(If.DEF, HloRules::branches)
          .put(Case.DEF, HloRules::branches)
          .put(CreateToken.DEF, (operation, frame) -> token(frame))
          .put(OptimizationBarrier.DEF, HloRules::barrier)
          .put(Send.DEF, HloRules::send)
          .put(Recv.DEF, HloRules::receive)
          .put(AllToAll.DEF, HloShapeRules::allToAll)
          .put(Dot.DEF, HloShapeRules::dot)
          .put(Rng.DEF, HloShapeRules::random)
          .put(Convolution.DEF, HloShapeRules::convolution)
          .put(CollectiveBroadcast.DEF, HloRules::collectiveBroadcast)
          .put(BroadcastInDim.DEF, HloShapeRules::broadcast)
          .put(Broadcast.DEF, HloShapeRules::leadingBroadcast)
          .put(TopK.DEF, HloShapeRules::topK)
          .put(Select.DEF, HloShapeRules::spread)
          .put(Clamp.DEF, HloShapeRules::spread)
          .buildOrThrow();

  /** Literals of more equal elements than this are broadcast: HLO text writes each of them. */
  private static final int LONG = 32;

  private HloRules() {}

  private static ImmutableList<Value> constant(Operation operation, ToHlo.Frame frame) {
    Attribute value = operation.attribute("value");
    if (!(value instanceof Attribute.Dense)) {
      throw Untranslatable.op(operation, "its value is not known");
    }
    Literal literal = ((Attribute.Dense) value).literal();
    if (literal.isSplat() && literal.count() > LONG) {
      TensorType type = literal.type();
      Literal scalar = Literal.splat(TensorType.of(type.element()), literal.rawStorage());
      return ImmutableList.of(frame.builder().full(scalar, type));
    }
    return ImmutableList.of(frame.builder().constant(literal));
  }

  private static ImmutableList<Value> collectiveBroadcast(Operation operation, ToHlo.Frame frame) {
    if (Collectives.HAS_DYNAMIC_ROOT.getOr(operation, false)) {
      throw Untranslatable.attribute(operation, "has_dynamic_root");
    }
    return frame
        .builder()
        .emitAll(
            CollectiveBroadcast.DEF,
            frame.all(operation.operands(), operation),
            operation.resultTypes(),
            AttributeTranslation.of(operation, frame.builder()).without("has_dynamic_root"),
            ImmutableList.of());
  }

  private static ImmutableList<Value> call(Operation operation, ToHlo.Frame frame) {
    String callee = frame.owner().computation(Bodies.callees(operation).get(0), operation);
    return frame
        .builder()
        .emitAll(
            BuiltinOps.CALL,
            frame.all(operation.operands(), operation),
            operation.resultTypes(),
            Attributes.of("to_apply", Attribute.Symbol.of(callee)),
            ImmutableList.of());
  }

  private static ImmutableList<Value> customCall(Operation operation, ToHlo.Frame frame) {
    if (!Bodies.callees(operation).isEmpty()) {
      throw Untranslatable.attribute(operation, "called_computations");
    }
    if (operation.attribute("output_operand_aliases") instanceof Attribute.Array
        && !((Attribute.Array) operation.attribute("output_operand_aliases"))
            .elements()
            .isEmpty()) {
      throw Untranslatable.attribute(operation, "output_operand_aliases");
    }
    Operation named = CustomCallForms.named(operation);
    if (named != null) {
      return frame.translate(named);
    }
    Attributes.Builder attributes = Attributes.builder();
    AttributeTranslation.of(operation, frame.builder()).forEach(attributes::put);
    CustomCallForms.toHlo(operation, attributes);
    return frame
        .builder()
        .emitAll(
            CustomCall.DEF,
            frame.all(operation.operands(), operation),
            operation.resultTypes(),
            attributes.build(),
            ImmutableList.of());
  }

  private static ImmutableList<Value> loop(Operation operation, ToHlo.Frame frame) {
    ToHlo owner = frame.owner();
    ImmutableList<Value> captured = owner.captured(operation.regions());
    String condition =
        owner.tupleBody(operation.regions().get(0), captured, operation, false, false);
    String body = owner.tupleBody(operation.regions().get(1), captured, operation, true, true);
    ImmutableList<Value> start =
        ImmutableList.<Value>builder()
            .addAll(frame.all(operation.operands(), operation))
            .addAll(frame.all(captured, operation))
            .build();
    OpBuilder builder = frame.builder();
    Value tuple = builder.tuple(start);
    Value end =
        builder.emit(
            While.DEF,
            ImmutableList.of(tuple),
            tuple.type(),
            Attributes.of(
                "condition", Attribute.Symbol.of(condition), "body", Attribute.Symbol.of(body)));
    return elements(builder, end, operation.results().size());
  }

  private static ImmutableList<Value> elements(OpBuilder builder, Value tuple, int count) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      out.add(builder.getTupleElement(tuple, i));
    }
    return out.build();
  }

  private static ImmutableList<Value> branches(Operation operation, ToHlo.Frame frame) {
    OpBuilder builder = frame.builder();
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    operands.add(frame.of(operation.operand(0), operation));
    List<Attribute> names = new ArrayList<>();
    for (Region region : operation.regions()) {
      ImmutableList<Value> captured = frame.owner().captured(ImmutableList.of(region));
      names.add(
          Attribute.Symbol.of(frame.owner().tupleBody(region, captured, operation, false, false)));
      operands.add(builder.tuple(frame.all(captured, operation)));
    }
    Attributes attributes =
        operation.is(If.DEF)
            ? Attributes.of("true_computation", names.get(0), "false_computation", names.get(1))
            : Attributes.of(
                "branch_computations", new Attribute.Array(ImmutableList.copyOf(names)));
    return builder.emitAll(
        Conditional.DEF, operands.build(), operation.resultTypes(), attributes, ImmutableList.of());
  }

  private static ImmutableList<Value> token(ToHlo.Frame frame) {
    return ImmutableList.of(
        frame.builder().emit(AfterAll.DEF, ImmutableList.of(), TokenType.TOKEN, Attributes.EMPTY));
  }

  private static ImmutableList<Value> barrier(Operation operation, ToHlo.Frame frame) {
    OpBuilder builder = frame.builder();
    ImmutableList<Value> operands = frame.all(operation.operands(), operation);
    if (operands.size() == 1) {
      return ImmutableList.of(
          builder.emit(
              OptimizationBarrier.DEF, operands, operands.get(0).type(), Attributes.EMPTY));
    }
    Value tuple = builder.tuple(operands);
    Value after =
        builder.emit(
            OptimizationBarrier.DEF, ImmutableList.of(tuple), tuple.type(), Attributes.EMPTY);
    return elements(builder, after, operands.size());
  }

  private static Attributes transfer(Operation operation, OpBuilder builder) {
    Attributes.Builder out = Attributes.builder();
    AttributeTranslation.of(operation, builder)
        .forEach(
            (name, value) -> {
              boolean isFalse = value == Attribute.Bool.FALSE;
              if (!name.equals("source_target_pairs") && !isFalse) {
                out.set(name, value);
              }
            });
    ImmutableList<ImmutableLongArray> pairs = Collectives.PAIRS.find(operation);
    if (pairs != null && !pairs.isEmpty()) {
      List<String> each = new ArrayList<>();
      pairs.forEach(pair -> each.add("{" + pair.get(0) + "," + pair.get(1) + "}"));
      Attribute words = operation.attribute("mhlo.frontend_attributes");
      Attributes given =
          words instanceof Attribute.Dict ? ((Attribute.Dict) words).entries() : Attributes.EMPTY;
      out.set(
          "frontend_attributes",
          new Attribute.Dict(
              given.with(
                  "_xla_send_recv_source_target_pairs",
                  Attribute.Str.of("{" + String.join(",", each) + "}"))));
    }
    return out.build();
  }

  /** Returns the attributes that the done of a transfer repeats. */
  private static Attributes ofDone(Attributes attributes) {
    Attributes.Builder out = Attributes.builder();
    attributes.forEach(
        (name, value) -> {
          if (name.equals("channel_id") || name.equals("is_host_transfer")) {
            out.put(name, value);
          }
        });
    return out.build();
  }

  private static ImmutableList<Value> send(Operation operation, ToHlo.Frame frame) {
    OpBuilder builder = frame.builder();
    ImmutableList<Value> operands = frame.all(operation.operands(), operation);
    Value token = operands.get(operands.size() - 1);
    Value data =
        operands.size() == 2
            ? operands.get(0)
            : builder.tuple(operands.subList(0, operands.size() - 1));
    Attributes attributes = transfer(operation, builder);
    Value sent =
        builder.emit(
            Send.DEF,
            ImmutableList.of(data, token),
            new TupleType(
                ImmutableList.of(data.type(), TensorType.of(ElementType.UI32), TokenType.TOKEN)),
            attributes);
    return ImmutableList.of(
        builder.emit(SendDone.DEF, ImmutableList.of(sent), TokenType.TOKEN, ofDone(attributes)));
  }

  private static ImmutableList<Value> receive(Operation operation, ToHlo.Frame frame) {
    OpBuilder builder = frame.builder();
    ImmutableList<Type> types = operation.resultTypes();
    ImmutableList<Type> data = types.subList(0, types.size() - 1);
    Type one = data.size() == 1 ? data.get(0) : new TupleType(data);
    Attributes attributes = transfer(operation, builder);
    Value received =
        builder.emit(
            Recv.DEF,
            frame.all(operation.operands(), operation),
            new TupleType(ImmutableList.of(one, TensorType.of(ElementType.UI32), TokenType.TOKEN)),
            attributes);
    Value done =
        builder.emit(
            RecvDone.DEF,
            ImmutableList.of(received),
            new TupleType(ImmutableList.of(one, TokenType.TOKEN)),
            ofDone(attributes));
    Value first = builder.getTupleElement(done, 0);
    return ImmutableList.<Value>builder()
        .addAll(data.size() == 1 ? ImmutableList.of(first) : elements(builder, first, data.size()))
        .add(builder.getTupleElement(done, 1))
        .build();
  }
}
