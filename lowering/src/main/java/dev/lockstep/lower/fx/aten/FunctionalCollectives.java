package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls of {@code torch.distributed}, as custom calls that {@code lower-c10d} lowers. */
final class FunctionalCollectives {
  static final ImmutableList<AtenOp> OPS = ops();

  private FunctionalCollectives() {}

  private static ImmutableList<AtenOp> ops() {
    ImmutableList.Builder<AtenOp> out = ImmutableList.builder();
    add(out, "all_reduce(Tensor input, str reduce_op, str group_name) -> Tensor", allReduce(false));
    add(out, "all_reduce_(Tensor input, str reduce_op, str group_name) -> Tensor", allReduce(true));
    add(
        out,
        "all_reduce_coalesced(Tensor[] inputs, str reduce_op, str group_name) -> Tensor[]",
        allReduceCoalesced(false));
    add(
        out,
        "all_reduce_coalesced_(Tensor[] inputs, str reduce_op, str group_name) -> Tensor[]",
        allReduceCoalesced(true));
    add(
        out,
        "all_gather_into_tensor(Tensor input, int group_size, str group_name) -> Tensor",
        (call, t) -> Arg.of(gather(call, t, ImmutableList.of(call.tensor("input"))).get(0)));
    add(
        out,
        "all_gather_into_tensor_coalesced(Tensor[] inputs, int group_size, str group_name)"
            + " -> Tensor[]",
        (call, t) -> tensors(gather(call, t, call.tensors("inputs"))));
    add(
        out,
        "all_gather_into_tensor_out(Tensor input, int group_size, str group_name, *, Tensor out)"
            + " -> Tensor",
        (call, t) -> {
          Value value = gather(call, t, ImmutableList.of(call.tensor("input"))).get(0);
          return written(call, t, call.cell("out"), value);
        });
    add(
        out,
        "reduce_scatter_tensor(Tensor input, str reduce_op, int group_size, str group_name)"
            + " -> Tensor",
        (call, t) -> Arg.of(scatter(call, t, ImmutableList.of(call.tensor("input"))).get(0)));
    add(
        out,
        "reduce_scatter_tensor_coalesced(Tensor[] inputs, str reduce_op, int group_size, str"
            + " group_name) -> Tensor[]",
        (call, t) -> tensors(scatter(call, t, call.tensors("inputs"))));
    add(
        out,
        "reduce_scatter_tensor_out(Tensor input, str reduce_op, int group_size, str group_name, *,"
            + " Tensor out) -> Tensor",
        (call, t) -> {
          Value value = scatter(call, t, ImmutableList.of(call.tensor("input"))).get(0);
          return written(call, t, call.cell("out"), value);
        });
    add(
        out,
        "all_to_all_single(Tensor input, SymInt[] output_split_sizes, SymInt[] input_split_sizes,"
            + " str group_name) -> Tensor",
        FunctionalCollectives::allToAll);
    add(out, "broadcast(Tensor input, int src, str group_name) -> Tensor", broadcast(false));
    add(out, "broadcast_(Tensor input, int src, str group_name) -> Tensor", broadcast(true));
    add(
        out,
        "wait_tensor(Tensor input) -> Tensor",
        (call, t) -> {
          call.cell("input").replace(waited(t, call.tensor("input")));
          return call.cell("input");
        });
    return out.build();
  }

  /** Adds an operator under all namespaces that torch has had for it. */
  private static void add(ImmutableList.Builder<AtenOp> out, String schema, AtenOp.Rule rule) {
    for (String space :
        ImmutableList.of("_c10d_functional", "_c10d_functional_autograd", "c10d_functional")) {
      out.add(AtenOp.of(space + "::" + schema, rule));
    }
  }

  private static Arg tensors(List<Value> values) {
    return Arg.items(values.stream().map(Arg.Tensor::of).toList());
  }

  private static Value waited(Tensors t, Value value) {
    return t.builder()
        .customCall(
            "_c10d_functional.wait_tensor",
            ImmutableList.of(value),
            ImmutableList.of(value.type()),
            true,
            Attributes.of("api_version", Attribute.Int.i32(4)))
        .get(0);
  }

  /**
   * Writes to {@code target}. What goes through a view becomes part of another tensor at once,
   * which a later wait for the view does not change; so it is waited for here.
   */
  private static Arg written(AtenCall call, Tensors t, Arg.Tensor target, Value value) {
    Value complete = target.root() == target ? value : waited(t, value);
    call.context().mutations().write(target, complete, call.name(), call.location());
    return target;
  }

