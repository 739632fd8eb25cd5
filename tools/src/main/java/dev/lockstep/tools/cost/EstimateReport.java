package dev.lockstep.tools.cost;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.pass.cost.Constant;
import dev.lockstep.pass.cost.DeviceConstant;
import dev.lockstep.pass.cost.DeviceModel;
import dev.lockstep.pass.cost.Estimate;
import dev.lockstep.pass.cost.Estimates;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a rank's programs take fat, skinny and as planned, for people and as JSON. */
public final class EstimateReport {
  private static final String ROW = "%-10s %10s %10s %12s %10s %11s %9s%n";
  private static final double GIB = 1L << 30;

  private final DeviceModel device;
  private final DeviceGrid grid;
  private final Estimates estimates;
  private final @Nullable Estimate planned;
  private final ImmutableList<String> notes;

  private EstimateReport(
      DeviceModel device,
      DeviceGrid grid,
      Estimates estimates,
      @Nullable Estimate planned,
      ImmutableList<String> notes) {
    this.device = device;
    this.grid = grid;
    this.estimates = estimates;
    this.planned = planned;
    this.notes = notes;
  }

  /**
   * Estimates the programs that one rank runs one after the other.
   *
   * @param programs without torch.distributed calls
   * @param plan how the rank's programs were split; null to leave it out
   * @throws DiagnosticException when a program cannot be estimated
   */
  public static EstimateReport of(
      List<Module> programs, @Nullable ExecutionPlan plan, DeviceGrid grid, DeviceModel device) {
    Estimates total = null;
    for (Module program : programs) {
      Estimates one = Estimates.of(program, grid, device);
      total = total == null ? one : total.then(one);
    }
    if (total == null) {
      throw new IllegalArgumentException("there is no program");
    }
    List<String> notes = new ArrayList<>();
    if (total.unpricedCalls() > 0) {
      notes.add(total.unpricedCalls() + " custom calls are priced by their bytes only");
    }
    if (total.unknownLoops() > 0) {
      notes.add(total.unknownLoops() + " loops are taken to run once: nothing says how often");
    }
    Estimate planned = null;
    if (plan != null) {
      try {
        planned = PlanEstimate.of(plan, grid, device);
      } catch (DiagnosticException e) {
        notes.add(
            "the plan itself is not estimated: calls in its segments are known only together with"
                + " the other ranks' programs");
      }
    }
    return new EstimateReport(device, grid, total, planned, ImmutableList.copyOf(notes));
  }

  /** Returns lines for people. */
  public String table() {
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "%d x %s (%d replicas, %d partitions)%n",
            grid.size(),
            device.name(),
            grid.replicas(),
            grid.partitions()));
    out.append(
        String.format(
            Locale.ROOT,
            ROW,
            "",
            "time",
            "computes",
            "communicates",
            "exposed",
            "peak memory",
            "segments"));
    row(out, "fat", estimates.fat());
    row(out, "skinny", estimates.skinny());
    if (planned != null) {
      row(out, "this plan", planned);
    }
    Estimate fat = estimates.fat();
    Estimate skinny = estimates.skinny();
    double slower = skinny.seconds() - fat.seconds();
    long more = estimates.fat().peakBytes() - estimates.skinny().peakBytes();
    out.append(
        String.format(
            Locale.ROOT,
            "divergence costs %s a run if all is skinny (%.1f %% of the fat run): %s of communication"
                + " that no longer overlaps, %s to start %d more segments%n",
            time(slower),
            100 * slower / fat.seconds(),
            time(skinny.exposedSeconds() - fat.exposedSeconds()),
            time(skinny.launchSeconds() - fat.launchSeconds()),
            skinny.segments() - fat.segments()));
    out.append(
        String.format(
            Locale.ROOT,
            "agreement costs %s of memory (fat takes %.1f times as much as skinny)%n",
            gib(more),
            (double) estimates.fat().peakBytes() / estimates.skinny().peakBytes()));
    double capacity = device.get(DeviceConstant.MEMORY_CAPACITY);
    if (estimates.fat().peakBytes() > capacity) {
      out.append("fat does not fit into ").append(gib((long) capacity)).append('\n');
    }
    notes.forEach(note -> out.append("note: ").append(note).append('\n'));
    out.append("constants:\n");
    for (DeviceConstant constant : DeviceConstant.values()) {
      Constant given = given(constant);
      out.append(
          String.format(
              Locale.ROOT,
              "  %-18s %9.4g %-7s %s%n",
              constant.key(),
              given.value(),
              given.unit(),
              given.source()));
    }
    return out.toString();
  }

  private Constant given(DeviceConstant constant) {
    return requireNonNull(device.constants().get(constant));
  }

  private static void row(StringBuilder out, String name, Estimate estimate) {
    out.append(
        String.format(
            Locale.ROOT,
            ROW,
            name,
            time(estimate.seconds()),
            time(estimate.computeSeconds()),
            time(estimate.communicationSeconds()),
            time(estimate.exposedSeconds()),
            gib(estimate.peakBytes()),
            estimate.segments()));
  }

  private static String time(double seconds) {
    double size = Math.abs(seconds);
    if (size >= 1) {
      return String.format(Locale.ROOT, "%.3f s", seconds);
    }
    return size >= 1e-3
        ? String.format(Locale.ROOT, "%.3f ms", seconds * 1e3)
        : String.format(Locale.ROOT, "%.2f us", seconds * 1e6);
  }

  private static String gib(long bytes) {
    double size = Math.abs(bytes);
    if (size >= GIB / 10) {
      return String.format(Locale.ROOT, "%.2f GiB", bytes / GIB);
    }
    return size >= 1 << 20
        ? String.format(Locale.ROOT, "%.2f MiB", bytes / (double) (1 << 20))
        : String.format(Locale.ROOT, "%.2f KiB", bytes / 1024.0);
  }

  /** Returns all of it for JSON: maps, lists, numbers and words. */
  public ImmutableMap<String, Object> json() {
    ImmutableMap.Builder<String, Object> out = ImmutableMap.builder();
    out.put("device", device.name());
    out.put("replicas", grid.replicas());
    out.put("partitions", grid.partitions());
    out.put("fat", json(estimates.fat()));
    out.put("skinny", json(estimates.skinny()));
    if (planned != null) {
      out.put("plan", json(planned));
    }
    out.put("divergence_costs_seconds", estimates.skinny().seconds() - estimates.fat().seconds());
    out.put("agreement_costs_bytes", estimates.fat().peakBytes() - estimates.skinny().peakBytes());
    out.put("notes", notes);
    Map<String, Object> constants = new LinkedHashMap<>();
    for (DeviceConstant constant : DeviceConstant.values()) {
      Constant given = given(constant);
      constants.put(
          constant.key(),
          ImmutableMap.of("value", given.value(), "unit", given.unit(), "source", given.source()));
    }
    out.put("constants", constants);
    return out.buildOrThrow();
  }

  private static ImmutableMap<String, Object> json(Estimate estimate) {
    return ImmutableMap.of(
        "seconds", estimate.seconds(),
        "compute_seconds", estimate.computeSeconds(),
        "communication_seconds", estimate.communicationSeconds(),
        "exposed_seconds", estimate.exposedSeconds(),
        "peak_bytes", estimate.peakBytes(),
        "segments", estimate.segments());
  }
}
