package dev.lockstep.golden.oracle;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes functions of one op each, of random types and shapes. XLA's CPU client knows all of them.
 */
final class OpPrograms {
  private static final ImmutableList<String> FLOATS = ImmutableList.of("f32", "f64", "bf16", "f16");
  private static final ImmutableList<String> WIDE = ImmutableList.of("f32", "f64", "i32", "i64");
  private static final ImmutableList<String> SIGNED = ImmutableList.of("i8", "i16", "i32", "i64");
  private static final ImmutableList<String> UNSIGNED =
      ImmutableList.of("ui8", "ui16", "ui32", "ui64");

  private static final ImmutableList<String> OF_FLOAT =
      ImmutableList.of(
          "abs",
          "cbrt",
          "ceil",
          "cosine",
          "exponential",
          "exponential_minus_one",
          "floor",
          "logistic",
          "negate",
          "round_nearest_afz",
          "round_nearest_even",
          "sign",
          "sine",
          "tanh");
  private static final ImmutableList<String> OF_FLOATS =
      ImmutableList.of(
          "add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder", "atan2");
  private static final ImmutableList<String> OF_INTEGER =
      ImmutableList.of("negate", "not", "popcnt", "count_leading_zeros");
  private static final ImmutableList<String> OF_INTEGERS =
      ImmutableList.of(
          "add",
          "subtract",
          "multiply",
          "divide",
          "remainder",
          "maximum",
          "minimum",
          "and",
          "or",
          "xor",
          "power",
          "shift_left",
          "shift_right_arithmetic",
          "shift_right_logical");

  private final SplittableRandom random;

