package dev.lockstep.tools.bench;

/**
 * A transformer that is parallel over tensors, as each of its devices runs it: attention over its
 * part of the heads and an MLP over its part of the hidden units, each followed by an all-reduce.
 *
 * @param devices how many there are
 * @param layers how many layers
 * @param hidden width of the activations
 * @param heads heads of all devices together
 * @param sequence positions
 * @param mlp hidden units of all devices together
 */
record TransformerText(int devices, int layers, int hidden, int heads, int sequence, int mlp) {
  /** 16 heads of 64, an MLP of 4096. */
  static final TransformerText SMALL = new TransformerText(8, 4, 1024, 16, 128, 4096);

  /**
   * Returns the StableHLO text.
   *
   * @param scaledLayer the layer whose MLP takes its input halved, as one rank may have been told
   *     to; -1 for none
   */
  String text(int scaledLayer) {
    StringBuilder out = new StringBuilder();
    int width = hidden / heads * (heads / devices);
    out.append(
        "module @transformer attributes {mhlo.num_replicas = %d : i32, mhlo.num_partitions = 1 : i32} {\n"
            .formatted(devices));
    out.append("  func.func @main(%x: ").append(tensor(sequence, hidden));
    for (int l = 0; l < layers; l++) {
      for (String name : new String[] {"q", "k", "v"}) {
        out.append(", %%w%s%d: %s".formatted(name, l, tensor(hidden, width)));
      }
      out.append(", %%wo%d: %s".formatted(l, tensor(width, hidden)));
      out.append(", %%w1_%d: %s".formatted(l, tensor(hidden, mlp / devices)));
      out.append(", %%w2_%d: %s".formatted(l, tensor(mlp / devices, hidden)));
    }
    out.append(") -> ").append(tensor(sequence, hidden)).append(" {\n");
    out.append("    %zero = stablehlo.constant dense<0.0> : tensor<f32>\n");
    out.append("    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>\n");
    String x = "x";
    for (int l = 0; l < layers; l++) {
      x = attention(out, x, l, width);
      x = mlp(out, x, l, l == scaledLayer);
    }
    return out.append("    return %%%s : %s\n  }\n}\n".formatted(x, tensor(sequence, hidden)))
        .toString();
  }

  private static String tensor(int... dims) {
    StringBuilder out = new StringBuilder("tensor<");
    for (int dim : dims) {
      out.append(dim).append('x');
    }
    return out + "f32>";
  }

  /** Divides each row by its root mean square. */
  private String norm(StringBuilder out, String x, String name) {
    String full = tensor(sequence, hidden);
    String row = tensor(sequence);
    out.append("    %%%ssq = stablehlo.multiply %%%s, %%%s : %s\n".formatted(name, x, x, full));
    reduce(out, name + "sum", name + "sq", "add", "zero", 1, full, row);
    out.append(
        "    %%%sd = stablehlo.constant dense<%s> : %s\n".formatted(name, 1.0 / hidden, row));
    out.append(
        "    %%%sm = stablehlo.multiply %%%ssum, %%%sd : %s\n".formatted(name, name, name, row));
    out.append("    %%%se = stablehlo.constant dense<1.0e-05> : %s\n".formatted(name, row));
    out.append("    %%%sa = stablehlo.add %%%sm, %%%se : %s\n".formatted(name, name, name, row));
    out.append("    %%%sr = stablehlo.rsqrt %%%sa : %s\n".formatted(name, name, row));
    broadcast(out, name + "b", name + "r", "0", row, full);
    out.append("    %%%s = stablehlo.multiply %%%s, %%%sb : %s\n".formatted(name, x, name, full));
    return name;
  }

  private static void reduce(
      StringBuilder out,
      String result,
      String operand,
      String op,
      String init,
      int dimension,
      String from,
      String to) {
    out.append(
        "    %%%s = stablehlo.reduce(%%%s init: %%%s) applies stablehlo.%s across dimensions = [%d] : (%s, tensor<f32>) -> %s\n"
            .formatted(result, operand, init, op, dimension, from, to));
  }

  private static void broadcast(
      StringBuilder out, String result, String operand, String dims, String from, String to) {
    out.append(
        "    %%%s = stablehlo.broadcast_in_dim %%%s, dims = [%s] : (%s) -> %s\n"
            .formatted(result, operand, dims, from, to));
  }

  private static void dot(
      StringBuilder out, String result, String a, String b, String left, String right, String to) {
    out.append(
        "    %%%s = stablehlo.dot_general %%%s, %%%s, contracting_dims = [1] x [0] : (%s, %s) -> %s\n"
            .formatted(result, a, b, left, right, to));
  }

