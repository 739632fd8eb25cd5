package dev.lockstep.pass.region.diff;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.analysis.DistributedCall;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Says how two operations differ that stand side by side. */
final class OperationDiff {
  private static final int MAX_TEXT = 120;
  private static final ImmutableSet<String> FOR_PEOPLE =
      ImmutableSet.of(
          "metadata",
          "origin",
          "original_value",
          "FileNames",
          "FunctionNames",
          "FileLocations",
          "StackFrames");

  /** Returns whether an attribute says nothing to the compiler. */
  static boolean isForPeople(String name) {
    return FOR_PEOPLE.contains(name);
  }

  /** Returns what a user calls {@code operation}. */
  String name(Operation operation) {
    String target = DistributedCall.target(operation);
    return target != null ? target : operation.def().name();
  }

  static String name(Value value) {
    return value.name() == null ? "another value" : "%" + value.name();
  }

  static String text(@Nullable Object value) {
    String text = value == null ? "absent" : plain(value);
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }

  private static String plain(Object value) {
    if (value instanceof ReplicaGroups) {
      return ((ReplicaGroups) value).lists().toString();
    }
    if (!(value instanceof Attribute)) {
      return value.toString();
    }
    Attribute attribute = (Attribute) value;
    Long number = AttrKeys.asLong(attribute);
    String word = AttrKeys.asWord(attribute);
    if (number != null) {
      return number.toString();
    }
    if (word != null) {
      return word;
    }
    Object list = AttrKeys.asLongs(attribute);
    list = list == null ? AttrKeys.asRows(attribute) : list;
    if (list != null) {
      return list.toString();
    }
    if (attribute instanceof Attribute.Bool) {
      return Boolean.toString(((Attribute.Bool) attribute).value());
    }
    if (attribute instanceof Attribute.Raw) {
      return ((Attribute.Raw) attribute).text();
    }
    return attribute instanceof Attribute.TypeOf
        ? ((Attribute.TypeOf) attribute).type().toString()
        : attribute.toString();
  }

  /**
   * Returns the differences.
   *
   * @param alike whether only values of literals can differ
   */
  ImmutableList<Difference> of(Operation left, Operation right, boolean alike) {
    if (alike) {
      return left.def().has(Trait.CONSTANT) ? literal(left, right) : ImmutableList.of();
    }
    ImmutableList.Builder<Difference> out = ImmutableList.builder();
    if (DistributedCall.target(left) != null && DistributedCall.target(right) != null) {
      entries(left, DistributedCall.entries(left), right, DistributedCall.entries(right), out);
    }
    typed(left, right, out);
    entries(left, left.attributes(), right, right.attributes(), out);
    ImmutableList<Difference> attributes = distinct(out.build());
    ImmutableList.Builder<Difference> all = ImmutableList.builder();
    types(left, left.operands(), right, right.operands(), "operand").ifPresent(all::add);
    if (all.build().isEmpty()) {
      types(left, left.results(), right, right.results(), "result").ifPresent(all::add);
    }
    all.addAll(attributes);
    if (left.def().has(Trait.CONSTANT)) {
      all.addAll(literal(left, right));
    }
    return all.build();
  }

  /** Drops a second difference of what one key and one attribute both hold. */
  private static ImmutableList<Difference> distinct(ImmutableList<Difference> all) {
    ImmutableList.Builder<Difference> out = ImmutableList.builder();
    TreeSet<String> seen = new TreeSet<>();
    for (Difference each : all) {
      if (seen.add(each.what())) {
        out.add(each);
      }
    }
    return out.build();
  }

  private static void typed(
      Operation left, Operation right, ImmutableList.Builder<Difference> out) {
    for (AttrKey<?> key : left.def().attributes()) {
      Object a = key.find(left);
      Object b = key.find(right);
      if (Objects.equals(a, b)) {
        continue;
      }
      boolean groups = a instanceof ReplicaGroups || b instanceof ReplicaGroups;
      if (groups
          && a != null
          && b != null
          && ((ReplicaGroups) a).lists().equals(((ReplicaGroups) b).lists())) {
        continue;
      }
      String name = key.mlirName().isEmpty() ? key.hloName() : key.mlirName();
      out.add(
          difference(
              groups ? DifferenceKind.GROUP : DifferenceKind.ATTRIBUTE,
              name,
              left,
              text(a),
              right,
              text(b),
              numbers(a, b)));
    }
  }

  private static Difference.@Nullable Numbers numbers(@Nullable Object a, @Nullable Object b) {
    ImmutableLongArray left = longs(a);
    ImmutableLongArray right = longs(b);
    return left != null && right != null && left.length() == right.length()
        ? new Difference.Numbers(left, right)
        : null;
  }

