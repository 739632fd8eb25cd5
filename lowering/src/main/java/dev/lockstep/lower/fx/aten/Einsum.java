package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.List;

/** {@code einsum} over letters, two operands at a time from the left. */
final class Einsum {
  private Einsum() {}

  static Arg lower(AtenCall call, Tensors t) {
    String equation = call.text("equation").replace(" ", "");
    if (equation.contains(".")) {
      throw call.unsupported("'...' in '" + equation + "'");
    }
    String[] sides = equation.split("->", -1);
    String[] inputs = sides[0].split(",", -1);
    ImmutableList<Value> values = call.tensors("tensors");
    if (inputs.length != values.size()) {
      throw call.error(
          "'" + equation + "' names " + inputs.length + " operands, not " + values.size());
    }
    String output = sides.length > 1 ? sides[1] : implicit(sides[0]);
    Operand joined = operand(call, t, inputs[0], values.get(0));
    for (int i = 1; i < inputs.length; i++) {
      StringBuilder later = new StringBuilder(output);
      for (int j = i + 1; j < inputs.length; j++) {
        later.append(inputs[j]);
      }
      joined = joined(t, joined, operand(call, t, inputs[i], values.get(i)), later.toString());
    }
    Operand summed = summed(t, joined, output);
    long[] order = output.chars().mapToLong(c -> summed.letters().indexOf(c)).toArray();
    if (java.util.Arrays.stream(order).anyMatch(at -> at < 0)) {
      throw call.error("'" + equation + "' gives a letter that no operand has");
    }
    return Arg.of(t.transpose(summed.value(), order));
  }

  private record Operand(String letters, Value value) {}

  private static String implicit(String inputs) {
    StringBuilder out = new StringBuilder();
    inputs
        .chars()
        .filter(c -> c != ',' && inputs.indexOf(c) == inputs.lastIndexOf(c))
        .sorted()
        .forEach(c -> out.append((char) c));
    return out.toString();
  }

  private static Operand operand(AtenCall call, Tensors t, String letters, Value value) {
    if (letters.length() != Tensors.rank(value)) {
      throw call.error("'" + letters + "' does not name the dimensions of " + value.type());
    }
    if (letters.chars().distinct().count() != letters.length()) {
      throw call.unsupported("'" + letters + "' names a dimension twice");
    }
    return new Operand(letters, t.reshape(value, Tensors.dims(value)));
  }

  /** Returns {@code operand} summed over the letters that {@code later} does not have. */
  private static Operand summed(Tensors t, Operand operand, String later) {
    List<Integer> gone = new ArrayList<>();
    StringBuilder kept = new StringBuilder();
    for (int i = 0; i < operand.letters().length(); i++) {
      if (later.indexOf(operand.letters().charAt(i)) < 0) {
        gone.add(i);
      } else {
        kept.append(operand.letters().charAt(i));
      }
    }
    int[] dims = gone.stream().mapToInt(Integer::intValue).toArray();
    return new Operand(kept.toString(), Reductions.total(t, operand.value(), dims));
  }

  private static Operand joined(Tensors t, Operand left, Operand right, String later) {
    Operand a = summed(t, left, later + right.letters());
    Operand b = summed(t, right, later + left.letters());
    StringBuilder batch = new StringBuilder();
    StringBuilder inner = new StringBuilder();
    StringBuilder free = new StringBuilder();
    for (char c : a.letters().toCharArray()) {
      boolean shared = b.letters().indexOf(c) >= 0;
      (shared ? later.indexOf(c) >= 0 ? batch : inner : free).append(c);
    }
    StringBuilder out = new StringBuilder(batch).append(free);
    for (char c : b.letters().toCharArray()) {
      if (a.letters().indexOf(c) < 0) {
        out.append(c);
      }
    }
    Value product =
        Products.contract(
            t,
            a.value(),
            b.value(),
            places(batch, a),
            places(batch, b),
            places(inner, a),
            places(inner, b));
    return new Operand(out.toString(), product);
  }

  private static long[] places(StringBuilder letters, Operand operand) {
    return letters.chars().mapToLong(c -> operand.letters().indexOf(c)).toArray();
  }
}
