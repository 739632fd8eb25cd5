package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.shard.SdySharding.Cut;
import dev.lockstep.hlo.shard.SdySharding.SubAxis;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of Shardy's collectives: the axes they move lead from one sharding to the other.
 */
public final class ShardyMoves {
  private ShardyMoves() {}

  /**
   * Shardings of a collective; the operand's is that of a replicated value where it may be left
   * out.
   */
  private record Ends(SdySharding from, SdySharding to, DeviceMesh mesh) {}

  private interface EndsRule {
    void check(Operation operation, Ends ends);
  }

  /** Returns {@code rule} where both ends are known and of one rank. */
  private static Constraint.ModuleCheck of(boolean needsOperand, boolean oneMesh, EndsRule rule) {
    return ShardyRules.of(
        (operation, facts) -> {
          SdySharding from = facts.sharding(operation.operand(0));
          checkArgument(!needsOperand || from != null, "its operand has no sharding");
          SdySharding to = SdySharding.parse(text(operation, "out_sharding"));
          ShardyRules.check("result", to, operation.results().get(0).type(), operation, facts);
          DeviceMesh mesh = facts.mesh(to, operation);
          if (mesh == null) {
            return;
          }
          if (from == null) {
            from = replicated(to);
          }
          DeviceMesh own = facts.mesh(from, operation);
          checkArgument(
              !oneMesh || own == null || own.equals(mesh),
              "the operand lies on the mesh %s, the result on %s",
              own,
              mesh);
          checkArgument(
              from.rank() == to.rank(),
              "the sharding of the operand has %s dimensions, that of the result %s",
              from.rank(),
              to.rank());
          if (!oneMesh && own != null) {
            renamed(from, to, own, mesh);
          }
          rule.check(operation, new Ends(from, to, mesh));
        });
  }

  private static SdySharding replicated(SdySharding like) {
    ImmutableList.Builder<Cut> cuts = ImmutableList.builder();
    like.cuts().forEach(cut -> cuts.add(new Cut(ImmutableList.of(), true, -1)));
    return new SdySharding(
        like.mesh(),
        like.symbol(),
        cuts.build(),
        ImmutableList.of(),
        ImmutableList.of(),
        like.combine());
  }

  private static void renamed(SdySharding from, SdySharding to, DeviceMesh own, DeviceMesh mesh) {
    checkArgument(
        own.names().equals(mesh.names()) && own.sizes().equals(mesh.sizes()),
        "the operand lies on the axes %s, the result on %s",
        own,
        mesh);
    boolean isSame =
        from.symbol() == null ? from.mesh() == to.mesh() : from.symbol().equals(to.symbol());
    checkArgument(
        isSame || !own.devices().equals(mesh.devices()),
        "two meshes of the same devices in the same order are one");
  }

  private static String text(Operation operation, String name) {
    Attribute attribute = operation.attribute(name);
    checkArgument(attribute instanceof Attribute.Raw, "%s is missing", name);
    return ((Attribute.Raw) attribute).text();
  }

  private static ShardingText axesText(Operation operation, String name) {
    ShardingText in = new ShardingText(text(operation, name));
    if (in.eat("#sdy<") || in.eat("#sdy.")) {
      in.word();
      in.eat("<");
    }
    return in;
  }

  /** Reads {@code [{"x"}, {}]}: axes for each dimension. */
  private static ImmutableList<ImmutableList<SubAxis>> perDimension(
      Operation operation, String name, DeviceMesh mesh) {
    ShardingText in = axesText(operation, name);
    ImmutableList.Builder<ImmutableList<SubAxis>> out = ImmutableList.builder();
    AxisLists lists = new AxisLists(mesh);
    in.expect("[");
    if (!in.eat("]")) {
      do {
        ImmutableList<SubAxis> axes = SdySharding.axes(in);
        lists.add(axes);
        out.add(axes);
      } while (in.eat(","));
      in.expect("]");
    }
    return out.build();
  }

  private static ImmutableList<SubAxis> without(
      ImmutableList<SubAxis> axes, ImmutableList<SubAxis> ending, int d, DeviceMesh mesh) {
    @Nullable ImmutableList<SubAxis> left = AxisLists.without(axes, ending, mesh);
    checkArgument(
        left != null,
        "dimension %s of the operand is cut along %s, not at last %s",
        d,
        axes,
        ending);
    return left;
  }

  private static void same(ImmutableList<SubAxis> got, ImmutableList<SubAxis> expected, int d) {
    checkArgument(
        got.equals(expected),
        "dimension %s of the result is cut along %s, must be along %s",
        d,
        got,
        expected);
  }

  private static void checkCutAlike(Ends ends) {
    for (int d = 0; d < ends.to().rank(); d++) {
      same(ends.to().axes(d), ends.from().axes(d), d);
    }
  }

  private static void eachDimension(Operation operation, String name, Ends ends, boolean gathers) {
    ImmutableList<ImmutableList<SubAxis>> axes = perDimension(operation, name, ends.mesh());
    checkArgument(
        axes.size() == ends.to().rank(),
        "%s has %s dimensions, the sharding of the result %s",
        name,
        axes.size(),
        ends.to().rank());
    for (int d = 0; d < axes.size(); d++) {
      ImmutableList<SubAxis> before = ends.from().axes(d);
      same(
          ends.to().axes(d),
          gathers
              ? without(before, axes.get(d), d, ends.mesh())
              : AxisLists.joined(/* axes= */ before, /* more= */ axes.get(d), ends.mesh()),
          d);
    }
  }