  OpPrograms(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Returns {@code rounds} programs of every kind. */
  ImmutableList<String> all(int rounds) {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    for (int i = 0; i < rounds; i++) {
      OF_FLOAT.forEach(op -> out.add(elementwise(op, 1, one(FLOATS))));
      OF_FLOATS.forEach(op -> out.add(elementwise(op, 2, one(FLOATS))));
      OF_INTEGER.forEach(op -> out.add(elementwise(op, 1, integer())));
      OF_INTEGERS.forEach(op -> out.add(elementwise(op, 2, integer())));
      out.add(elementwise("clamp", 3, one(WIDE)));
      out.add(compare(), select(), convert(), convert(), convert());
      out.add(reduce("add", one(WIDE)), reduce("maximum", integer()), reduce("minimum", "f32"));
      out.add(reduceWindow(), product(), product(), convolution());
      out.add(transpose(), slice(), pad(), reverse(), concatenate(), dynamicSlice());
      out.add(sort(), gather(), scatter(), bits("PHILOX"), bits("THREE_FRY"), bits("DEFAULT"));
    }
    return out.build();
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String integer() {
    return one(random.nextBoolean() ? SIGNED : UNSIGNED);
  }

  private int[] dims(int least, int most) {
    int[] out = new int[random.nextInt(least, most + 1)];
    for (int i = 0; i < out.length; i++) {
      out[i] = random.nextInt(1, 6);
    }
    return out;
  }

  private static String tensor(int[] dims, String element) {
    StringBuilder out = new StringBuilder("tensor<");
    Arrays.stream(dims).forEach(dim -> out.append(dim).append('x'));
    return out.append(element).append('>').toString();
  }

  /** Returns a function whose body is {@code lines}, which define {@code %r}. */
  private static String function(List<String> arguments, String result, String lines) {
    String parameters =
        IntStream.range(0, arguments.size())
            .mapToObj(i -> "%a" + i + ": " + arguments.get(i))
            .collect(Collectors.joining(", "));
    return "func.func @main("
        + parameters
        + ") -> "
        + result
        + " {\n"
        + lines
        + "\n  return %r : "
        + result
        + "\n}\n";
  }

  private String elementwise(String op, int operands, String element) {
    String type = tensor(dims(0, 3), element);
    List<String> types = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < operands; i++) {
      types.add(type);
      names.add("%a" + i);
    }
    return function(
        types, type, "  %r = stablehlo." + op + " " + String.join(", ", names) + " : " + type);
  }

  private String compare() {
    int[] dims = dims(0, 3);
    String type = tensor(dims, one(WIDE));
    String way = one(ImmutableList.of("EQ", "NE", "LT", "LE", "GT", "GE"));
    String result = tensor(dims, "i1");
    String line = "  %%r = stablehlo.compare %s, %%a0, %%a1 : (%s, %s) -> %s";
    return function(List.of(type, type), result, String.format(line, way, type, type, result));
  }

  private String select() {
    int[] dims = dims(0, 3);
    String type = tensor(dims, one(FLOATS));
    String chosen = tensor(dims, "i1");
    return function(
        List.of(chosen, type, type),
        type,
        "  %r = stablehlo.select %a0, %a1, %a2 : " + chosen + ", " + type);
  }

  private String convert() {
    List<String> all = new ArrayList<>(FLOATS);
    all.addAll(SIGNED);
    all.addAll(UNSIGNED);
    all.add("i1");
    int[] dims = dims(0, 3);
    String from = one(all);
    String to = one(all);
    // What a negative float is as an unsigned number, and i8 of 300, is each backend's own.
    boolean defined = !FLOATS.contains(from) || FLOATS.contains(to) || to.equals("i1");
    String result = tensor(dims, defined ? to : "i32");
    String line = "  %%r = stablehlo.convert %%a0 : (%s) -> %s";
    return function(
        List.of(tensor(dims, from)), result, String.format(line, tensor(dims, from), result));
  }

  private String reduce(String op, String element) {
    int[] dims = dims(1, 3);
    int axis = random.nextInt(dims.length);
    int[] rest = IntStream.range(0, dims.length).filter(d -> d != axis).map(d -> dims[d]).toArray();
    String type = tensor(dims, element);
    String scalar = tensor(new int[0], element);
    // XLA takes the first value for neutral; these are, for the arguments that are drawn.
    String start = op.equals("add") || element.startsWith("u") ? "0" : "-100";
    start = op.equals("minimum") ? "100" : start;
    String line =
        "  %%i = stablehlo.constant dense<%s> : %s%n"
            + "  %%r = stablehlo.reduce(%%a0 init: %%i) applies stablehlo.%s across dimensions ="
            + " [%d] : (%s, %s) -> %s";
    String result = tensor(rest, element);
    String first = element.startsWith("f") ? start + ".0" : start;
    return function(
        List.of(type), result, String.format(line, first, scalar, op, axis, type, scalar, result));
  }

  private String reduceWindow() {
    int[] dims = {random.nextInt(4, 8), random.nextInt(4, 8)};
    int window = random.nextInt(1, 4);
    int stride = random.nextInt(1, 3);
    int low = random.nextInt(0, 2);
    int[] result = {dims[0], (dims[1] + low - window) / stride + 1};
    String type = tensor(dims, "f32");
    String line =
        """
        %%i = stablehlo.constant dense<0.0> : tensor<f32>
        %%r = "stablehlo.reduce_window"(%%a0, %%i) <{padding = dense<[[0, 0], [%d, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, %d>, window_strides = array<i64: 1, %d>}> ({
        ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):
          %%s = stablehlo.add %%x, %%y : tensor<f32>
          stablehlo.return %%s : tensor<f32>
        }) : (%s, tensor<f32>) -> %s\
        """;
    return function(
        List.of(type),
        tensor(result, "f32"),
        String.format(line, low, window, stride, type, tensor(result, "f32")));
  }

  private String product() {
    int batch = random.nextInt(1, 4);
    int rows = random.nextInt(1, 6);
    int inner = random.nextInt(1, 20);
    int columns = random.nextInt(1, 20);
    String element = one(WIDE);
    String left = tensor(new int[] {batch, inner, rows}, element);
    String right = tensor(new int[] {batch, columns, inner}, element);
    String result = tensor(new int[] {batch, rows, columns}, element);
    String line =
        "  %%r = stablehlo.dot_general %%a0, %%a1, batching_dims = [0] x [0], contracting_dims ="
            + " [1] x [2] : (%s, %s) -> %s";
    return function(List.of(left, right), result, String.format(line, left, right, result));
  }

  private String convolution() {
    int length = random.nextInt(5, 9);
    int window = random.nextInt(1, 4);
    int stride = random.nextInt(1, 3);
    int dilation = random.nextInt(1, 3);
    int reach = (window - 1) * dilation + 1;
    int places = (length + 2 - reach) / stride + 1;
    String left = tensor(new int[] {2, length, 3}, "f32");
    String right = tensor(new int[] {window, 3, 4}, "f32");
    String result = tensor(new int[] {2, places, 4}, "f32");
    String line =
        "  %%r = stablehlo.convolution(%%a0, %%a1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],"
            + " window = {stride = [%d], pad = [[1, 1]], rhs_dilate = [%d]} {batch_group_count = 1"
            + " : i64, feature_group_count = 1 : i64} : (%s, %s) -> %s";
    return function(
        List.of(left, right), result, String.format(line, stride, dilation, left, right, result));
  }

  private String transpose() {
    int[] dims = dims(2, 3);
    List<Integer> order = new ArrayList<>(IntStream.range(0, dims.length).boxed().toList());
    java.util.Collections.rotate(order, random.nextInt(1, 3));
    int[] moved = order.stream().mapToInt(d -> dims[d]).toArray();
    String element = one(FLOATS);
    String type = tensor(dims, element);
    String result = tensor(moved, element);
    String line = "  %%r = stablehlo.transpose %%a0, dims = %s : (%s) -> %s";
    return function(List.of(type), result, String.format(line, order, type, result));
  }

  private String slice() {
    int size = random.nextInt(3, 9);
    int start = random.nextInt(0, 2);
    int step = random.nextInt(1, 3);
    int result = (size - start + step - 1) / step;
    String line = "  %%r = stablehlo.slice %%a0 [%d:%d:%d] : (tensor<%dxi32>) -> tensor<%dxi32>";
    return function(
        List.of("tensor<" + size + "xi32>"),
        "tensor<" + result + "xi32>",
        String.format(line, start, size, step, size, result));
  }

  private String pad() {
    int size = random.nextInt(2, 6);
    int low = random.nextInt(-1, 3);
    int high = random.nextInt(-1, 3);
    int inner = random.nextInt(0, 3);
    int result = low + high + size + (size - 1) * inner;
    String line =
        "  %%r = stablehlo.pad %%a0, %%a1, low = [%d], high = [%d], interior = [%d] :"
            + " (tensor<%dxf32>, tensor<f32>) -> tensor<%dxf32>";
    return function(
        List.of("tensor<" + size + "xf32>", "tensor<f32>"),
        "tensor<" + result + "xf32>",
        String.format(line, low, high, inner, size, result));
  }

  private String reverse() {
    int[] dims = dims(1, 3);
    String type = tensor(dims, one(WIDE));
    return function(
        List.of(type),
        type,
        "  %r = stablehlo.reverse %a0, dims = [" + (dims.length - 1) + "] : " + type);
  }

  private String concatenate() {
    int[] left = dims(2, 3);
    int[] right = left.clone();
    int[] both = left.clone();
    right[1] = random.nextInt(1, 4);
    both[1] += right[1];
    String a = tensor(left, "i16");
    String b = tensor(right, "i16");
    String line = "  %%r = stablehlo.concatenate %%a0, %%a1, dim = 1 : (%s, %s) -> %s";
    return function(
        List.of(a, b), tensor(both, "i16"), String.format(line, a, b, tensor(both, "i16")));
  }

  private String dynamicSlice() {
    int size = random.nextInt(3, 9);
    int part = random.nextInt(1, size);
    String line =
        "  %%r = stablehlo.dynamic_slice %%a0, %%a1, sizes = [%d] : (tensor<%dxf64>, tensor<i32>)"
            + " -> tensor<%dxf64>";
    return function(
        List.of("tensor<" + size + "xf64>", "tensor<i32>"),
        "tensor<" + part + "xf64>",
        String.format(line, part, size, part));
  }

  private String sort() {
    String element = one(WIDE);
    int[] dims = dims(1, 2);
    String type = tensor(dims, element);
    String line =
        """
        %%r = "stablehlo.sort"(%%a0) <{dimension = %d : i64, is_stable = true}> ({
        ^bb0(%%x: tensor<%s>, %%y: tensor<%s>):
          %%c = stablehlo.compare LT, %%x, %%y : (tensor<%s>, tensor<%s>) -> tensor<i1>
          stablehlo.return %%c : tensor<i1>
        }) : (%s) -> %s\
        """;
    return function(
        List.of(type),
        type,
        String.format(line, dims.length - 1, element, element, element, element, type, type));
  }

  private String gather() {
    int rows = random.nextInt(2, 6);
    int count = random.nextInt(1, 5);
    String line =
        "  %%r = \"stablehlo.gather\"(%%a0, %%a1) <{dimension_numbers ="
            + " #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map ="
            + " [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1,"
            + " 3>}> : (tensor<%dx3xf32>, tensor<%dxi32>) -> tensor<%dx3xf32>";
    return function(
        List.of("tensor<" + rows + "x3xf32>", "tensor<" + count + "xi32>"),
        "tensor<" + count + "x3xf32>",
        String.format(line, rows, count, count));
  }

  private String scatter() {
    int rows = random.nextInt(2, 6);
    int count = random.nextInt(1, 5);
    String line =
        """
        %%r = "stablehlo.scatter"(%%a0, %%a1, %%a2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
        ^bb0(%%x: tensor<i32>, %%y: tensor<i32>):
          %%s = stablehlo.add %%x, %%y : tensor<i32>
          stablehlo.return %%s : tensor<i32>
        }) : (tensor<%dx3xi32>, tensor<%dxi32>, tensor<%dx3xi32>) -> tensor<%dx3xi32>\
        """;
    return function(
        List.of(
            "tensor<" + rows + "x3xi32>",
            "tensor<" + count + "xi32>",
            "tensor<" + count + "x3xi32>"),
        "tensor<" + rows + "x3xi32>",
        String.format(line, rows, count, count, rows));
  }

  private String bits(String algorithm) {
    String state =
        "tensor<" + (algorithm.equals("THREE_FRY") ? 2 : random.nextInt(2, 4)) + "xui64>";
    String result = tensor(dims(0, 3), one(ImmutableList.of("ui8", "ui16", "ui32", "ui64")));
    String line =
        "  %%s, %%r = stablehlo.rng_bit_generator %%a0, algorithm = %s : (%s) -> (%s, %s)";
    return function(List.of(state), result, String.format(line, algorithm, state, state, result));
  }
}
