package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.lower.fx.aten.Arg;
import dev.lockstep.lower.fx.aten.Operators;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls of Python functions, methods and operators in graphs that Dynamo captured: each is the
 * operator of the same name, after what Python's signature has more, other or in another order.
 */
final class PythonCalls {
  private static final ImmutableMap<String, String> OPERATORS =
      ImmutableMap.<String, String>builder()
          .put("+", "add")
          .put("-", "sub")
          .put("*", "mul")
          .put("/", "div")
          .put("//", "floor_divide")
          .put("%", "remainder")
          .put("**", "pow")
          .put("@", "matmul")
          .put("&", "bitwise_and")
          .put("|", "bitwise_or")
          .put("^", "bitwise_xor")
          .put("==", "eq")
          .put("!=", "ne")
          .put("<", "lt")
          .put("<=", "le")
          .put(">", "gt")
          .put(">=", "ge")
          .buildOrThrow();

  /** What comes out with left and right exchanged. */
  private static final ImmutableMap<String, String> MIRRORED =
      ImmutableMap.<String, String>builder()
          .put("+", "+")
          .put("*", "*")
          .put("&", "&")
          .put("|", "|")
          .put("^", "^")
          .put("==", "==")
          .put("!=", "!=")
          .put("<", ">")
          .put("<=", ">=")
          .put(">", "<")
          .put(">=", "<=")
          .buildOrThrow();

  private static final ImmutableMap<String, String> ALIASES =
      ImmutableMap.<String, String>builder()
          .put("concatenate", "cat")
          .put("concat", "cat")
          .put("logsigmoid", "log_sigmoid")
          .put("type", "to")
          .put("cross_entropy", "cross_entropy_loss")
          .put("negative", "neg")
          .put("absolute", "abs")
          .put("subtract", "sub")
          .put("divide", "div")
          .put("swapdims", "swapaxes")
          .buildOrThrow();

  private static final ImmutableMap<String, String> CASTS =
      ImmutableMap.of(
          "float", "float32",
          "half", "float16",
          "bfloat16", "bfloat16",
          "double", "float64",
          "long", "int64",
          "int", "int32",
          "bool", "bool");

  /** What Python's functions take and operators do not. */
  private static final ImmutableSet<String> PYTHON_ONLY =
      ImmutableSet.of("inplace", "_stacklevel", "size_average", "reduce", "sparse", "max_norm");

  private static final ImmutableList<String> NAMESPACES =
      ImmutableList.of(
          "torch.nn.functional.", "torch._C._nn.", "torch.special.", "torch.linalg.", "torch.");

  private final Operators operators;

  PythonCalls(Operators operators) {
    this.operators = operators;
  }

  /** Returns the name of the operator that a function is called by, or null when it is none. */
  static @Nullable String function(String path) {
    for (String space : NAMESPACES) {
      if (path.startsWith(space) && path.indexOf('.', space.length()) < 0) {
        return path.substring(space.length());
      }
    }
    return null;
  }

  /** Returns what the operator called {@code name} gives; null when there is none that fits. */
  @Nullable Arg call(String name, Operators.Call call, boolean functional) {
    Operators.Call python = functional ? reordered(name, call) : call;
    Operators.Call plain = plain(name, python);
    Arg.Dtype cast = cast(name);
    if (cast != null && !functional && plain.arguments().size() == 1) {
      return operators.resolve(
          "aten.to", with(plain, ImmutableList.of(plain.arguments().get(0), cast)));
    }
    if (name.equals("size") || name.equals("dim") || name.equals("numel")) {
      return shape(name, plain);
    }
    String base = ALIASES.getOrDefault(name, name);
    Arg found = operators.resolve("aten." + base, plain);
    return found != null ? found : operators.resolve("aten.linalg_" + base, plain);
  }

  private static Arg.@Nullable Dtype cast(String name) {
    String dtype = CASTS.get(name);
    return dtype == null
        ? null
        : new Arg.Dtype(java.util.Objects.requireNonNull(Declared.dtype(dtype)));
  }

  private static Operators.Call with(Operators.Call call, ImmutableList<Arg> arguments) {
    return new Operators.Call(call.target(), arguments, call.keywords(), call.location());
  }