  /** Returns the rule that the axes under {@code name} are the last of the operand's. */
  public static Constraint.ModuleCheck gathers(String name) {
    return of(true, true, (operation, ends) -> eachDimension(operation, name, ends, true));
  }

  /** Returns the rule that the axes under {@code name} come behind the operand's. */
  public static Constraint.ModuleCheck slices(String name) {
    return of(false, true, (operation, ends) -> eachDimension(operation, name, ends, false));
  }

  /** Returns the rule that what was cut along axes under {@code name} becomes summands. */
  public static Constraint.ModuleCheck unreduces(String name) {
    return of(
        true,
        true,
        (operation, ends) -> {
          eachDimension(operation, name, ends, true);
          ImmutableList.Builder<SubAxis> moved = ImmutableList.builder();
          perDimension(operation, name, ends.mesh()).forEach(moved::addAll);
          summands(ends, moved.build());
        });
  }

  private static void summands(Ends ends, ImmutableList<SubAxis> more) {
    ImmutableList<SubAxis> all =
        AxisLists.sorted(
            ImmutableList.<SubAxis>builder().addAll(ends.from().unreduced()).addAll(more).build(),
            ends.mesh());
    ImmutableList<SubAxis> expected = AxisLists.joined(ImmutableList.of(), all, ends.mesh());
    checkArgument(
        ends.to().unreduced().equals(expected),
        "the result is unreduced along %s, must be along %s",
        ends.to().unreduced(),
        expected);
  }

  /** Returns the rule that copies along axes under {@code name} become summands. */
  public static Constraint.ModuleCheck splitsCopies(String name) {
    return of(
        true,
        true,
        (operation, ends) -> {
          checkCutAlike(ends);
          ImmutableList<SubAxis> axes = SdySharding.axes(axesText(operation, name));
          checkArgument(!axes.isEmpty(), "it names no axes");
          new AxisLists(ends.mesh()).addSorted(name, axes);
          for (SubAxis axis : axes) {
            checkArgument(
                ends.from().cuts().stream().noneMatch(cut -> overlaps(cut.axes(), axis))
                    && !overlaps(ends.from().unreduced(), axis),
                "the operand is not the same along %s",
                axis);
          }
          summands(ends, axes);
        });
  }

  private static boolean overlaps(ImmutableList<SubAxis> axes, SubAxis axis) {
    return axes.stream().anyMatch(each -> AxisLists.overlap(each, axis));
  }

  /** Returns the rule that nothing is cut along the axes that are reduced. */
  public static Constraint.ModuleCheck reduces(String name) {
    return of(
        false,
        true,
        (operation, ends) -> {
          checkCutAlike(ends);
          ImmutableList<SubAxis> axes = SdySharding.axes(axesText(operation, name));
          AxisLists lists = new AxisLists(ends.mesh());
          lists.addSorted("reduction", axes);
          for (SubAxis axis : axes) {
            checkArgument(
                ends.from().cuts().stream().noneMatch(cut -> overlaps(cut.axes(), axis))
                    && !overlaps(ends.from().replicated(), axis),
                "the operand is cut or replicated along %s",
                axis);
            checkArgument(
                !overlaps(ends.to().unreduced(), axis), "the result is unreduced along %s", axis);
          }
        });
  }

  /** Returns the rule that dimensions keep the number of their parts. */
  public static Constraint.ModuleCheck permutes() {
    return of(
        true,
        false,
        (operation, ends) -> {
          for (int d = 0; d < ends.to().rank(); d++) {
            long before = count(ends.from().axes(d), ends.mesh());
            long after = count(ends.to().axes(d), ends.mesh());
            checkArgument(
                before == after,
                "dimension %s of the operand has %s parts, of the result %s",
                d,
                before,
                after);
          }
        });
  }

  private static long count(ImmutableList<SubAxis> axes, DeviceMesh mesh) {
    long out = 1;
    for (SubAxis axis : axes) {
      out *= axis.sizeIn(mesh);
    }
    return out;
  }

  /** Returns the rule that axes under {@code name} go from dimension to dimension. */
  public static Constraint.ModuleCheck exchanges(String name) {
    return of(true, true, (operation, ends) -> exchange(operation, name, ends));
  }

  private static void exchange(Operation operation, String name, Ends ends) {
    int rank = ((TensorType) operation.results().get(0).type()).rank();
    List<ImmutableList<SubAxis>> expected = new ArrayList<>();
    ends.from().cuts().forEach(cut -> expected.add(cut.axes()));
    boolean[] moved = new boolean[rank];
    AxisLists lists = new AxisLists(ends.mesh());
    ShardingText in = axesText(operation, name);
    in.expect("[");
    checkArgument(!in.eat("]"), "it moves nothing");
    int last = -1;
    do {
      ImmutableList<SubAxis> axes = SdySharding.axes(in);
      lists.add(axes);
      in.expect(":");
      int source = in.integer();
      in.expect("->");
      int target = in.integer();
      for (int d : new int[] {source, target}) {
        checkArgument(d < rank, "there is no dimension %s, the result has %s", d, rank);
        checkArgument(!moved[d], "dimension %s takes part twice", d);
        moved[d] = true;
      }
      checkArgument(last < source, "the source %s stands behind %s", source, last);
      last = source;
      expected.set(source, without(expected.get(source), axes, source, ends.mesh()));
      expected.set(target, AxisLists.joined(expected.get(target), axes, ends.mesh()));
    } while (in.eat(","));
    in.expect("]");
    for (int d = 0; d < rank; d++) {
      same(ends.to().axes(d), expected.get(d), d);
    }
  }
}