  private static @Nullable ImmutableLongArray longs(@Nullable Object value) {
    if (value instanceof Long) {
      return ImmutableLongArray.of((Long) value);
    }
    if (value instanceof ImmutableLongArray) {
      return (ImmutableLongArray) value;
    }
    if (value instanceof Attribute) {
      Long one = AttrKeys.asLong((Attribute) value);
      return one == null ? AttrKeys.asLongs((Attribute) value) : ImmutableLongArray.of(one);
    }
    return null;
  }

  /** Compares attributes that no key of the op reads. */
  private static void entries(
      Operation left,
      Attributes a,
      Operation right,
      Attributes b,
      ImmutableList.Builder<Difference> out) {
    TreeSet<String> names = new TreeSet<>();
    a.forEach((name, value) -> names.add(name));
    b.forEach((name, value) -> names.add(name));
    boolean call = DistributedCall.target(left) != null;
    for (String name : names) {
      Attribute x = a.get(name);
      Attribute y = b.get(name);
      if (isForPeople(name)
          || Objects.equals(x, y)
          || isRead(left, name)
          || left.def().bodyAttributes().contains(name)
          || call && name.equals("backend_config")
          || left.def().has(Trait.CONSTANT) && name.equals("value")) {
        continue;
      }
      out.add(
          difference(
              name.equals("groups") ? DifferenceKind.GROUP : DifferenceKind.ATTRIBUTE,
              name,
              left,
              text(x),
              right,
              text(y),
              numbers(x, y)));
    }
  }

  private static boolean isRead(Operation operation, String name) {
    for (AttrKey<?> key : operation.def().attributes()) {
      for (String path : new String[] {key.mlirName(), key.hloName()}) {
        int dot = path.indexOf('.');
        if ((dot < 0 ? path : path.substring(0, dot)).equals(name)) {
          return true;
        }
      }
    }
    return false;
  }

  private static Difference difference(
      DifferenceKind kind,
      String what,
      Operation left,
      String leftText,
      Operation right,
      String rightText,
      Difference.@Nullable Numbers numbers) {
    return new Difference(
        kind, what, left, left.location(), leftText, right, right.location(), rightText, numbers);
  }

  /** Returns how the types of values differ, if they do. */
  Optional<Difference> types(
      Operation left, List<Value> a, Operation right, List<Value> b, String what) {
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
      Type x = i < a.size() ? a.get(i).type() : null;
      Type y = i < b.size() ? b.get(i).type() : null;
      if (x != null && y != null && x.isSameShape(y)) {
        continue;
      }
      boolean shape = false;
      Difference.Numbers sizes = null;
      if (x instanceof TensorType && y instanceof TensorType) {
        TensorType before = (TensorType) x;
        TensorType after = (TensorType) y;
        shape = before.element() == after.element();
        if (shape && before.rank() == after.rank()) {
          sizes = new Difference.Numbers(before.dims(), after.dims());
        }
      }
      return Optional.of(
          difference(
              shape || x == null || y == null ? DifferenceKind.SHAPE : DifferenceKind.TYPE,
              what + " " + i,
              left,
              x == null ? "absent" : x.toString(),
              right,
              y == null ? "absent" : y.toString(),
              sizes));
    }
    return Optional.empty();
  }

  private static ImmutableList<Difference> literal(Operation left, Operation right) {
    Attribute a = left.attribute("value");
    Attribute b = right.attribute("value");
    if (!(a instanceof Attribute.Dense) || !(b instanceof Attribute.Dense)) {
      return Objects.equals(a, b)
          ? ImmutableList.of()
          : ImmutableList.of(
              difference(DifferenceKind.LITERAL, "", left, text(a), right, text(b), numbers(a, b)));
    }
    Literal x = ((Attribute.Dense) a).literal();
    Literal y = ((Attribute.Dense) b).literal();
    if (!x.type().isSameShape(y.type())) {
      return ImmutableList.of();
    }
    int count = x.isSplat() && y.isSplat() ? Math.min(1, x.count()) : x.count();
    for (int i = 0; i < count; i++) {
      if (!x.sameBits(i, y, i)) {
        String what = count == 1 ? "" : "element " + i;
        boolean integers = x.element().isInteger() || x.element().isBool();
        return ImmutableList.of(
            difference(
                DifferenceKind.LITERAL,
                what,
                left,
                x.elementText(i),
                right,
                y.elementText(i),
                integers
                    ? new Difference.Numbers(
                        ImmutableLongArray.of(x.getLong(i)), ImmutableLongArray.of(y.getLong(i)))
                    : null));
      }
    }
    return ImmutableList.of();
  }
}
