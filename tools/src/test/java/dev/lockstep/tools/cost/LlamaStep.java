package dev.lockstep.tools.cost;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes a training step of the shape of Llama 70B as one StableHLO text for all ranks: parameters
 * sharded over {@code fsdp} ranks and gathered for every layer, forward and again backward, each
 * layer's products shared by {@code tensor} ranks, gradients scattered and applied by Adam. The
 * inner part of attention and the vocabulary are left out.
 */
final class LlamaStep {
  private static final int MODEL = 8192;
  private static final int HIDDEN = 28672;
  private static final int QKV = 10240;

  private final int layers;
  private final int tokens;
  private final int fsdp;
  private final int tensor;
  private final StringBuilder body = new StringBuilder();
  private final List<String> arguments = new ArrayList<>();
  private final List<String> results = new ArrayList<>();
  private final List<String> resultTypes = new ArrayList<>();
  private int next;

  private record Named(String name, String type) {}

  /** One sharded weight of a layer: its shape after gathering. */
  private record Weight(String name, int rows, int columns) {}

  private LlamaStep(int layers, int tokens, int fsdp, int tensor) {
    this.layers = layers;
    this.tokens = tokens;
    this.fsdp = fsdp;
    this.tensor = tensor;
  }

  /** Returns the text. */
  static String text(int layers, int tokens, int fsdp, int tensor) {
    return new LlamaStep(layers, tokens, fsdp, tensor).write();
  }

  private List<Weight> weights() {
    return List.of(
        new Weight("qkv", MODEL, QKV / tensor),
        new Weight("out", MODEL / tensor, MODEL),
        new Weight("up", MODEL, 2 * HIDDEN / tensor),
        new Weight("down", HIDDEN / tensor, MODEL));
  }

  private String write() {
    Named x = new Named("%x", type(tokens / tensor, MODEL, "bf16"));
    arguments.add("%x: " + x.type);
    for (int layer = 0; layer < layers; layer++) {
      for (Weight weight : weights()) {
        for (String kind : List.of("", ".m", ".v")) {
          String shard = type(weight.rows / fsdp, weight.columns, "f32");
          int output = results(layer, weight, kind);
          arguments.add(
              "%"
                  + weight.name
                  + layer
                  + kind
                  + ": "
                  + shard
                  + " {tf.aliasing_output = "
                  + output
                  + " : i32}");
        }
      }
    }
    List<Named> saved = new ArrayList<>();
    for (int layer = 0; layer < layers; layer++) {
      saved.add(x);
      x = forward(layer, x).get(0);
    }
    Named gradient = x;
    for (int layer = layers - 1; layer >= 0; layer--) {
      gradient = backward(layer, saved.get(layer), gradient);
    }
    StringBuilder out = new StringBuilder("module @llama attributes {mhlo.num_partitions = ");
    out.append("1 : i32, mhlo.num_replicas = ").append(fsdp * tensor).append(" : i32} {\n");
    out.append("  func.func @main(").append(String.join(", ", arguments)).append(") -> (");
    out.append(String.join(", ", resultTypes)).append(") {\n").append(body);
    out.append("    return ").append(String.join(", ", results)).append(" : ");
    return out.append(String.join(", ", resultTypes)).append("\n  }\n}\n").toString();
  }

  /** Backward goes from the last layer to the first, and so do the results. */
  private int results(int layer, Weight weight, String kind) {
    int which = weights().indexOf(weight);
    int part = kind.isEmpty() ? 0 : kind.equals(".m") ? 1 : 2;
    return ((layers - 1 - layer) * weights().size() + which) * 3 + part;
  }

  private static String type(int rows, int columns, String element) {
    return "tensor<" + rows + "x" + columns + "x" + element + ">";
  }

  private Named line(String operation, String type) {
    String name = "%v" + next++;
    body.append("    ").append(name).append(" = ").append(operation).append('\n');
    return new Named(name, type);
  }

  private Named binary(String op, Named a, Named b) {
    return line("stablehlo." + op + " " + a.name + ", " + b.name + " : " + a.type, a.type);
  }

  private Named convert(Named value, String type) {
    return line("stablehlo.convert " + value.name + " : (" + value.type + ") -> " + type, type);
  }

  /** Ranks are fsdp * tensor + place among those that share a layer. */
  private String groups(boolean ofTensor) {
    StringBuilder out = new StringBuilder("dense<[");
    int count = ofTensor ? fsdp : tensor;
    int size = ofTensor ? tensor : fsdp;
    for (int g = 0; g < count; g++) {
      out.append(g == 0 ? "[" : ", [");
      for (int i = 0; i < size; i++) {
        out.append(i == 0 ? "" : ", ").append(ofTensor ? g * tensor + i : i * tensor + g);
      }
      out.append(']');
    }
    return out + "]> : tensor<" + count + "x" + size + "xi64>";
  }

  private Named gather(Named value, int rows, int columns, boolean ofTensor) {
    String type = type(rows, columns, "bf16");
    return line(
        "\"stablehlo.all_gather\"("
            + value.name
            + ") <{all_gather_dim = 0 : i64, replica_groups = "
            + groups(ofTensor)
            + "}> : ("
            + value.type
            + ") -> "
            + type,
        type);
  }

  private Named scatter(Named value, int rows, int columns, String element, boolean ofTensor) {
    String type = type(rows, columns, element);
    return line(
        "\"stablehlo.reduce_scatter\"("
            + value.name
            + ") <{scatter_dimension = 0 : i64, replica_groups = "
            + groups(ofTensor)
            + "}> ({\n"
            + "    ^bb0(%a: tensor<"
            + element
            + ">, %b: tensor<"
            + element
            + ">):\n"
            + "      %s = stablehlo.add %a, %b : tensor<"
            + element
            + ">\n"
            + "      stablehlo.return %s : tensor<"
            + element
            + ">\n"
            + "    }) : ("
            + value.type
            + ") -> "
            + type,
        type);
  }