  /** Returns the name of the group of the call. */
  static String groupName(AtenCall call) {
    return call.text("group_name");
  }

  /**
   * Returns the ranks of the group that the call names; null for the world where nothing says how
   * many ranks there are, which a call without groups means too.
   */
  static @Nullable ImmutableLongArray group(AtenCall call) {
    String name =
        call.schema().parameter("process_group") == null
            ? groupName(call)
            : C10dObjects.group(call);
    GroupTable table = call.context().groups();
    ImmutableLongArray ranks = table.ranks(name);
    if (ranks == null && !(name.equals(GroupTable.WORLD) && table.names().isEmpty())) {
      String known = table.names().isEmpty() ? "" : ", only " + String.join(", ", table.names());
      throw call.error(
          String.format(
              "the process group '%s' is not known%s; name its ranks in a file for --groups:"
                  + " {\"%s\": [0, 1]}",
              name, known, name));
    }
    return ranks;
  }

  /** Returns the number of ranks of the group that the call names, or -1 where it is open. */
  static int groupSize(AtenCall call) {
    ImmutableLongArray ranks = group(call);
    return ranks == null ? -1 : ranks.length();
  }

  /** Returns the config of a call over its group. */
  static Attributes.Builder config(AtenCall call) {
    ImmutableLongArray ranks = group(call);
    Attributes.Builder out = Attributes.builder();
    if (ranks == null) {
      return out;
    }
    LiteralBuilder row = new LiteralBuilder(TensorType.of(ElementType.I64, 1, ranks.length()));
    for (int i = 0; i < ranks.length(); i++) {
      row.setLong(i, ranks.get(i));
    }
    return out.put("groups", Attribute.Dense.of(row.build()));
  }

  /** Returns the config with the reduction that the call names. */
  private static Attributes.Builder reducing(AtenCall call) {
    String word = call.text("reduce_op").toLowerCase(java.util.Locale.ROOT);
    return config(call).put("reduce_op", Attribute.Str.of(word));
  }

  /** Builds the custom call {@code _c10d_functional.NAME}. */
  static ImmutableList<Value> emit(
      Tensors t,
      String target,
      List<Value> operands,
      List<TensorType> results,
      Attributes.Builder config) {
    return t.builder()
        .customCall(
            target,
            operands,
            results,
            true,
            Attributes.of(
                "api_version",
                Attribute.Int.i32(4),
                "backend_config",
                new Attribute.Dict(config.build())));
  }

  private static AtenOp.Rule allReduce(boolean inPlace) {
    return (call, t) -> {
      Value input = call.tensor("input");
      Value reduced =
          emit(
                  t,
                  "_c10d_functional.all_reduce",
                  ImmutableList.of(input),
                  ImmutableList.of(Tensors.type(input)),
                  reducing(call))
              .get(0);
      return inPlace ? written(call, t, call.cell("input"), reduced) : Arg.of(reduced);
    };
  }

  private static AtenOp.Rule allReduceCoalesced(boolean inPlace) {
    return (call, t) -> {
      ImmutableList<Value> inputs = call.tensors("inputs");
      ImmutableList<Value> reduced =
          emit(
              t,
              "_c10d_functional.all_reduce_coalesced",
              inputs,
              inputs.stream().map(Tensors::type).toList(),
              reducing(call));
      if (!inPlace) {
        return tensors(reduced);
      }
      List<Arg> out = new ArrayList<>();
      for (int i = 0; i < reduced.size(); i++) {
        out.add(written(call, t, (Arg.Tensor) call.items("inputs").get(i), reduced.get(i)));
      }
      return Arg.items(out);
    };
  }

  /** Returns the size of the group, which the call says too. */
  private static long size(AtenCall call) {
    long stated = call.integer("group_size");
    int known = groupSize(call);
    if (known >= 0 && stated != known) {
      throw call.error(
          String.format(
              "group_size is %d, but the group '%s' has %d ranks; --groups FILE names the ranks of"
                  + " groups",
              stated, call.text("group_name"), known));
    }
    return stated;
  }

  private static String base(AtenCall call) {
    String name = call.name();
    String bare = name.substring(name.indexOf('.') + 1, name.lastIndexOf('.'));
    return "_c10d_functional."
        + (bare.endsWith("_out") ? bare.substring(0, bare.length() - 4) : bare);
  }

