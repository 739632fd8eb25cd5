package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What operators that share memory give: each result can be computed anew when its base changes,
 * and most can be written through.
 */
final class Views {
  private Views() {}

  /** Returns {@code result} of {@code op}, a tensor or a list of them, as views of {@code base}. */
  static Arg of(Arg result, Arg.Tensor base, AtenOp op, AtenCall call, Tensors t) {
    if (result instanceof Arg.Tensor tensor) {
      return tensor == base
          ? base
          : Arg.Tensor.view(tensor.value(), base, new Shown(op, call, t, -1));
    }
    if (!(result instanceof Arg.Items items)) {
      return result;
    }
    List<Arg> out = new ArrayList<>();
    for (int i = 0; i < items.elements().size(); i++) {
      Value value = ((Arg.Tensor) items.elements().get(i)).value();
      out.add(Arg.Tensor.view(value, base, new Shown(op, call, t, i)));
    }
    return Arg.items(out);
  }

  /**
   * What a call shows of its first argument.
   *
   * @param element which of several results; -1 where there is one
   */
  private record Shown(AtenOp op, AtenCall call, Tensors t, int element) implements Arg.View {
    private Arg again(Value base) {
      String first = call.schema().parameters().get(0).name();
      return op.rule().lower(call.with(first, Arg.of(base)), t);
    }

    @Override
    public Value take(Value base) {
      Arg result = again(base);
      Arg one = element < 0 ? result : ((Arg.Items) result).elements().get(element);
      return ((Arg.Tensor) one).value();
    }

    @Override
    public @Nullable Value put(Value base, Value shown) {
      String name = call.name().substring("aten.".length(), call.name().lastIndexOf('.'));
      return switch (name) {
        case "view",
            "_unsafe_view",
            "reshape",
            "_reshape_alias",
            "view_as",
            "reshape_as",
            "flatten",
            "unflatten",
            "unsqueeze",
            "squeeze" ->
            Tensors.element(shown) == Tensors.element(base)
                ? t.reshape(shown, Tensors.dims(base))
                : null;
        case "t", "transpose", "swapaxes", "mT", "numpy_T" -> take(shown);
        case "permute" -> t.transpose(shown, inverse(call.dims("dims", Tensors.rank(base))));
        case "select" -> {
          int dim = call.dim("dim", Tensors.rank(base));
          long at = Math.floorMod(call.integer("index"), Tensors.dims(base)[dim]);
          yield Slices.with(t, base, Shapes.withOne(t, shown, dim), dim, at, at + 1, 1);
        }
        case "slice" -> Slices.withSlice(call, t, base, shown);
        case "narrow" -> {
          int dim = call.dim("dim", Tensors.rank(base));
          long begin = Math.floorMod(call.integer("start"), Tensors.dims(base)[dim] + 1);
          yield Slices.with(t, base, shown, dim, begin, begin + call.integer("length"), 1);
        }
        case "split", "unsafe_split", "split_with_sizes", "chunk", "unbind" -> part(base, shown);
        default -> null;
      };
    }

    private Value part(Value base, Value shown) {
      int dim = call.dim("dim", Tensors.rank(base));
      ImmutableList<Arg> parts = ((Arg.Items) again(base)).elements();
      long begin = 0;
      boolean single = Tensors.rank(shown) < Tensors.rank(base);
      for (Arg before : parts.subList(0, element)) {
        begin += single ? 1 : ((Arg.Tensor) before).type().dim(dim);
      }
      Value wide = single ? Shapes.withOne(t, shown, dim) : shown;
      return Slices.with(t, base, wide, dim, begin, begin + Tensors.dims(wide)[dim], 1);
    }

    private static long[] inverse(int[] order) {
      long[] out = new long[order.length];
      Arrays.setAll(out, i -> Arrays.stream(order).boxed().toList().indexOf(i));
      return out;
    }
  }
}
