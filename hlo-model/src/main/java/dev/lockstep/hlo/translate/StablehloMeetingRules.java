package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.AllGather;
import dev.lockstep.hlo.op.collective.AllToAll;
import dev.lockstep.hlo.op.collective.CollectiveBroadcast;
import dev.lockstep.hlo.op.collective.CollectivePermute;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.Recv;
import dev.lockstep.hlo.op.collective.ReduceScatter;
import dev.lockstep.hlo.op.collective.Send;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;

/** How collectives, transfers and what runs beside the rest are written in StableHLO. */
final class StablehloMeetingRules {
  private StablehloMeetingRules() {}

  /** Attributes of a transfer: the type of its channel says who is at the other end. */
  private static Attributes transfer(Operation operation, OpBuilder builder, long hostType) {
    Attributes.Builder out = Attributes.builder();
    boolean host = Send.IS_HOST_TRANSFER.getOr(operation, false);
    AttributeTranslation.of(operation, builder).forEach(out::put);
    Long channel = Collectives.CHANNEL.find(operation);
    out.set(
        "channel_handle",
        new Attribute.Struct(
            "stablehlo.channel_handle",
            Attributes.of(
                "handle",
                Attribute.Int.i64(channel == null ? 0 : channel),
                "type",
                Attribute.Int.i64(host ? hostType : 1))));
    out.set("is_host_transfer", Attribute.Bool.of(host));
    ImmutableList<ImmutableLongArray> pairs = Collectives.pairs(operation);
    if (!pairs.isEmpty()) {
      out.set("source_target_pairs", builder.pairs(pairs));
    }
    return out.build();
  }

  /** A send gives its token at once; that of the done is the same. */
  static Tree send(Operation operation, ToStablehlo.Frame frame) {
    Value token =
        frame
            .builder()
            .emit(
                Send.DEF,
                frame.operands(operation),
                operation.operand(1).type(),
                transfer(operation, frame.builder(), 2));
    Tree leaf = new Tree.Leaf(token);
    return new Tree.Node(ImmutableList.of(frame.of(operation.operand(0)), leaf, leaf));
  }

  static Tree receive(Operation operation, ToStablehlo.Frame frame) {
    ImmutableList<Type> types = ((TupleType) operation.result().type()).elements();
    Tree both =
        frame.emit(
            operation,
            Recv.DEF,
            frame.operands(operation),
            new TupleType(ImmutableList.of(types.get(0), types.get(2))),
            transfer(operation, frame.builder(), 3),
            ImmutableList.of());
    return new Tree.Node(
        ImmutableList.of(
            StablehloRules.at(both, 0), StablehloRules.at(both, 1), StablehloRules.at(both, 1)));
  }

  static Tree received(Operation operation, ToStablehlo.Frame frame) {
    Tree started = frame.of(operation.operand(0));
    return new Tree.Node(
        ImmutableList.of(StablehloRules.at(started, 0), StablehloRules.at(started, 2)));
  }

  static Tree gatherStart(Operation operation, ToStablehlo.Frame frame) {
    if (!(operation.result().type() instanceof TupleType)) {
      return frame.plain(operation, AllGather.DEF);
    }
    Type results = ((TupleType) operation.result().type()).elements().get(1);
    Tree given =
        frame.emit(
            operation,
            AllGather.DEF,
            frame.operands(operation),
            results,
            Defaults.of(operation, frame.builder()),
            ImmutableList.of());
    return new Tree.Node(ImmutableList.of(given, given));
  }

  private static ImmutableList<Tree> permuted(Operation operation, ToStablehlo.Frame frame) {
    if (operation.attribute("slice_sizes") != null) {
      throw Untranslatable.attribute(operation, "slice_sizes");
    }
    ImmutableList.Builder<Tree> out = ImmutableList.builder();
    Attributes attributes = Defaults.of(operation, frame.builder());
    for (Value operand : frame.operands(operation)) {
      out.add(
          new Tree.Leaf(
              frame
                  .builder()
                  .emit(
                      CollectivePermute.DEF,
                      ImmutableList.of(operand),
                      operand.type(),
                      attributes)));
    }
    return out.build();
  }

  static Tree permute(Operation operation, ToStablehlo.Frame frame) {
    ImmutableList<Tree> all = permuted(operation, frame);
    return operation.result().type() instanceof TupleType ? new Tree.Node(all) : all.get(0);
  }