  private static ImmutableList<Value> gather(AtenCall call, Tensors t, List<Value> inputs) {
    long size = size(call);
    List<TensorType> types = new ArrayList<>();
    for (Value input : inputs) {
      long[] dims = Tensors.rank(input) == 0 ? new long[] {1} : Tensors.dims(input).clone();
      dims[0] *= size;
      types.add(Tensors.type(input).withDims(dims));
    }
    return emit(t, base(call), inputs, types, config(call));
  }

  private static ImmutableList<Value> scatter(AtenCall call, Tensors t, List<Value> inputs) {
    long size = size(call);
    List<TensorType> types = new ArrayList<>();
    for (Value input : inputs) {
      long[] dims = Tensors.dims(input).clone();
      if (dims.length == 0 || dims[0] % size != 0) {
        throw call.error(input.type() + " cannot be divided among " + size + " ranks");
      }
      dims[0] /= size;
      types.add(Tensors.type(input).withDims(dims));
    }
    return emit(t, base(call), inputs, types, reducing(call));
  }

  private static AtenOp.Rule broadcast(boolean inPlace) {
    return (call, t) -> {
      Value input = call.tensor("input");
      long source = call.integer("src");
      int size = groupSize(call);
      if (source < 0 || size >= 0 && source >= size) {
        throw call.error("src is " + source + ", outside its group of " + size + " ranks");
      }
      Value sent =
          emit(
                  t,
                  "_c10d_functional.broadcast",
                  ImmutableList.of(input),
                  ImmutableList.of(Tensors.type(input)),
                  config(call).put("src", Attribute.Int.i64(source)))
              .get(0);
      return inPlace ? written(call, t, call.cell("input"), sent) : Arg.of(sent);
    };
  }

  private static Arg allToAll(AtenCall call, Tensors t) {
    Value input = call.tensor("input");
    long[] receive = call.integers("output_split_sizes");
    long[] send = call.integers("input_split_sizes");
    int known = groupSize(call);
    int size = known >= 0 ? known : Math.max(send.length, receive.length);
    long rows = Tensors.rank(input) == 0 ? 1 : Tensors.dims(input)[0];
    checkSplits(call, "input_split_sizes", send, size, rows);
    checkSplits(call, "output_split_sizes", receive, size, -1);
    if (send.length == 0 && receive.length == 0) {
      if (size > 0 && rows % size != 0) {
        throw call.error(input.type() + " cannot be divided among " + size + " ranks");
      }
      return Arg.of(
          emit(
                  t,
                  "_c10d_functional.all_to_all_single",
                  ImmutableList.of(input),
                  ImmutableList.of(Tensors.type(input)),
                  config(call))
              .get(0));
    }
    long[] sent = send.length == 0 ? even(call, rows, size) : send;
    long[] received = receive.length == 0 ? even(call, rows, size) : receive;
    long[] dims = Tensors.rank(input) == 0 ? new long[] {1} : Tensors.dims(input).clone();
    dims[0] = Arrays.stream(received).sum();
    Attributes.Builder config =
        config(call)
            .put("send_counts", Attribute.Longs.of(sent))
            .put("recv_counts", Attribute.Longs.of(received));
    return Arg.of(
        emit(
                t,
                "_c10d_functional.all_to_all_single",
                ImmutableList.of(input),
                ImmutableList.of(Tensors.type(input).withDims(dims)),
                config)
            .get(0));
  }

  private static long[] even(AtenCall call, long rows, int size) {
    if (rows % size != 0) {
      throw call.error(rows + " rows cannot be divided among " + size + " ranks");
    }
    long[] out = new long[size];
    Arrays.fill(out, rows / size);
    return out;
  }

  /** Checks split sizes; {@code rows} is how many there are, -1 where that is free. */
  private static void checkSplits(AtenCall call, String name, long[] splits, int size, long rows) {
    if (splits.length == 0) {
      return;
    }
    if (splits.length != size) {
      throw call.error(
          name
              + " has "
              + splits.length
              + " entries, the group '"
              + groupName(call)
              + "' has "
              + size
              + " ranks");
    }
    long sum = Arrays.stream(splits).sum();
    if (rows >= 0 && sum != rows) {
      throw call.error(
          String.format(
              "%s is %s, which adds up to %d rows, but the tensor has %d: %s",
              name, Arrays.toString(splits), sum, rows, call.type("input")));
    }
    if (Arrays.stream(splits).anyMatch(each -> each < 0)) {
      throw call.error(name + " has a negative entry: " + Arrays.toString(splits));
    }
  }
}
