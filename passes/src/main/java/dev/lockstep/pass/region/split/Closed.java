package dev.lockstep.pass.region.split;

import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.CollectiveSignature;
import dev.lockstep.pass.region.CollectiveSite;
import dev.lockstep.pass.region.CollectiveSites;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.Transfer;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/** Whether some ranks of a job talk to each other only. */
final class Closed {
  private final RankPrograms programs;
  private final Map<Module, Iterable<CollectiveSite>> sites = new IdentityHashMap<>();

  Closed(RankPrograms programs) {
    this.programs = programs;
  }

  /** Returns whether everybody that {@code ranks} meet, or send to, is among them. */
  boolean is(Set<Integer> ranks) {
    if (ranks.size() == programs.world()) {
      return true;
    }
    for (int rank : ranks) {
      for (Module module : programs.modules(rank)) {
        for (CollectiveSite site : sites.computeIfAbsent(module, CollectiveSites::of)) {
          if (!staysWithin(site, rank, ranks)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean staysWithin(CollectiveSite site, int rank, Set<Integer> ranks) {
    CollectiveSignature signature = site.signature(programs.grid(), rank);
    if (signature != null && !ranks.containsAll(signature.group().asList())) {
      return false;
    }
    for (Transfer transfer : site.transfers(programs.grid(), rank)) {
      if (!ranks.contains(transfer.peer())) {
        return false;
      }
    }
    return true;
  }
}
