package dev.lockstep.pass.cost;

import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.BuiltinOps;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a program takes on a device when it is compiled as a whole, so that communication overlaps
 * with computation, and when it is cut around every collective, so that it does not.
 *
 * <p>The model is stated, not fitted to a compiler: see {@link OpWork} and {@link Costs} for
 * operations, {@link CollectiveTime} for collectives, {@link Timeline} for what overlaps and for
 * memory. It is for comparing plans of one program; the times themselves are rough.
 *
 * @param fat as a whole
 * @param skinny cut around every collective
 * @param unpricedCalls custom calls that were priced by their bytes only
 * @param unknownLoops loops that were taken to run once
 */
public record Estimates(Estimate fat, Estimate skinny, int unpricedCalls, int unknownLoops) {
  private static final Pattern DONATED = Pattern.compile("\\((\\d+),\\s*\\{");

  /** Returns what this program and then that of {@code next} take. */
  public Estimates then(Estimates next) {
    return new Estimates(
        fat.then(next.fat),
        skinny.then(next.skinny),
        unpricedCalls + next.unpricedCalls,
        unknownLoops + next.unknownLoops);
  }

  /**
   * Returns the estimates of {@code module} on {@code grid} of {@code device}s.
   *
   * @throws DiagnosticException if it has no entry, or groups that make no sense on the grid
   */
  public static Estimates of(Module module, DeviceGrid grid, DeviceModel device) {
    Function entry = module.requireEntry();
    MemberOrder order =
        module.syntax() == Syntax.HLO ? MemberOrder.REPLICA_MAJOR : MemberOrder.PARTITION_MAJOR;
    ImmutableSet<Integer> given = donated(module, entry);
    Costs costs = new Costs(device, new CollectiveTime(device, grid, order));
    try {
      CostGraph whole = CostGraph.of(entry.body(), module, costs, false, given);
      int unpriced = costs.unknown();
      int loops = costs.unknownLoops();
      Estimate fat = new Timeline(whole, device, true).run();
      CostGraph cut = CostGraph.of(entry.body(), module, costs, true, given);
      return new Estimates(fat, new Timeline(cut, device, true).run(), unpriced, loops);
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "collective-groups",
          String.format(
              "the collectives make no sense on %d replicas of %d partitions: %s",
              grid.replicas(), grid.partitions(), e.getMessage()),
          entry.operation().location());
    }
  }

  /** Returns the parameters whose memory the program may take over. */
  private static ImmutableSet<Integer> donated(Module module, Function entry) {
    ImmutableSet.Builder<Integer> out = ImmutableSet.builder();
    for (String header : new String[] {"input_output_alias", "buffer_donor"}) {
      if (module.attributes().get(header) instanceof Attribute.Raw raw) {
        Matcher matcher = DONATED.matcher(raw.text());
        while (matcher.find()) {
          out.add(Integer.parseInt(matcher.group(1)));
        }
      }
    }
    if (entry.operation().attribute(BuiltinOps.ARG_ATTRS) instanceof Attribute.Array list) {
      for (int i = 0; i < list.elements().size(); i++) {
        if (list.elements().get(i) instanceof Attribute.Dict dict
            && (dict.entries().has("tf.aliasing_output")
                || dict.entries().has("jax.buffer_donor"))) {
          out.add(i);
        }
      }
    }
    return out.build();
  }
}