  static Tree permuteStart(Operation operation, ToStablehlo.Frame frame) {
    ImmutableList<Tree> all = permuted(operation, frame);
    if (!(operation.result().type() instanceof TupleType)) {
      return all.get(0);
    }
    Type results = ((TupleType) operation.result().type()).elements().get(1);
    Tree given = results instanceof TupleType ? new Tree.Node(all) : all.get(0);
    return new Tree.Node(ImmutableList.of(given, given));
  }

  static Tree broadcast(Operation operation, ToStablehlo.Frame frame) {
    if (Collectives.HAS_DYNAMIC_ROOT.getOr(operation, false)) {
      throw Untranslatable.attribute(operation, "has_dynamic_root");
    }
    return each(operation, frame, CollectiveBroadcast.DEF);
  }

  static Tree reduceScatter(Operation operation, ToStablehlo.Frame frame) {
    return each(operation, frame, ReduceScatter.DEF);
  }

  /** StableHLO's form has one operand: an operation for each. */
  private static Tree each(Operation operation, ToStablehlo.Frame frame, OpDef def) {
    ImmutableList<Type> types = Tree.types(operation.result().type());
    List<Value> results = new ArrayList<>();
    ImmutableList<Value> operands = frame.operands(operation);
    for (int i = 0; i < operands.size(); i++) {
      ImmutableList.Builder<Region> regions = ImmutableList.builder();
      for (String callee : Bodies.callees(operation)) {
        regions.add(frame.owner().region(callee, operation));
      }
      results.addAll(
          frame
              .emit(
                  operation,
                  def,
                  ImmutableList.of(operands.get(i)),
                  types.get(i),
                  Defaults.of(operation, frame.builder()),
                  regions.build())
              .leaves());
    }
    return Tree.of(operation.result().type(), results.iterator());
  }

  /** The form of several operands becomes one array of them, exchanged along a new dimension. */
  static Tree allToAll(Operation operation, ToStablehlo.Frame frame) {
    OpBuilder builder = frame.builder();
    Attributes attributes = Defaults.of(operation, builder);
    ImmutableList<Value> operands = frame.operands(operation);
    Long dimension = AllToAll.SPLIT_DIMENSION.find(operation);
    long count =
        dimension == null
            ? operands.size()
            : Collectives.groups(operation).lists().isEmpty()
                ? 0
                : Collectives.groups(operation).lists().get(0).length();
    if (count == 0) {
      throw Untranslatable.op(operation, "it does not say how many devices take part");
    }
    Attributes full =
        attributes
            .with("split_dimension", Attribute.Int.i64(dimension == null ? 0 : dimension))
            .with("concat_dimension", Attribute.Int.i64(dimension == null ? 0 : dimension))
            .with("split_count", Attribute.Int.i64(count));
    if (dimension != null) {
      return frame.emit(
          operation, AllToAll.DEF, operands, operation.result().type(), full, ImmutableList.of());
    }
    long[] dims = ((TensorType) operands.get(0).type()).dims().toArray();
    long[] tall = new long[dims.length + 1];
    tall[0] = 1;
    System.arraycopy(dims, 0, tall, 1, dims.length);
    List<Value> rows = new ArrayList<>();
    operands.forEach(operand -> rows.add(builder.reshape(operand, tall)));
    Value stacked = builder.concatenate(rows, 0);
    Value moved = builder.emit(AllToAll.DEF, ImmutableList.of(stacked), stacked.type(), full);
    List<Value> results = new ArrayList<>();
    long[] step = new long[tall.length];
    java.util.Arrays.fill(step, 1);
    for (int i = 0; i < operands.size(); i++) {
      long[] start = new long[tall.length];
      long[] limit = tall.clone();
      start[0] = i;
      limit[0] = i + 1L;
      results.add(builder.reshape(builder.slice(moved, start, limit, step), dims));
    }
    return Tree.of(operation.result().type(), results.iterator());
  }

  /** What runs beside the rest runs where it is started; its operands are not asked for again. */
  static Tree asyncStart(Operation operation, ToStablehlo.Frame frame) {
    Type results = ((TupleType) operation.result().type()).elements().get(1);
    String callee = frame.owner().function(Bodies.callees(operation).get(0), operation);
    Tree given =
        frame.emit(
            operation,
            BuiltinOps.CALL,
            frame.operands(operation),
            results,
            Attributes.of("callee", Attribute.Symbol.of(callee)),
            ImmutableList.of());
    return new Tree.Node(ImmutableList.of(given, given));
  }

  static Tree copyStart(Operation operation, ToStablehlo.Frame frame) {
    Tree value = frame.of(operation.operand(0));
    return new Tree.Node(ImmutableList.of(value, value));
  }
}
