package dev.lockstep.golden.random;

import dev.lockstep.golden.random.JobNode.Branch;
import dev.lockstep.golden.random.JobNode.Decider;
import dev.lockstep.golden.random.JobNode.Half;
import dev.lockstep.golden.random.JobNode.Loop;
import dev.lockstep.golden.random.JobNode.Meet;
import dev.lockstep.golden.random.JobNode.Message;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes what one rank does as StableHLO. The argument is an i32; an all-reduce over everybody of
 * it stands first where a condition needs one.
 */
final class JobText {
  /** The rank whose program it is, or that of one text for all. */
  static final int ALL = -1;

  private final int rank;
  private final int world;
  private final StringBuilder out = new StringBuilder();
  private int values;

  private JobText(int rank, int world) {
    this.rank = rank;
    this.world = world;
  }

  /**
   * Returns the program.
   *
   * @param rank who runs it, or {@link #ALL}
   * @param open whether conditions may ask everybody's argument
   */
  static String of(List<JobNode> nodes, int rank, int world, boolean open) {
    JobText text = new JobText(rank, world);
    text.out.append("func.func @main(%mine: tensor<i32>) -> tensor<i32> {\n");
    if (open) {
      text.fold("%all", "%mine", text.groups(null), "i32", "maximum");
    }
    text.nodes(nodes);
    text.out.append("return %mine : tensor<i32>\n}\n");
    return text.out.toString();
  }

  private String fresh() {
    return "%v" + values++;
  }

