package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The texts with which ranks come to one collective, as one text that all replicas run. They must
 * be the same but for names, channels, places in sources, and constants, which become looked up by
 * replica.
 */
final class OneText {
  private final List<Module> texts;
  private final Map<Operation, ImmutableList<Literal>> differing = new IdentityHashMap<>();

  private OneText(List<Module> texts) {
    this.texts = texts;
  }

  /**
   * Returns one text for all.
   *
   * @param texts the text of each replica, with groups of replicas
   * @throws IllegalArgumentException if they are not alike
   */
  static Module of(List<Module> texts) {
    OneText merge = new OneText(texts);
    ImmutableList.Builder<Block> entries = ImmutableList.builder();
    for (Module text : texts) {
      entries.add(text.entryFunction().map(Function::body).orElseThrow());
    }
    merge.compare(entries.build(), true);
    return merge.differing.isEmpty()
        ? texts.get(0)
        : Rewriter.rewrite(texts.get(0), merge::constant);
  }

  private void compare(List<Block> blocks, boolean isEntry) {
    Block first = blocks.get(0);
    List<Map<Value, Integer>> names = new ArrayList<>();
    for (Block block : blocks) {
      Map<Value, Integer> own = new IdentityHashMap<>();
      block.arguments().forEach(argument -> own.put(argument, own.size()));
      names.add(own);
      check(
          block.operations().size() == first.operations().size()
              && block.arguments().size() == first.arguments().size(),
          first.operations().isEmpty() ? null : first.operations().get(0));
    }
    for (int i = 0; i < first.operations().size(); i++) {
      List<Operation> row = new ArrayList<>();
      for (Block block : blocks) {
        row.add(block.operations().get(i));
      }
      compareRow(row, names, isEntry);
    }
    for (int t = 1; t < blocks.size(); t++) {
      check(
          numbers(blocks.get(t).returned(), names.get(t))
              .equals(numbers(first.returned(), names.get(0))),
          first.last());
    }
  }

  private void compareRow(List<Operation> row, List<Map<Value, Integer>> names, boolean isEntry) {
    Operation first = row.get(0);
    List<ImmutableList<Block>> bodies = new ArrayList<>();
    for (int t = 0; t < row.size(); t++) {
      Operation other = row.get(t);
      check(other.def() == first.def() && sameShapes(first, other), first);
      check(
          numbers(other.operands(), names.get(t)).equals(numbers(first.operands(), names.get(0))),
          first);
      if (!first.is(Constant.DEF)) {
        checkAttributes(first, other);
      }
      Map<Value, Integer> own = names.get(t);
      other.results().forEach(result -> own.put(result, own.size()));
      bodies.add(Bodies.of(other, texts.get(t)));
    }
    if (first.is(Constant.DEF)) {
      constants(row, isEntry);
    }
    for (int b = 0; b < bodies.get(0).size(); b++) {
      int body = b;
      check(bodies.stream().allMatch(of -> of.size() == bodies.get(0).size()), first);
      compare(bodies.stream().map(of -> of.get(body)).toList(), false);
    }
  }

  private void constants(List<Operation> row, boolean isEntry) {
    ImmutableList.Builder<Literal> literals = ImmutableList.builder();
    boolean same = true;
    for (Operation operation : row) {
      Attribute value = operation.attribute("value");
      if (!(value instanceof Attribute.Dense dense)) {
        check(Objects.equals(value, row.get(0).attribute("value")), row.get(0));
        return;
      }
      literals.add(dense.literal());
      same &= value.equals(row.get(0).attribute("value"));
    }
    check(same || isEntry, row.get(0));
    if (!same) {
      differing.put(row.get(0), literals.build());
    }
  }

  private static boolean sameShapes(Operation one, Operation other) {
    if (one.results().size() != other.results().size()
        || one.operands().size() != other.operands().size()) {
      return false;
    }
    for (int i = 0; i < one.results().size(); i++) {
      if (!one.results().get(i).type().isSameShape(other.results().get(i).type())) {
        return false;
      }
    }
    return true;
  }

  private static List<Integer> numbers(List<Value> values, Map<Value, Integer> names) {
    List<Integer> out = new ArrayList<>();
    for (Value value : values) {
      out.add(names.getOrDefault(value, -1));
    }
    return out;
  }

  private static void checkAttributes(Operation one, Operation other) {
    check(
        Objects.equals(
            one.attribute(BuiltinOps.PARAMETER_NUMBER),
            other.attribute(BuiltinOps.PARAMETER_NUMBER)),
        one);
    for (AttrKey<?> key : one.def().attributes()) {
      check(Objects.equals(key.find(one), key.find(other)), one);
    }
  }

  private static void check(boolean condition, @Nullable Operation where) {
    if (!condition) {
      throw new IllegalArgumentException(
          "ranks come to one collective with texts that differ"
              + (where == null ? "" : " at " + where.def().name() + ", " + where.location())
              + "; split them again, or run diff --repair");
    }
  }

  /** Replaces a constant that differs by a look-up in a table of all. */
  private @Nullable ImmutableList<Value> constant(Operation operation, OpBuilder builder) {
    ImmutableList<Literal> literals = differing.get(operation);
    if (literals == null) {
      return null;
    }
    TensorType type = literals.get(0).type();
    long[] row = new long[type.rank() + 1];
    row[0] = 1;
    List<Value> starts = new ArrayList<>();
    starts.add(builder.replicaId());
    for (int d = 0; d < type.rank(); d++) {
      row[d + 1] = type.dim(d);
      starts.add(builder.scalar(ElementType.UI32, 0));
    }
    List<Value> rows = new ArrayList<>();
    for (Literal literal : literals) {
      rows.add(builder.reshape(builder.constant(literal), row));
    }
    Value table = builder.concatenate(rows, 0);
    Value found = builder.dynamicSlice(table, starts, row);
    return ImmutableList.of(builder.reshape(found, type.dims().toArray()));
  }
}
