package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The operators of the {@code c10d} namespace, which write into their arguments. Process groups and
 * reductions are read by {@link C10dObjects}.
 */
final class C10d {
  private static final String GROUP = " ProcessGroup process_group";
  private static final String ASYNC = ", bool async_op=True, int timeout=-1)";

  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          of(
              "allreduce_(Tensor[] tensors,"
                  + GROUP
                  + ", ReduceOp reduce_op, Tensor?"
                  + " sparse_indices"
                  + ASYNC,
              C10d::allReduce),
          of(
              "allreduce_coalesced_(Tensor[] tensors," + GROUP + ", ReduceOp reduce_op" + ASYNC,
              C10d::allReduce),
          of(
              "broadcast_(Tensor[] tensors," + GROUP + ", int root_rank, int root_tensor" + ASYNC,
              C10d::broadcast),
          of(
              "allgather_(Tensor[][] output_tensors, Tensor[] input_tensors," + GROUP + ASYNC,
              (call, t) -> gather(call, t, "c10d.all_gather", new Attribute[0])),
          of(
              "gather_(Tensor[][] output_tensors, Tensor[] input_tensors,"
                  + GROUP
                  + ", int root_rank"
                  + ASYNC,
              (call, t) ->
                  gather(call, t, "c10d.gather", Attribute.Int.i64(call.integer("root_rank")))),
          of(
              "_allgather_base_(Tensor output_tensor, Tensor input_tensor," + GROUP + ASYNC,
              C10d::gatherBase),
          of(
              "reduce_(Tensor[] tensors,"
                  + GROUP
                  + ", ReduceOp reduce_op, int root_rank, int root_tensor"
                  + ASYNC,
              C10d::reduce),
          of(
              "scatter_(Tensor[] output_tensors, Tensor[][] input_tensors,"
                  + GROUP
                  + ", int root_rank"
                  + ASYNC,
              C10d::scatter),
          of(
              "reduce_scatter_(Tensor[] output_tensors, Tensor[][] input_tensors,"
                  + GROUP
                  + ", ReduceOp reduce_op"
                  + ASYNC,
              C10d::reduceScatter),
          of(
              "_reduce_scatter_base_(Tensor output_tensor, Tensor input_tensor,"
                  + GROUP
                  + ", ReduceOp reduce_op"
                  + ASYNC,
              C10d::reduceScatterBase),
          of(
              "alltoall_(Tensor[] output_tensors, Tensor[] input_tensors," + GROUP + ASYNC,
              C10d::allToAll),
          of(
              "alltoall_base_(Tensor output, Tensor input,"
                  + GROUP
                  + ", int[] output_split_sizes, int[] input_split_sizes"
                  + ASYNC,
              C10d::allToAllBase),
          of("send(Tensor[] tensors," + GROUP + ", int dst, int tag)", C10d::send),
          of("recv_(Tensor[] tensors," + GROUP + ", int src, int tag)", C10d::receive),
          of("barrier(Tensor tensor," + GROUP + ", int[] device_ids" + ASYNC, C10d::barrier),
          of(
              "monitored_barrier_(Tensor tensor,"
                  + GROUP
                  + ", int[] device_ids, int timeout, bool wait_all_ranks)",
              C10d::barrier));

  private C10d() {}

  private static AtenOp of(String schema, AtenOp.Rule rule) {
    return AtenOp.of("c10d::" + schema + " -> Work", rule);
  }

  private static Attributes.Builder reducing(AtenCall call) {
    return FunctionalCollectives.config(call)
        .put("reduce_op", Attribute.Str.of(C10dObjects.reduction(call)));
  }

  private static Arg write(AtenCall call, Arg target, Value value, Tensors t) {
    if (!(target instanceof Arg.Tensor tensor)) {
      throw call.error("writes into " + target.describe() + ", must be a tensor");
    }
    Value shaped = t.reshape(value, tensor.type().dims().toArray());
    call.context().mutations().write(tensor, shaped, call.name(), call.location());
    return tensor;
  }

  /** What calls give: what they wrote, and a handle that is waited for. */
  private static Arg given(Arg written) {
    return Arg.items(ImmutableList.of(written, Arg.None.INSTANCE));
  }

  private static Arg writeAll(
      AtenCall call, ImmutableList<Arg> targets, ImmutableList<Value> values, Tensors t) {
    List<Arg> out = new ArrayList<>();
    for (int i = 0; i < targets.size() && i < values.size(); i++) {
      out.add(write(call, targets.get(i), values.get(i), t));
    }
    return Arg.items(out);
  }

  private static Arg allReduce(AtenCall call, Tensors t) {
    ImmutableList<Value> tensors = call.tensors("tensors");
    String name =
        tensors.size() == 1
            ? "_c10d_functional.all_reduce"
            : "_c10d_functional.all_reduce_coalesced";
    ImmutableList<Value> reduced =
        FunctionalCollectives.emit(
            t, name, tensors, tensors.stream().map(Tensors::type).toList(), reducing(call));
    return given(writeAll(call, call.items("tensors"), reduced, t));
  }

  private static Value single(
      Tensors t, String target, Value operand, TensorType result, Attributes.Builder config) {
    return FunctionalCollectives.emit(
            t, target, ImmutableList.of(operand), ImmutableList.of(result), config)
        .get(0);
  }

  private static Value one(AtenCall call, String name) {
    ImmutableList<Value> tensors = call.tensors(name);
    if (tensors.size() != 1) {
      throw call.unsupported(name + " holds " + tensors.size() + " tensors, one a device");
    }
    return tensors.get(0);
  }

  private static Arg broadcast(AtenCall call, Tensors t) {
    Value tensor = one(call, "tensors");
    Attributes.Builder config =
        FunctionalCollectives.config(call).put("src", Attribute.Int.i64(call.integer("root_rank")));
    Value sent = single(t, "_c10d_functional.broadcast", tensor, Tensors.type(tensor), config);
    return given(writeAll(call, call.items("tensors"), ImmutableList.of(sent), t));
  }

  private static Arg reduce(AtenCall call, Tensors t) {
    Value tensor = one(call, "tensors");
    Attributes.Builder config =
        reducing(call).put("dst", Attribute.Int.i64(call.integer("root_rank")));
    Value reduced = single(t, "c10d.reduce", tensor, Tensors.type(tensor), config);
    return given(writeAll(call, call.items("tensors"), ImmutableList.of(reduced), t));
  }

  /** The list for this device in a list for each. */
  private static ImmutableList<Arg> inner(AtenCall call, String name) {
    ImmutableList<Arg> lists = call.items(name);
    if (lists.isEmpty()) {
      return ImmutableList.of();
    }
    if (lists.size() != 1 || !(lists.get(0) instanceof Arg.Items items)) {
      throw call.unsupported(name + " holds " + lists.size() + " lists, one a device");
    }
    return items.elements();
  }

  private static int size(AtenCall call, int listed) {
    int known = FunctionalCollectives.groupSize(call);
    if (known >= 0 && listed > 0 && known != listed) {
      throw call.error("lists " + listed + " tensors, the group has " + known + " ranks");
    }
    return known >= 0 ? known : listed;
  }

  private static Arg gather(AtenCall call, Tensors t, String target, Attribute... destination) {
    Value input = one(call, "input_tensors");
    ImmutableList<Arg> outputs = inner(call, "output_tensors");
    List<TensorType> types = new ArrayList<>();
    for (int i = 0; i < size(call, outputs.size()); i++) {
      types.add(Tensors.type(input));
    }
    Attributes.Builder config = FunctionalCollectives.config(call);
    for (Attribute each : destination) {
      config.put("dst", each);
    }
    ImmutableList<Value> gathered =
        FunctionalCollectives.emit(t, target, ImmutableList.of(input), types, config);
    return given(Arg.items(ImmutableList.of(writeAll(call, outputs, gathered, t))));
  }

  /** How many times as many elements one tensor has as another. */
  private static long ratio(AtenCall call, TensorType large, TensorType small) {
    int known = FunctionalCollectives.groupSize(call);
    long ratio = small.count() == 0 ? Math.max(known, 1) : large.count() / small.count();
    if (known >= 0 && ratio != known || ratio * small.count() != large.count()) {
      throw call.error(
          String.format(
              "%s is not %s as many times as the group has ranks%s",
              large, small, known < 0 ? "" : ", " + known));
    }
    return ratio;
  }

  private static TensorType rows(TensorType type, long factor) {
    long[] dims = type.rank() == 0 ? new long[] {1} : type.dims().toArray();
    dims[0] *= factor;
    return type.withDims(dims);
  }

  private static Arg gatherBase(AtenCall call, Tensors t) {
    Value input = call.tensor("input_tensor");
    long ranks = ratio(call, call.type("output_tensor"), Tensors.type(input));
    Value gathered =
        single(
            t,
            "_c10d_functional.all_gather_into_tensor",
            input,
            rows(Tensors.type(input), ranks),
            FunctionalCollectives.config(call));
    return given(write(call, call.arg("output_tensor"), gathered, t));
  }

  private static Arg scatter(AtenCall call, Tensors t) {
    Value output = one(call, "output_tensors");
    ImmutableList<Arg> parts = inner(call, "input_tensors");
    List<Value> operands = new ArrayList<>();
    for (int i = 0; i < size(call, parts.size()); i++) {
      // Only the source's parts are read.
      operands.add(
          i < parts.size() && parts.get(i) instanceof Arg.Tensor part
              ? part.value()
              : t.full(Tensors.type(output), 0L));
    }
    if (operands.isEmpty()) {
      throw call.error("the size of the group is not known; give --groups FILE");
    }
    Attributes.Builder config =
        FunctionalCollectives.config(call).put("src", Attribute.Int.i64(call.integer("root_rank")));
    ImmutableList<Value> got =
        FunctionalCollectives.emit(
            t, "c10d.scatter", operands, ImmutableList.of(Tensors.type(output)), config);
    return given(writeAll(call, call.items("output_tensors"), got, t));
  }

  private static ImmutableList<Value> values(AtenCall call, ImmutableList<Arg> list) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Arg each : list) {
      if (!(each instanceof Arg.Tensor tensor)) {
        throw call.error("holds " + each.describe() + ", must be tensors");
      }
      out.add(tensor.value());
    }
    return out.build();
  }

  private static Arg reduceScatter(AtenCall call, Tensors t) {
    Value output = one(call, "output_tensors");
    ImmutableList<Value> parts = values(call, inner(call, "input_tensors"));
    size(call, parts.size());
    ImmutableList<Value> got =
        FunctionalCollectives.emit(
            t,
            "c10d.reduce_scatter",
            parts,
            ImmutableList.of(Tensors.type(output)),
            reducing(call));
    return given(writeAll(call, call.items("output_tensors"), got, t));
  }

  private static Arg reduceScatterBase(AtenCall call, Tensors t) {
    TensorType output = call.type("output_tensor");
    Value input = call.tensor("input_tensor");
    long ranks = ratio(call, Tensors.type(input), output);
    TensorType whole = rows(output, ranks);
    Value got =
        single(
            t,
            "_c10d_functional.reduce_scatter_tensor",
            t.reshape(input, whole.dims().toArray()),
            rows(output, 1),
            reducing(call));
    return given(write(call, call.arg("output_tensor"), got, t));
  }

  private static Arg allToAll(AtenCall call, Tensors t) {
    ImmutableList<Value> inputs = call.tensors("input_tensors");
    size(call, inputs.size());
    List<TensorType> types = inputs.stream().map(Tensors::type).toList();
    ImmutableList<Value> got =
        FunctionalCollectives.emit(
            t, "c10d.all_to_all", inputs, types, FunctionalCollectives.config(call));
    return given(writeAll(call, call.items("output_tensors"), got, t));
  }

  private static Arg allToAllBase(AtenCall call, Tensors t) {
    Value input = call.tensor("input");
    TensorType output = call.type("output");
    long[] send = call.integers("input_split_sizes");
    long[] receive = call.integers("output_split_sizes");
    Attributes.Builder config = FunctionalCollectives.config(call);
    if (send.length > 0 || receive.length > 0) {
      config
          .put("send_counts", Attribute.Longs.of(counts(call, send, Tensors.type(input))))
          .put("recv_counts", Attribute.Longs.of(counts(call, receive, output)));
    }
    Value got = single(t, "_c10d_functional.all_to_all_single", input, output, config);
    return given(write(call, call.arg("output"), got, t));
  }

  private static long[] counts(AtenCall call, long[] splits, TensorType type) {
    long rows = type.rank() == 0 ? 1 : type.dim(0);
    int size = FunctionalCollectives.groupSize(call);
    if (splits.length == 0 && size > 0) {
      long[] even = new long[size];
      Arrays.fill(even, rows / size);
      return even;
    }
    long sum = ImmutableLongArray.copyOf(splits).stream().sum();
    if (sum != rows) {
      throw call.error(
          String.format(
              "the split sizes %s add up to %d rows, but the tensor has %d: %s",
              Arrays.toString(splits), sum, rows, type));
    }
    return splits;
  }

  private static Attributes.Builder peer(AtenCall call, String name) {
    return FunctionalCollectives.config(call)
        .put("peer", Attribute.Int.i64(call.integer(name)))
        .put("tag", Attribute.Int.i64(call.integer("tag")));
  }

  private static Arg send(AtenCall call, Tensors t) {
    FunctionalCollectives.emit(
        t,
        "c10d.send",
        ImmutableList.of(one(call, "tensors")),
        ImmutableList.of(),
        peer(call, "dst"));
    return Arg.None.INSTANCE;
  }

  private static Arg receive(AtenCall call, Tensors t) {
    Value buffer = one(call, "tensors");
    Value got = single(t, "c10d.recv", buffer, Tensors.type(buffer), peer(call, "src"));
    return writeAll(call, call.items("tensors"), ImmutableList.of(got), t);
  }

  private static Arg barrier(AtenCall call, Tensors t) {
    FunctionalCollectives.emit(
        t,
        "c10d.barrier",
        ImmutableList.of(),
        ImmutableList.of(),
        FunctionalCollectives.config(call));
    return Arg.None.INSTANCE;
  }
}