  private String allReduce(StringBuilder out, String result, String operand) {
    StringBuilder ids = new StringBuilder();
    for (int d = 0; d < devices; d++) {
      ids.append(d == 0 ? "" : ", ").append(d);
    }
    String type = tensor(sequence, hidden);
    out.append(
        """
            %%%s = "stablehlo.all_reduce"(%%%s) <{replica_groups = dense<[[%s]]> : tensor<1x%dxi64>}> ({
            ^bb0(%%left: tensor<f32>, %%right: tensor<f32>):
              %%joined = stablehlo.add %%left, %%right : tensor<f32>
              stablehlo.return %%joined : tensor<f32>
            }) : (%s) -> %s
        """
            .formatted(result, operand, ids, devices, type, type));
    return result;
  }

  private String attention(StringBuilder out, String x, int l, int width) {
    String full = tensor(sequence, hidden);
    String own = tensor(sequence, width);
    int count = heads / devices;
    int size = width / count;
    String parts = tensor(sequence, count, size);
    String scores = tensor(count, sequence, sequence);
    String rows = tensor(count, sequence);
    String n = norm(out, x, "n" + l);
    for (String name : new String[] {"q", "k", "v"}) {
      dot(out, name + "f" + l, n, "w" + name + l, full, tensor(hidden, width), own);
      out.append(
          "    %%%s%d = stablehlo.reshape %%%sf%d : (%s) -> %s\n"
              .formatted(name, l, name, l, own, parts));
    }
    out.append(
        "    %%s%d = stablehlo.dot_general %%q%d, %%k%d, batching_dims = [1] x [1], contracting_dims = [2] x [2] : (%s, %s) -> %s\n"
            .formatted(l, l, l, parts, parts, scores));
    out.append(
        "    %%sc%d = stablehlo.constant dense<%s> : %s\n"
            .formatted(l, 1 / Math.sqrt(size), scores));
    out.append("    %%ss%d = stablehlo.multiply %%s%d, %%sc%d : %s\n".formatted(l, l, l, scores));
    reduce(out, "mx" + l, "ss" + l, "maximum", "lowest", 2, scores, rows);
    broadcast(out, "mb" + l, "mx" + l, "0, 1", rows, scores);
    out.append("    %%sd%d = stablehlo.subtract %%ss%d, %%mb%d : %s\n".formatted(l, l, l, scores));
    out.append("    %%ex%d = stablehlo.exponential %%sd%d : %s\n".formatted(l, l, scores));
    reduce(out, "es" + l, "ex" + l, "add", "zero", 2, scores, rows);
    broadcast(out, "eb" + l, "es" + l, "0, 1", rows, scores);
    out.append("    %%p%d = stablehlo.divide %%ex%d, %%eb%d : %s\n".formatted(l, l, l, scores));
    out.append(
        "    %%o%d = stablehlo.dot_general %%p%d, %%v%d, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (%s, %s) -> %s\n"
            .formatted(l, l, l, scores, parts, tensor(count, sequence, size)));
    out.append(
        "    %%ot%d = stablehlo.transpose %%o%d, dims = [1, 0, 2] : (%s) -> %s\n"
            .formatted(l, l, tensor(count, sequence, size), parts));
    out.append("    %%of%d = stablehlo.reshape %%ot%d : (%s) -> %s\n".formatted(l, l, parts, own));
    dot(out, "ap" + l, "of" + l, "wo" + l, own, tensor(width, hidden), full);
    String sum = allReduce(out, "ar" + l, "ap" + l);
    out.append("    %%y%d = stablehlo.add %%%s, %%%s : %s\n".formatted(l, x, sum, full));
    return "y" + l;
  }

  private String mlp(StringBuilder out, String x, int l, boolean isScaled) {
    String full = tensor(sequence, hidden);
    String own = tensor(sequence, mlp / devices);
    String n = norm(out, x, "m" + l);
    if (isScaled) {
      out.append("    %%half = stablehlo.constant dense<0.5> : %s\n".formatted(full));
      out.append("    %%scaled = stablehlo.multiply %%%s, %%half : %s\n".formatted(n, full));
      n = "scaled";
    }
    dot(out, "h" + l, n, "w1_" + l, full, tensor(hidden, mlp / devices), own);
    out.append("    %%g%d = stablehlo.logistic %%h%d : %s\n".formatted(l, l, own));
    out.append("    %%u%d = stablehlo.multiply %%h%d, %%g%d : %s\n".formatted(l, l, l, own));
    dot(out, "mp" + l, "u" + l, "w2_" + l, own, tensor(mlp / devices, hidden), full);
    String sum = allReduce(out, "mr" + l, "mp" + l);
    out.append("    %%z%d = stablehlo.add %%%s, %%%s : %s\n".formatted(l, x, sum, full));
    return "z" + l;
  }
}