  private void line(String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  private void nodes(List<JobNode> nodes) {
    for (JobNode node : nodes) {
      if (node instanceof Meet) {
        if (rank == ALL || ((Meet) node).has(rank)) {
          meet((Meet) node);
        }
      } else if (node instanceof Message) {
        Message message = (Message) node;
        if (message.source() == rank) {
          half(message, true);
        } else if (message.target() == rank) {
          half(message, false);
        }
      } else if (node instanceof Half) {
        half(((Half) node).message(), ((Half) node).isSend());
      } else if (node instanceof Loop) {
        loop((Loop) node);
      } else {
        branch((Branch) node);
      }
    }
  }

  private String groups(@Nullable Meet meet) {
    StringBuilder groups = new StringBuilder("dense<[");
    int rows = meet == null ? 1 : meet.groups().size();
    int width = meet == null ? world : meet.groups().get(0).size();
    for (int row = 0; row < rows; row++) {
      groups.append(row == 0 ? "[" : ", [");
      for (int i = 0; i < width; i++) {
        groups.append(i == 0 ? "" : ", ");
        groups.append(meet == null ? i : meet.groups().get(row).get(i));
      }
      groups.append(']');
    }
    return groups
        .append("]> : tensor<")
        .append(rows)
        .append('x')
        .append(width)
        .append("xi64>")
        .toString();
  }

  private String constant(int size, String type) {
    String value = fresh();
    line(
        "%s = stablehlo.constant dense<%s> : tensor<%dx%s>",
        value, type.equals("f32") ? "1.0" : "1", size, type);
    return value;
  }

  private void reducer(String type, String reduction) {
    line("^bb0(%%a: tensor<%s>, %%b: tensor<%s>):", type, type);
    line("%%r = stablehlo.%s %%a, %%b : tensor<%s>", reduction, type);
    line("stablehlo.return %%r : tensor<%s>", type);
  }

  private void fold(String result, String operand, String groups, String type, String reduction) {
    line("%s = \"stablehlo.all_reduce\"(%s) <{replica_groups = %s}> ({", result, operand, groups);
    reducer(type, reduction);
    line("}) : (tensor<%s>) -> tensor<%s>", type, type);
  }

  private void meet(Meet meet) {
    String operand = constant(meet.size(), meet.type());
    int members = meet.groups().get(0).size();
    String groups = "replica_groups = " + groups(meet);
    String type = "tensor<" + meet.size() + "x" + meet.type() + ">";
    String result = fresh();
    switch (meet.op()) {
      case "all_reduce" -> {
        line("%s = \"stablehlo.all_reduce\"(%s) <{%s}> ({", result, operand, groups);
        reducer(meet.type(), meet.reduction());
        line("}) : (%s) -> %s", type, type);
      }
      case "all_gather" ->
          line(
              "%s = \"stablehlo.all_gather\"(%s) <{all_gather_dim = 0 : i64, %s}> : (%s) ->"
                  + " tensor<%dx%s>",
              result, operand, groups, type, meet.size() * members, meet.type());
      case "reduce_scatter" -> {
        line(
            "%s = \"stablehlo.reduce_scatter\"(%s) <{scatter_dimension = 0 : i64, %s}> ({",
            result, operand, groups);
        reducer(meet.type(), meet.reduction());
        line("}) : (%s) -> tensor<%dx%s>", type, meet.size() / members, meet.type());
      }
      case "collective_broadcast" ->
          line(
              "%s = \"stablehlo.collective_broadcast\"(%s) <{%s}> : (%s) -> %s",
              result, operand, groups, type, type);
      case "all_to_all" ->
          line(
              "%s = \"stablehlo.all_to_all\"(%s) <{split_dimension = 0 : i64, concat_dimension = 0"
                  + " : i64, split_count = %d : i64, %s}> : (%s) -> %s",
              result, operand, members, groups, type, type);
      default ->
          line(
              "%s = \"stablehlo.collective_permute\"(%s) <{source_target_pairs = dense<[[0, 1]]> :"
                  + " tensor<1x2xi64>}> : (%s) -> %s",
              result, operand, type, type);
    }
  }

  private void half(Message message, boolean isSend) {
    String token = fresh();
    line("%s = stablehlo.create_token : !stablehlo.token", token);
    String attributes =
        String.format(
            Locale.ROOT,
            "<{channel_handle = #stablehlo.channel_handle<handle = %d, type = 1>, is_host_transfer"
                + " = false, source_target_pairs = dense<[[%d, %d]]> : tensor<1x2xi64>}>",
            message.channel(),
            message.source(),
            message.target());
    String type = "tensor<" + message.size() + "xf32>";
    if (isSend) {
      String data = constant(message.size(), "f32");
      line(
          "%s = \"stablehlo.send\"(%s, %s) %s : (%s, !stablehlo.token) -> !stablehlo.token",
          fresh(), data, token, attributes, type);
    } else {
      line(
          "%s:2 = \"stablehlo.recv\"(%s) %s : (!stablehlo.token) -> (%s, !stablehlo.token)",
          fresh(), token, attributes, type);
    }
  }

  /** Writes an i32 that the decider decides: the number itself, or something else. */
  private String decided(Decider decider, int number) {
    String value = fresh();
    switch (decider) {
      case TEXT -> line("%s = stablehlo.constant dense<%d> : tensor<i32>", value, number);
      case RANK -> {
        String id = fresh();
        line("%s = stablehlo.replica_id : tensor<ui32>", id);
        line("%s = stablehlo.convert %s : (tensor<ui32>) -> tensor<i32>", value, id);
      }
      case EVERYBODY -> line("%s = stablehlo.abs %%all : tensor<i32>", value);
      case ARGUMENT -> line("%s = stablehlo.abs %%mine : tensor<i32>", value);
    }
    return value;
  }

  private void loop(Loop loop) {
    String start = fresh();
    line("%s = stablehlo.constant dense<0> : tensor<i32>", start);
    String bound = decided(loop.decider(), loop.rounds());
    String result = fresh();
    String counter = fresh();
    line(
        "%s:2 = stablehlo.while(%s = %s, %s_bound = %s) : tensor<i32>, tensor<i32>",
        result, counter, start, counter, bound);
    String more = fresh();
    line("cond {");
    line(
        "%s = stablehlo.compare LT, %s, %s_bound : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        more, counter, counter);
    line("stablehlo.return %s : tensor<i1>", more);
    line("} do {");
    String one = fresh();
    String next = fresh();
    line("%s = stablehlo.constant dense<1> : tensor<i32>", one);
    nodes(loop.body());
    line("%s = stablehlo.add %s, %s : tensor<i32>", next, counter, one);
    line("stablehlo.return %s, %s_bound : tensor<i32>, tensor<i32>", next, counter);
    line("}");
  }

  private void branch(Branch branch) {
    String value = decided(branch.decider(), branch.number());
    String limit = fresh();
    String chosen = fresh();
    line("%s = stablehlo.constant dense<1> : tensor<i32>", limit);
    line(
        "%s = stablehlo.compare LT, %s, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        chosen, value, limit);
    String result = fresh();
    line("%s = \"stablehlo.if\"(%s) ({", result, chosen);
    nodes(branch.first());
    line("stablehlo.return %s : tensor<i32>", limit);
    line("}, {");
    nodes(branch.second());
    line("stablehlo.return %s : tensor<i32>", value);
    line("}) : (tensor<i1>) -> tensor<i32>");
  }
}
