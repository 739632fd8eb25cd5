package dev.lockstep.lower.fx.aten;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A call of an operator whose arguments fit its schema, read by the names that the schema gives.
 *
 * @param schema what the operator takes
 * @param location the call
 * @param arguments what it was given; what was left out is absent
 * @param context what is around the call
 * @param outcome what the text says of its results
 */
record AtenCall(
    Schema schema,
    Location location,
    ImmutableMap<String, Arg> arguments,
    Context context,
    Outcome outcome) {
  /**
   * What is around a call.
   *
   * @param groups what the names of process groups mean
   * @param mutations writes to tensors
   * @param sink gets warnings
   */
  record Context(GroupTable groups, Mutations mutations, DiagnosticSink sink) {}

  /** Diagnostic code: an operator cannot take what it is given. */
  static final String ARGUMENT = "fx-argument";

  /** Diagnostic code: an operator is used in a way that is not read. */
  static final String UNSUPPORTED = "fx-unsupported";

  /** Returns the operator. */
  String name() {
    return schema.name();
  }

  /** Returns the diagnostic that the call is wrong. */
  DiagnosticException error(String message) {
    return DiagnosticException.error(ARGUMENT, name() + ": " + message, location);
  }

  /** Returns the diagnostic that the call is right in torch but not read. */
  DiagnosticException unsupported(String message) {
    return DiagnosticException.error(UNSUPPORTED, name() + ": " + message, location);
  }

  /** Returns what was given, else the default, else {@link Arg#NONE}. */
  Arg arg(String name) {
    Arg given = arguments.get(name);
    return given != null ? given : fallback(requireNonNull(schema.parameter(name), name));
  }

  private static Arg fallback(Schema.Parameter parameter) {
    String text = parameter.fallback();
    if (text == null || text.equals("None") || parameter.type().startsWith("ScalarType")) {
      return Arg.None.INSTANCE;
    }
    if (text.equals("True") || text.equals("False")) {
      return new Arg.Flag(text.equals("True"));
    }
    if (text.startsWith("[")) {
      ImmutableList.Builder<Arg> elements = ImmutableList.builder();
      for (String element : text.substring(1, text.length() - 1).split(",", -1)) {
        if (!element.isBlank()) {
          elements.add(new Arg.Whole(Long.parseLong(element.strip())));
        }
      }
      return new Arg.Items(elements.build());
    }
    if (text.startsWith("\"") || text.startsWith("'")) {
      return new Arg.Text(text.substring(1, text.length() - 1));
    }
    if (!text.matches("-?[0-9].*")) {
      return new Arg.Word(text);
    }
    return text.matches("-?\\d+")
        ? new Arg.Whole(Long.parseLong(text))
        : new Arg.Real(Double.parseDouble(text.toLowerCase(Locale.ROOT)));
  }

  /** Returns whether something other than {@code None} was given. */
  boolean has(String name) {
    return !(arg(name) instanceof Arg.None);
  }

  /** Returns a tensor. */
  Value tensor(String name) {
    Arg arg = arg(name);
    if (arg instanceof Arg.Tensor tensor) {
      return tensor.value();
    }
    throw error(name + " is " + arg.describe() + ", must be a tensor");
  }

  /** Returns this call with another value of one argument. */
  AtenCall with(String name, Arg value) {
    ImmutableMap.Builder<String, Arg> changed = ImmutableMap.builder();
    changed.putAll(arguments).put(name, value);
    return new AtenCall(schema, location, changed.buildKeepingLast(), context, outcome);
  }

  /** Returns a tensor that may be written to. */
  Arg.Tensor cell(String name) {
    if (arg(name) instanceof Arg.Tensor tensor) {
      return tensor;
    }
    throw error(name + " is " + arg(name).describe() + ", must be a tensor");
  }

  /** Returns the type of a tensor. */
  TensorType type(String name) {
    return (TensorType) tensor(name).type();
  }

  /** Returns a tensor, or null for {@code None}. */
  @Nullable Value tensorOrNull(String name) {
    return has(name) ? tensor(name) : null;
  }

  /** Returns tensors. */
  ImmutableList<Value> tensors(String name) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Arg element : items(name)) {
      if (!(element instanceof Arg.Tensor tensor)) {
        throw error(name + " holds " + element.describe() + ", must be tensors");
      }
      out.add(tensor.value());
    }
    return out.build();
  }

  /** Returns the elements of a list; none for {@code None}. */
  ImmutableList<Arg> items(String name) {
    Arg arg = arg(name);
    if (arg instanceof Arg.None) {
      return ImmutableList.of();
    }
    if (arg instanceof Arg.Items items) {
      return items.elements();
    }
    throw error(name + " is " + arg.describe() + ", must be a list");
  }

  /** Returns an integer. */
  long integer(String name) {
    return integer(name, arg(name));
  }

  private long integer(String name, Arg arg) {
    if (arg instanceof Arg.Whole whole) {
      return whole.value();
    }
    if (arg instanceof Arg.Flag flag) {
      return flag.value() ? 1 : 0;
    }
    if (arg instanceof Arg.Real real && real.value() == Math.rint(real.value())) {
      return (long) real.value();
    }
    throw error(name + " is " + arg.describe() + ", must be an integer");
  }

  /** Returns integers; one integer is a list of one. */
  long[] integers(String name) {
    Arg arg = arg(name);
    if (arg instanceof Arg.Whole whole) {
      return new long[] {whole.value()};
    }
    return items(name).stream().mapToLong(element -> integer(name, element)).toArray();
  }

  /** Returns a floating-point number. */
  double real(String name) {
    Arg arg = arg(name);
    if (arg instanceof Arg.Real real) {
      return real.value();
    }
    return integer(name, arg);
  }

  /** Returns a number or a truth value. */
  Arg number(String name) {
    Arg arg = arg(name);
    if (!arg.isNumber()) {
      throw error(name + " is " + arg.describe() + ", must be a number");
    }
    return arg;
  }

  /** Returns a truth value. */
  boolean flag(String name) {
    Arg arg = arg(name);
    if (arg instanceof Arg.Flag flag) {
      return flag.value();
    }
    return integer(name, arg) != 0;
  }

  /** Returns a string. */
  String text(String name) {
    Arg arg = arg(name);
    if (arg instanceof Arg.Text text) {
      return text.value();
    }
    if (arg instanceof Arg.Whole whole) {
      // print(graph) puts no quotes around strings, and the names of groups are numbers.
      return Long.toString(whole.value());
    }
    throw error(name + " is " + arg.describe() + ", must be a string");
  }

  /** Returns an element type, or null for {@code None}. */
  @Nullable ElementType dtype(String name) {
    Arg arg = arg(name);
    if (arg instanceof Arg.None) {
      return null;
    }
    if (arg instanceof Arg.Dtype dtype) {
      return dtype.element();
    }
    throw error(name + " is " + arg.describe() + ", must be a dtype");
  }

  /** Returns a dimension from 0 on; negative ones count from the end. */
  int dim(String name, int rank) {
    return dim(integer(name), rank);
  }

  /** Returns {@code dim} from 0 on; a scalar counts as one dimension, as in torch. */
  int dim(long dim, int rank) {
    int all = Math.max(rank, 1);
    if (dim < -all || dim >= all) {
      throw error("dimension " + dim + " is outside of " + rank + " dimensions");
    }
    return (int) (dim < 0 ? dim + all : dim);
  }

  /** Returns dimensions; all of them when none is given. */
  int[] dims(String name, int rank) {
    long[] given = integers(name);
    if (given.length == 0) {
      return java.util.stream.IntStream.range(0, rank).toArray();
    }
    int[] out = new int[rank == 0 ? 0 : given.length];
    for (int i = 0; i < given.length; i++) {
      int dim = dim(given[i], rank);
      if (rank > 0) {
        out[i] = dim;
      }
    }
    if (java.util.Arrays.stream(out).distinct().count() != out.length) {
      throw error(name + " names a dimension twice: " + java.util.Arrays.toString(given));
    }
    return out;
  }
}