  /** Multiplies [m, k] by [k, n], or with one of them transposed. */
  private Named dot(Named a, int aDim, Named b, int bDim, String type) {
    return line(
        "stablehlo.dot_general "
            + a.name
            + ", "
            + b.name
            + ", contracting_dims = ["
            + aDim
            + "] x ["
            + bDim
            + "] : ("
            + a.type
            + ", "
            + b.type
            + ") -> "
            + type,
        type);
  }

  private Named weight(int layer, Weight weight) {
    Named shard =
        new Named("%" + weight.name + layer, type(weight.rows / fsdp, weight.columns, "f32"));
    Named narrow = convert(shard, type(weight.rows / fsdp, weight.columns, "bf16"));
    return gather(narrow, weight.rows, weight.columns, false);
  }

  private Named columns(Named value, int from, int to) {
    String type = type(tokens, to - from, "bf16");
    return line(
        "stablehlo.slice "
            + value.name
            + " [0:"
            + tokens
            + ", "
            + from
            + ":"
            + to
            + "] : ("
            + value.type
            + ") -> "
            + type,
        type);
  }

  /** Returns the layer's output, then what backward needs. */
  private List<Named> forward(int layer, Named x) {
    Weight qkv = weights().get(0);
    Weight up = weights().get(2);
    Named normal = binary("multiply", x, x);
    Named all = gather(normal, tokens, MODEL, true);
    Named w1 = weight(layer, qkv);
    Named q = dot(all, 1, w1, 0, type(tokens, qkv.columns, "bf16"));
    Named attention = columns(q, 0, MODEL / tensor);
    Named w2 = weight(layer, weights().get(1));
    Named o = dot(attention, 1, w2, 0, type(tokens, MODEL, "bf16"));
    Named x1 = binary("add", x, scatter(o, tokens / tensor, MODEL, "bf16", true));
    Named normal2 = binary("multiply", x1, x1);
    Named all2 = gather(normal2, tokens, MODEL, true);
    Named w3 = weight(layer, up);
    Named u = dot(all2, 1, w3, 0, type(tokens, up.columns, "bf16"));
    Named gate =
        binary("multiply", columns(u, 0, up.columns / 2), columns(u, up.columns / 2, up.columns));
    Named w4 = weight(layer, weights().get(3));
    Named d = dot(gate, 1, w4, 0, type(tokens, MODEL, "bf16"));
    Named x2 = binary("add", x1, scatter(d, tokens / tensor, MODEL, "bf16", true));
    return List.of(x2, all, w1, attention, w2, all2, w3, u, gate, w4);
  }

  /** Runs the layer again and then back; returns the gradient of its input. */
  private Named backward(int layer, Named x, Named gradient) {
    List<Named> f = forward(layer, x);
    Weight up = weights().get(2);
    Named g = gather(gradient, tokens, MODEL, true);
    apply(layer, weights().get(3), dot(f.get(8), 0, g, 0, type(HIDDEN / tensor, MODEL, "f32")));
    Named gGate = dot(g, 1, f.get(9), 1, type(tokens, HIDDEN / tensor, "bf16"));
    Named gU =
        line(
            "stablehlo.concatenate "
                + gGate.name
                + ", "
                + gGate.name
                + ", dim = 1 : ("
                + gGate.type
                + ", "
                + gGate.type
                + ") -> "
                + f.get(7).type,
            f.get(7).type);
    apply(layer, up, dot(f.get(5), 0, gU, 0, type(MODEL, up.columns, "f32")));
    Named gAll2 = dot(gU, 1, f.get(6), 1, type(tokens, MODEL, "bf16"));
    Named g1 = binary("add", gradient, scatter(gAll2, tokens / tensor, MODEL, "bf16", true));
    Named g2 = gather(g1, tokens, MODEL, true);
    apply(layer, weights().get(1), dot(f.get(3), 0, g2, 0, type(MODEL / tensor, MODEL, "f32")));
    Named gAttention = dot(g2, 1, f.get(4), 1, type(tokens, MODEL / tensor, "bf16"));
    Weight qkv = weights().get(0);
    Named zero = line("stablehlo.constant dense<0.0> : tensor<bf16>", "tensor<bf16>");
    String padded = type(tokens, qkv.columns, "bf16");
    Named gQ =
        line(
            "stablehlo.pad "
                + gAttention.name
                + ", "
                + zero.name
                + ", low = [0, 0], high = [0, "
                + (qkv.columns - MODEL / tensor)
                + "], interior = [0, 0] : ("
                + gAttention.type
                + ", tensor<bf16>) -> "
                + padded,
            padded);
    apply(layer, qkv, dot(f.get(1), 0, gQ, 0, type(MODEL, qkv.columns, "f32")));
    Named gAll = dot(gQ, 1, f.get(2), 1, type(tokens, MODEL, "bf16"));
    return binary("add", g1, scatter(gAll, tokens / tensor, MODEL, "bf16", true));
  }

  private void apply(int layer, Weight weight, Named gradient) {
    int rows = weight.rows / fsdp;
    Named mine = scatter(gradient, rows, weight.columns, "f32", false);
    String name = "%" + weight.name + layer;
    Named m = binary("add", new Named(name + ".m", mine.type), mine);
    Named squared = binary("multiply", mine, mine);
    Named v = binary("add", new Named(name + ".v", mine.type), squared);
    Named step = binary("divide", m, v);
    Named now = binary("subtract", new Named(name, mine.type), step);
    for (Named result : List.of(now, m, v)) {
      results.add(result.name);
      resultTypes.add(result.type);
    }
  }
}