  private static Operators.Call reordered(String name, Operators.Call call) {
    return switch (name) {
      case "embedding" -> swapped(call);
      case "batch_norm" -> batchNorm(call);
      default -> call;
    };
  }

  /** F.batch_norm takes the statistics first, the operator weight and bias. */
  private static Operators.Call batchNorm(Operators.Call call) {
    ImmutableList<String> python =
        ImmutableList.of(
            "input",
            "running_mean",
            "running_var",
            "weight",
            "bias",
            "training",
            "momentum",
            "eps");
    Map<String, Arg> keywords = new LinkedHashMap<>(call.keywords());
    for (int i = 0; i < Math.min(python.size(), call.arguments().size()); i++) {
      keywords.put(python.get(i), call.arguments().get(i));
    }
    keywords.putIfAbsent("training", new Arg.Flag(false));
    keywords.putIfAbsent("momentum", new Arg.Real(0.1));
    keywords.putIfAbsent("eps", new Arg.Real(1e-5));
    keywords.put("cudnn_enabled", new Arg.Flag(false));
    Arg input = keywords.remove("input");
    return new Operators.Call(
        call.target(),
        input == null ? ImmutableList.of() : ImmutableList.of(input),
        ImmutableMap.copyOf(keywords),
        call.location());
  }

  /** F.embedding takes the indices first, the operator the table. */
  private static Operators.Call swapped(Operators.Call call) {
    List<Arg> arguments = new ArrayList<>(call.arguments());
    if (arguments.size() < 2) {
      return call;
    }
    Arg indices = arguments.get(0);
    arguments.set(0, arguments.get(1));
    arguments.set(1, indices);
    // What follows is the padding's row, then limits of norms that only training uses.
    List<Arg> kept = new ArrayList<>(arguments.subList(0, 2));
    if (arguments.size() > 2 && arguments.get(2) instanceof Arg.Whole) {
      kept.add(arguments.get(2));
    }
    return new Operators.Call(
        call.target(), ImmutableList.copyOf(kept), ImmutableMap.of(), call.location());
  }

  private static Operators.Call plain(String name, Operators.Call call) {
    Map<String, Arg> keywords = new LinkedHashMap<>();
    call.keywords()
        .forEach(
            (key, value) -> {
              String renamed = renamed(name, key);
              boolean none = value instanceof Arg.None;
              if (!none && !PYTHON_ONLY.contains(renamed)) {
                keywords.put(renamed, key.equals("reduction") ? reduction(value) : value);
              }
            });
    ImmutableList<Arg> arguments = call.arguments();
    boolean inPlace = name.equals("relu") || name.equals("silu") || name.equals("relu6");
    if (inPlace && arguments.size() > 1) {
      arguments = arguments.subList(0, 1);
    }
    if (name.equals("dropout") && !keywords.containsKey("train") && arguments.size() < 3) {
      keywords.put("train", new Arg.Flag(true));
    }
    if (name.equals("dropout") && arguments.size() > 3) {
      arguments = arguments.subList(0, 3);
    }
    return new Operators.Call(
        call.target(), arguments, ImmutableMap.copyOf(keywords), call.location());
  }

  private static String renamed(String function, String keyword) {
    if (function.equals("dropout") && keyword.equals("training")) {
      return "train";
    }
    if (keyword.equals("axis")) {
      return "dim";
    }
    return keyword.equals("input") && !function.matches("linear|layer_norm|rms_norm|dropout|conv.*")
        ? "self"
        : keyword;
  }

  private static Arg reduction(Arg value) {
    if (!(value instanceof Arg.Text text)) {
      return value;
    }
    return new Arg.Whole(
        switch (text.value()) {
          case "none" -> 0;
          case "mean" -> 1;
          default -> 2;
        });
  }

  private static @Nullable Arg shape(String name, Operators.Call call) {
    if (call.arguments().isEmpty() || !(call.arguments().get(0) instanceof Arg.Tensor tensor)) {
      return null;
    }
    TensorType type = tensor.type();
    if (name.equals("dim")) {
      return new Arg.Whole(type.rank());
    }
    if (name.equals("numel")) {
      return new Arg.Whole(type.count());
    }
    if (call.arguments().size() > 1 && call.arguments().get(1) instanceof Arg.Whole dim) {
      return new Arg.Whole(type.dim((int) Math.floorMod(dim.value(), (long) type.rank())));
    }
    return Arg.items(type.dims().asList().stream().map(Arg.Whole::new).toList());
  }

