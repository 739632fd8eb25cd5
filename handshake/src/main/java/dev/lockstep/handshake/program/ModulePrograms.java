package dev.lockstep.handshake.program;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.Fingerprint;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.CollectiveSignature;
import dev.lockstep.pass.region.CollectiveSite;
import dev.lockstep.pass.region.CollectiveSites;
import dev.lockstep.pass.region.Transfer;
import dev.lockstep.pass.region.fingerprint.ProgramFingerprints;
import dev.lockstep.pass.region.fingerprint.RegionFingerprint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Summaries of modules for the handshake.
 *
 * <p>A place where ranks meet counts once, however often a loop around it runs: counts only have to
 * be alike on ranks that run alike programs. A message counts as a collective of its two ranks; one
 * whose other side the program does not name is not counted.
 */
public final class ModulePrograms {
  private ModulePrograms() {}

  /** A meeting of the rank with others, in program order. */
  private record Call(RankList group, String text) {}

  /**
   * Describes a module as one rank holds it.
   *
   * @param grid the devices of the job; a rank is a device
   * @param name what people call the program
   * @throws dev.lockstep.hlo.diag.DiagnosticException if groups or peers make no sense on the grid
   */
  public static Program of(Module module, DeviceGrid grid, int rank, String name) {
    TreeSet<Integer> participants = new TreeSet<>();
    participants.add(rank);
    List<Call> calls = new ArrayList<>();
    for (CollectiveSite site : CollectiveSites.of(module)) {
      if (site.isTransfer()) {
        addTransfers(site, grid, rank, participants, calls);
      } else {
        addCollective(site, grid, rank, participants, calls);
      }
    }
    RankList all = RankList.of(toArray(participants));
    Map<RankList, Integer> groups = new LinkedHashMap<>();
    groups.put(all, 0);
    ImmutableIntArray.Builder callGroups = ImmutableIntArray.builder();
    ImmutableLongArray.Builder signatures = ImmutableLongArray.builder();
    ImmutableList.Builder<String> texts = ImmutableList.builder();
    for (Call call : calls) {
      groups.putIfAbsent(call.group(), groups.size());
      callGroups.add(groups.get(call.group()));
      signatures.add(Hashing.murmur3_128().hashUnencodedChars(call.text()).asLong());
      texts.add(call.text());
    }
    ProgramFingerprints prints = ProgramFingerprints.of(module, grid);
    ImmutableLongArray.Builder regions = ImmutableLongArray.builder();
    for (RegionFingerprint region : prints.regions()) {
      regions.add(fingerprint(region.fingerprint()).high());
    }
    return new Program(
        name,
        new ProgramSummary(
            fingerprint(prints.whole()),
            fingerprint(prints.structural()),
            regions.build(),
            callGroups.build(),
            signatures.build(),
            texts.build()),
        ImmutableList.copyOf(groups.keySet()));
  }

  private static void addCollective(
      CollectiveSite site, DeviceGrid grid, int rank, Set<Integer> participants, List<Call> calls) {
    CollectiveSignature own = site.signature(grid, rank);
    for (int other = 0; other < grid.size(); other++) {
      if (!participants.contains(other) && site.signature(grid, other) != null) {
        participants.add(other);
      }
    }
    if (own != null) {
      calls.add(new Call(RankList.of(own.members()), text(own)));
    }
  }

  private static void addTransfers(
      CollectiveSite site, DeviceGrid grid, int rank, Set<Integer> participants, List<Call> calls) {
    for (int other = 0; other < grid.size(); other++) {
      for (Transfer transfer : site.transfers(grid, other)) {
        participants.add(other);
        if (transfer.peer() == Transfer.ANYBODY) {
          continue;
        }
        participants.add(transfer.peer());
        if (other == rank && transfer.peer() != rank) {
          int low = Math.min(rank, transfer.peer());
          int high = Math.max(rank, transfer.peer());
          calls.add(new Call(RankList.of(low, high), "a message"));
        }
      }
    }
  }

  private static String text(CollectiveSignature signature) {
    StringBuilder text = new StringBuilder(signature.op());
    text.append(' ').append(signature.operands()).append(" -> ").append(signature.results());
    if (!signature.reduction().isEmpty()) {
      text.append(' ').append(signature.reduction());
    }
    if (!signature.pairs().isEmpty()) {
      text.append(" pairs ").append(signature.pairs());
    }
    if (!signature.attributes().isEmpty()) {
      text.append(' ').append(signature.attributes());
    }
    return text.append(" in ").append(signature.group()).toString();
  }

  /** The 32 digits after the algorithm's name, which is compared when a rank says hello. */
  private static Fingerprint fingerprint(
      dev.lockstep.pass.region.fingerprint.Fingerprint fingerprint) {
    String text = fingerprint.text();
    return Fingerprint.parse(text.substring(text.indexOf(':') + 1));
  }

  private static int[] toArray(Set<Integer> ranks) {
    return ranks.stream().mapToInt(Integer::intValue).toArray();
  }
}
