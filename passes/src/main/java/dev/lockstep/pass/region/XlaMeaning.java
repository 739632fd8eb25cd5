package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.collective.AllGather;
import dev.lockstep.hlo.op.collective.AllGatherStart;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.AllReduceStart;
import dev.lockstep.hlo.op.collective.CollectiveBroadcast;
import dev.lockstep.hlo.op.collective.CollectivePermute;
import dev.lockstep.hlo.op.collective.CollectivePermuteStart;
import dev.lockstep.hlo.op.collective.CollectiveReduce;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.Type;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What one of XLA's collectives means to each rank. */
final class XlaMeaning extends SiteMeaning {
  private static final ImmutableMap<OpDef, OpDef> STARTS =
      ImmutableMap.of(
          AllGatherStart.DEF, AllGather.DEF,
          AllReduceStart.DEF, AllReduce.DEF,
          CollectivePermuteStart.DEF, CollectivePermute.DEF);

  private final Module module;
  private final Operation collective;
  private final OpDef def;
  private final ImmutableList<Type> results;
  private @Nullable ImmutableMap<String, String> attributes;
  private @Nullable String reduction;

  /**
   * Creates the meaning.
   *
   * @param collective the collective, maybe a start form
   * @param done what gives the results of a start form, or null
   */
  XlaMeaning(Module module, Operation collective, @Nullable Operation done) {
    this.module = module;
    this.collective = collective;
    this.def = STARTS.getOrDefault(collective.def(), collective.def());
    Operation last = done != null && def != collective.def() ? done : collective;
    this.results = plain(last.resultTypes());
  }

  @Override
  String name() {
    return collective.def().nameIn(module.syntax());
  }

  @Override
  boolean givesOutsiders() {
    return collective.is(CollectiveBroadcast.DEF) || collective.is(CollectiveReduce.DEF);
  }

  @Override
  ProcessGroups groups(DeviceGrid grid) {
    MemberOrder order =
        module.syntax() == Syntax.HLO ? MemberOrder.REPLICA_MAJOR : MemberOrder.PARTITION_MAJOR;
    try {
      return ((Semantics.Collective) collective.def().semantics()).groups(collective, grid, order);
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "collective-groups",
          String.format(
              "the groups of %s mean nothing on %d replicas of %d partitions: %s",
              name(), grid.replicas(), grid.partitions(), e.getMessage()),
          collective.location());
    }
  }

  @Override
  CollectiveSignature signature(ImmutableIntArray group, int index) {
    return new CollectiveSignature(
        def.name(),
        group,
        plain(collective.operandTypes()),
        results,
        reduction(),
        pairs(group),
        attributes(),
        ImmutableMap.of(),
        Collectives.channel(collective));
  }

  private String reduction() {
    String known = reduction;
    if (known == null) {
      ImmutableList<Block> bodies = Bodies.of(collective, module);
      if (bodies.isEmpty()) {
        known = "";
      } else {
        ReductionKind kind = ReductionKind.of(bodies.get(0));
        known = kind == null ? ReducerText.of(bodies.get(0)) : kind.name().toLowerCase(Locale.ROOT);
      }
      reduction = known;
    }
    return known;
  }

  /** Returns the pairs as ranks: their ids are places in the group, which holds all ids. */
  private ImmutableList<ImmutableIntArray> pairs(ImmutableIntArray group) {
    if (!collective.def().attributes().contains(Collectives.PAIRS)) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<ImmutableIntArray> out = ImmutableList.builder();
    for (ImmutableLongArray pair : Collectives.pairs(collective)) {
      ImmutableIntArray.Builder ranks = ImmutableIntArray.builder(2);
      for (int i = 0; i < pair.length(); i++) {
        long id = pair.get(i);
        if (id < 0 || id >= group.length()) {
          throw DiagnosticException.error(
              "collective-groups",
              name() + ": pair id " + id + " is out of range, have " + group.length(),
              collective.location());
        }
        ranks.add(group.get((int) id));
      }
      out.add(ranks.build());
    }
    return ImmutableList.sortedCopyOf(
        (a, b) -> a.equals(b) ? 0 : a.toString().compareTo(b.toString()), out.build());
  }

  private ImmutableMap<String, String> attributes() {
    ImmutableMap<String, String> known = attributes;
    if (known == null) {
      ImmutableMap.Builder<String, String> out = ImmutableMap.builder();
      for (AttrKey<?> key : collective.def().attributes()) {
        if (key == Collectives.CHANNEL
            || key == Collectives.GROUPS
            || key == Collectives.PAIRS
            || key == Collectives.USE_GLOBAL_DEVICE_IDS) {
          continue;
        }
        Object value = key.find(collective);
        boolean isDefault = value instanceof Boolean && !((Boolean) value);
        if (value != null && !isDefault) {
          out.put(key.mlirName().isEmpty() ? key.hloName() : key.mlirName(), value.toString());
        }
      }
      known = out.buildOrThrow();
      attributes = known;
    }
    return known;
  }
}