  /** Returns {@code tensor.name}, or null when it is unknown. */
  @Nullable Arg attribute(String name, Arg.Tensor tensor, Operators.Call call) {
    Operators.Call own = with(call, ImmutableList.of(tensor));
    return switch (name) {
      case "T" -> operators.resolve("aten.numpy_T", own);
      case "mT", "real", "imag" -> operators.resolve("aten." + name, own);
      case "shape" -> shape("size", own);
      case "ndim" -> new Arg.Whole(tensor.type().rank());
      case "dtype" -> new Arg.Dtype(tensor.type().element());
      case "device", "layout" -> new Arg.Word(name);
      default -> null;
    };
  }

  /** Returns {@code left operator right}, of which at least one is a tensor. */
  @Nullable Arg operator(String operator, Arg left, Arg right, Operators.Call call) {
    String name = OPERATORS.get(operator);
    if (name == null) {
      return null;
    }
    if (left instanceof Arg.Tensor) {
      return operators.resolve("aten." + name, with(call, ImmutableList.of(left, right)));
    }
    String mirrored = MIRRORED.get(operator);
    if (mirrored != null) {
      return operator(mirrored, right, left, call);
    }
    if (operator.equals("-")) {
      return operators.resolve("aten.rsub", with(call, ImmutableList.of(right, left)));
    }
    if (operator.equals("/")) {
      Arg inverse = operators.resolve("aten.reciprocal", with(call, ImmutableList.of(right)));
      return inverse == null
          ? null
          : operators.resolve("aten.mul", with(call, ImmutableList.of(inverse, left)));
    }
    return operators.resolve("aten." + name, with(call, ImmutableList.of(left, right)));
  }

  /**
   * Returns {@code base[at]}.
   *
   * @throws DiagnosticException when an index is not read
   */
  Arg index(Arg.Tensor base, Arg at, Operators.Call call) {
    ImmutableList<Arg> places =
        at instanceof Arg.Items items ? items.elements() : ImmutableList.of(at);
    long used = places.stream().filter(PythonCalls::consumes).count();
    Arg value = base;
    int dim = 0;
    List<Arg> indices = new ArrayList<>();
    for (Arg place : places) {
      Arg.Whole here = new Arg.Whole(dim);
      if (place instanceof Arg.None) {
        value = need("aten.unsqueeze", call, value, here);
        indices.add(Arg.None.INSTANCE);
        dim++;
      } else if (place instanceof Arg.Word word && word.text().equals("...")) {
        long skipped = base.type().rank() - used;
        for (long i = 0; i < skipped; i++) {
          indices.add(Arg.None.INSTANCE);
        }
        dim += Math.toIntExact(skipped);
      } else if (place instanceof Arg.Slice slice) {
        value = sliced(value, here, slice, call);
        indices.add(Arg.None.INSTANCE);
        dim++;
      } else if (place instanceof Arg.Whole) {
        value = need("aten.select", call, value, here, place);
      } else {
        indices.add(place);
        dim++;
      }
    }
    boolean gathers = indices.stream().anyMatch(index -> !(index instanceof Arg.None));
    return gathers ? need("aten.index", call, value, Arg.items(indices)) : value;
  }

  private static boolean consumes(Arg place) {
    return !(place instanceof Arg.None) && !(place instanceof Arg.Word);
  }

  private Arg sliced(Arg value, Arg dim, Arg.Slice slice, Operators.Call call) {
    if (slice.low() instanceof Arg.None
        && slice.high() instanceof Arg.None
        && slice.step() instanceof Arg.None) {
      return value;
    }
    Arg step = slice.step() instanceof Arg.None ? new Arg.Whole(1) : slice.step();
    return need("aten.slice", call, value, dim, slice.low(), slice.high(), step);
  }

  private Arg need(String base, Operators.Call call, Arg... arguments) {
    Arg found = operators.resolve(base, with(call, ImmutableList.copyOf(arguments)));
    if (found == null) {
      throw DiagnosticException.error(
          "fx-unsupported",
          base + " of " + Arg.items(ImmutableList.copyOf(arguments)).describe() + " is not read",
          call.location());
    }
    return found;
  }
}
