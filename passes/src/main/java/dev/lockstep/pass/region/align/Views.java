package dev.lockstep.pass.region.align;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.op.data.Pad;
import dev.lockstep.hlo.op.data.Slice;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Paddings and slices that some ranks do not have because theirs would change nothing: torch leaves
 * out a padding by zero. Such ranks are given one that changes nothing.
 */
final class Views {
  private static final ImmutableList<OpDef> KINDS = ImmutableList.of(Pad.DEF, Slice.DEF);

  private final ImmutableList<Definitions> definitions;

  Views(ImmutableList<Definitions> definitions) {
    this.definitions = definitions;
  }

  /**
   * Returns operations of one kind that give {@code values} or copies of them, or null when there
   * are none.
   */
  @Nullable ImmutableList<Operation> complete(ImmutableList<Value> values) {
    for (OpDef kind : KINDS) {
      ImmutableList<Operation> done = complete(values, kind);
      if (done != null) {
        return done;
      }
    }
    return null;
  }

  private @Nullable ImmutableList<Operation> complete(ImmutableList<Value> values, OpDef kind) {
    List<@Nullable Operation> views = new ArrayList<>();
    @Nullable Operation model = null;
    int modelClass = 0;
    boolean missing = false;
    List<@Nullable OpDef> heads = new ArrayList<>();
    for (int k = 0; k < values.size(); k++) {
      Operation definer = definitions.get(k).definer(values.get(k));
      boolean isView = definer != null && definer.is(kind);
      views.add(isView ? definer : null);
      missing |= !isView;
      if (isView && model == null) {
        model = definer;
        modelClass = k;
      }
      Operation under =
          isView && definer != null ? definitions.get(k).definer(definer.operand(0)) : definer;
      heads.add(under == null ? null : under.def());
    }
    if (model == null || !missing || heads.stream().distinct().count() != 1) {
      return null;
    }
    Operation filler =
        kind == Pad.DEF ? definitions.get(modelClass).definer(model.operand(1)) : null;
    if (kind == Pad.DEF && (filler == null || !filler.is(Constant.DEF))) {
      return null;
    }
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    for (int k = 0; k < values.size(); k++) {
      Operation view = views.get(k);
      if (view == null && !(values.get(k).type() instanceof TensorType)) {
        return null;
      }
      out.add(view != null ? view : nothing(k, values.get(k), filler));
    }
    return out.build();
  }

  /** Returns a padding or slice of {@code value} that changes nothing. */
  private Operation nothing(int number, Value value, @Nullable Operation filler) {
    Definitions into = definitions.get(number);
    TensorType type = (TensorType) value.type();
    OpBuilder builder = new OpBuilder(BuildScope.of(into.module()));
    Operation before = into.definer(value);
    if (before != null) {
      builder.at(before);
    }
    if (filler == null) {
      builder.slice(value, new long[type.rank()], type.dims().toArray());
      return added(into, builder.take().get(0), value);
    }
    Operation constant = added(into, filler.withResults(ImmutableList.of(filler.result())), value);
    builder.pad(value, constant.result(), new long[type.rank()], new long[type.rank()]);
    return added(into, builder.take().get(0), value);
  }

  /** Returns {@code operation} with a nameless result, known to {@code into}. */
  private static Operation added(Definitions into, Operation operation, Value operand) {
    Operation made = operation.withResults(ImmutableList.of(new Value(operation.result().type())));
    into.add(made, operand);
    return made;
  }
}
