package dev.lockstep.hlo.op.kernel;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Splitter;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.data.Movement;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums of products over named dimensions: {@code ab,bc->ac}. A letter that the result lacks is
 * summed over; one that an operand has twice walks its diagonal. Dimensions under {@code ...} are
 * those on the left that have no letter.
 */
public final class Equation {
  private Equation() {}

  /**
   * Returns the result, of the element type of {@code type}.
   *
   * @throws IllegalArgumentException if the equation does not fit the operands
   */
  public static Literal compute(String equation, List<Literal> operands, TensorType type) {
    List<String> sides = Splitter.on("->").trimResults().splitToList(equation);
    List<String> inputs = Splitter.on(',').trimResults().splitToList(sides.get(0));
    checkArgument(
        sides.size() == 2 && inputs.size() == operands.size(),
        "'%s' is no equation over %s operands",
        equation,
        operands.size());
    Map<String, Long> sizes = new LinkedHashMap<>();
    List<List<String>> labels = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      Literal operand = operands.get(i);
      List<String> own = labels(inputs.get(i), operand.type().rank());
      checkArgument(
          own.size() == operand.type().rank(),
          "'%s' names %s dimensions of %s",
          inputs.get(i),
          own.size(),
          operand.type());
      for (int d = 0; d < own.size(); d++) {
        Long known = sizes.putIfAbsent(own.get(d), operand.dims().get(d));
        checkArgument(
            known == null || known == operand.dims().get(d),
            "dimension '%s' has the sizes %s and %s",
            own.get(d),
            known,
            operand.dims().get(d));
      }
      labels.add(own);
    }
    List<String> result = labels(sides.get(1), type.rank());
    List<String> summed = new ArrayList<>(sizes.keySet());
    summed.removeAll(result);
    long[] dims = new long[result.size()];
    for (int d = 0; d < dims.length; d++) {
      checkArgument(sizes.containsKey(result.get(d)), "'%s' stands on the right only", result);
      dims[d] = requireNonNull(sizes.get(result.get(d)));
    }
    List<String> order = new ArrayList<>(result);
    order.addAll(summed);
    return sum(order, dims.length, sizes, labels, operands, TensorType.of(type.element(), dims));
  }

  private static List<String> labels(String text, int rank) {
    List<String> out = new ArrayList<>();
    int letters = text.replace("...", "").length();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("...", i)) {
        for (int d = rank - letters; d > 0; d--) {
          out.add("." + d);
        }
        i += 2;
      } else {
        out.add(text.substring(i, i + 1));
      }
    }
    return out;
  }

  private static Literal sum(
      List<String> order,
      int kept,
      Map<String, Long> sizes,
      List<List<String>> labels,
      List<Literal> operands,
      TensorType type) {
    int loops = order.size();
    long[][] strides = new long[operands.size()][loops];
    for (int i = 0; i < operands.size(); i++) {
      long[] own = Movement.strides(operands.get(i).dims());
      for (int d = 0; d < own.length; d++) {
        strides[i][order.indexOf(labels.get(i).get(d))] += own[d];
      }
    }
    long[] counts = new long[loops];
    long inner = 1;
    for (int l = 0; l < loops; l++) {
      counts[l] = requireNonNull(sizes.get(order.get(l)));
      inner *= l < kept ? 1 : counts[l];
    }
    LiteralBuilder out = new LiteralBuilder(type);
    long[] index = new long[loops];
    for (int at = 0; at < type.count(); at++) {
      Sum sum = new Sum();
      for (long n = 0; n < inner; n++) {
        sum.add(operands, strides, index);
        step(index, counts, loops, kept);
      }
      sum.store(out, at);
      step(index, counts, kept, 0);
    }
    return out.build();
  }

  /** Moves to the next place along the loops from {@code from} to before {@code to}. */
  private static void step(long[] index, long[] counts, int to, int from) {
    for (int l = to - 1; l >= from; l--) {
      if (++index[l] < counts[l]) {
        return;
      }
      index[l] = 0;
    }
  }

  /** A sum of products in the widest type of each family. */
  private static final class Sum {
    private long whole;
    private double real;
    private double imaginary;

    void add(List<Literal> operands, long[][] strides, long[] index) {
      long product = 1;
      double re = 1;
      double im = 0;
      for (int i = 0; i < operands.size(); i++) {
        long offset = 0;
        for (int l = 0; l < index.length; l++) {
          offset += strides[i][l] * index[l];
        }
        Literal operand = operands.get(i);
        int at = (int) offset;
        if (operand.element().isFloat() || operand.element().isComplex()) {
          double a = operand.getDouble(at);
          double b = operand.getImaginary(at);
          double next = re * a - im * b;
          im = operand.element().isComplex() ? re * b + im * a : im * a;
          re = operand.element().isComplex() ? next : re * a;
        } else {
          product *= operand.getLong(at);
        }
      }
      whole += product;
      real += re;
      imaginary += im;
    }

    void store(LiteralBuilder out, int at) {
      switch (out.type().element().kind()) {
        case BOOL -> out.setBoolean(at, whole != 0);
        case SIGNED, UNSIGNED -> out.setLong(at, whole);
        case FLOAT -> out.setDouble(at, real);
        case COMPLEX -> out.setComplex(at, real, imaginary);
      }
    }
  }
}
