package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.QuantizedTensor;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.runtime.values.RandomValues;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.runtime.values.ValueKeys;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The numbering of arguments and results in value files: tensors in order after tuples are taken
 * apart; tokens have no number. Of quantised tensors, files hold what is stored.
 */
public final class Flattening {

  /** Gives the value with a number on a device. */
  public interface Supplier {
    /** Returns the value of tensor {@code index} on {@code device}. */
    Literal value(int index, int device, TensorType type);
  }

  private Flattening() {}

  /** Returns the tensors within {@code types}, in order. */
  public static ImmutableList<TensorType> tensors(Iterable<? extends Type> types) {
    ImmutableList.Builder<TensorType> out = ImmutableList.builder();
    for (Type type : types) {
      collect(type, out);
    }
    return out.build();
  }

  private static void collect(Type type, ImmutableList.Builder<TensorType> out) {
    if (type instanceof TupleType) {
      ((TupleType) type).elements().forEach(element -> collect(element, out));
    } else if (type instanceof TensorType) {
      out.add((TensorType) type);
    } else {
      QuantizedTensor quantized = QuantizedTensor.of(type);
      if (quantized != null) {
        out.add(quantized.stored());
      }
    }
  }

  /** Returns the types of the tensors that {@code function} takes, in order of their numbers. */
  public static ImmutableList<TensorType> arguments(Function function) {
    return tensors(function.parameters().stream().map(Value::type).toList());
  }

  /** Returns the types of the tensors that {@code function} gives, in order of their numbers. */
  public static ImmutableList<TensorType> results(Function function) {
    return tensors(function.resultTypes());
  }

  /** Returns the tensors within {@code values}, in order. */
  public static ImmutableList<Literal> flatten(Iterable<? extends Datum> values) {
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (Datum value : values) {
      flatten(value, out);
    }
    return out.build();
  }

  private static void flatten(Datum value, ImmutableList.Builder<Literal> out) {
    if (value instanceof Datum.Tuple) {
      ((Datum.Tuple) value).elements().forEach(element -> flatten(element, out));
    } else if (value instanceof Literal) {
      out.add((Literal) value);
    }
  }

  /**
   * Returns values of {@code types} whose tensors are {@code leaves}, which {@link #flatten} would
   * give.
   */
  public static ImmutableList<Datum> nest(
      List<? extends Type> types, List<? extends Datum> leaves) {
    Iterator<? extends Datum> next = leaves.iterator();
    return types.stream().map(type -> nest(type, next)).collect(ImmutableList.toImmutableList());
  }

  private static Datum nest(Type type, Iterator<? extends Datum> leaves) {
    if (type instanceof TupleType) {
      return new Datum.Tuple(
          ((TupleType) type)
              .elements().stream()
                  .map(element -> nest(element, leaves))
                  .collect(ImmutableList.toImmutableList()));
    }
    return type instanceof TokenType ? Datum.Token.TOKEN : leaves.next();
  }

  /**
   * Returns arguments for {@code function} on {@code device}, whose tensors {@code supplier} gives.
   *
   * @throws DiagnosticException if a parameter is neither tensor, tuple nor token, or bounded
   */
  public static ImmutableList<Datum> pack(Function function, int device, Supplier supplier) {
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    int[] next = {0};
    for (Value parameter : function.parameters()) {
      out.add(pack(parameter.type(), function, device, supplier, next));
    }
    return out.build();
  }

  private static Datum pack(
      Type type, Function function, int device, Supplier supplier, int[] next) {
    if (type instanceof TupleType) {
      List<Datum> elements = new ArrayList<>();
      for (Type element : ((TupleType) type).elements()) {
        elements.add(pack(element, function, device, supplier, next));
      }
      return new Datum.Tuple(ImmutableList.copyOf(elements));
    }
    if (type instanceof TokenType) {
      return Datum.Token.TOKEN;
    }
    if (type instanceof TensorType tensor && (tensor.isStatic() || tensor.bounds() == null)) {
      return supplier.value(next[0]++, device, tensor);
    }
    QuantizedTensor quantized = QuantizedTensor.of(type);
    if (quantized != null) {
      return supplier.value(next[0]++, device, quantized.stored());
    }
    throw DiagnosticException.error(
        "unsupported-argument",
        "a program cannot be given an argument of type " + type,
        function.operation().location());
  }

  /** Returns random arguments of {@code program} for every device of {@code grid}. */
  public static ImmutableList<ImmutableList<Datum>> random(
      Program program, DeviceGrid grid, long seed) {
    return supplied(
        program, grid, (index, device, type) -> RandomValues.of(type, seed, index, device));
  }

  /**
   * Returns arguments of {@code program} for every device of {@code grid}. {@code supplier} is
   * asked for each device, but once a replica for a program over global arrays: for the whole
   * array, of which devices then hold parts.
   */
  public static ImmutableList<ImmutableList<Datum>> supplied(
      Program program, DeviceGrid grid, Supplier supplier) {
    return packAll(program, grid.size(), layered(EntryLayout.of(program, grid), grid, supplier));
  }

  /**
   * Returns the arguments of one device, as {@link #supplied} does those of all.
   *
   * @param first the number by which {@code supplier} knows the first
   */
  public static ImmutableList<Datum> suppliedOf(
      Program program, DeviceGrid grid, int device, int first, Supplier supplier) {
    Supplier numbered = (index, of, type) -> supplier.value(first + index, of, type);
    return pack(
        program.entry(device), device, layered(EntryLayout.of(program, grid), grid, numbered));
  }

  private static Supplier layered(EntryLayout layout, DeviceGrid grid, Supplier supplier) {
    return layout.isGlobal()
        ? (index, device, type) ->
            layout.argumentPart(supplier.value(index, grid.replica(device), type), index, device)
        : supplier;
  }

  /**
   * Returns the arguments that {@code file} holds for {@code program}, for every device of {@code
   * grid}: of a program over global arrays, each device's part under {@code in<i>.dev<d>}, or the
   * whole array under {@code in<i>}.
   */
  public static ImmutableList<ImmutableList<Datum>> read(
      Program program, DeviceGrid grid, ValueFile file) {
    return packAll(program, grid.size(), layered(EntryLayout.of(program, grid), 0, file));
  }

  /**
   * Returns the arguments of one device, as {@link #read} does those of all.
   *
   * @param first the number by which {@code file} knows the first
   */
  public static ImmutableList<Datum> readOf(
      Program program, DeviceGrid grid, int device, int first, ValueFile file) {
    return pack(program.entry(device), device, layered(EntryLayout.of(program, grid), first, file));
  }

  private static Supplier layered(EntryLayout layout, int first, ValueFile file) {
    if (!layout.isGlobal()) {
      return (index, device, type) -> file.argument(first + index, device, type);
    }
    return (index, device, type) -> {
      int number = first + index;
      TensorType part = layout.argumentType(type, index);
      boolean whole =
          !file.keys().contains(ValueKeys.argument(number, device))
              && file.dims(ValueKeys.argument(number)).filter(type.dims()::equals).isPresent();
      return whole
          ? layout.argumentPart(file.argument(number, device, type), index, device)
          : file.argument(number, device, part);
    };
  }

  private static ImmutableList<ImmutableList<Datum>> packAll(
      Program program, int devices, Supplier supplier) {
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    for (int device = 0; device < devices; device++) {
      out.add(pack(program.entry(device), device, supplier));
    }
    return out.build();
  }
}
