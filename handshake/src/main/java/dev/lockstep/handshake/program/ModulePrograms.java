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
import dev.lockstep.hlo.shard.Shardings;
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
 * be alike on ranks that run alike programs. Messages bring ranks together too, but are not
 * counted: a rank in the middle of a pipeline has more of them than one at its end. A program that
 * has nothing but messages takes one position.
 *
 * <p>Where devices share arrays, the partitioner puts the collectives in: such a program is one
 * meeting of all devices, and matches only itself.
 */
public final class ModulePrograms {
  private static final String PARTITIONED = "a program over arrays that devices share, ";

  private ModulePrograms() {}

  /**
   * A meeting of the rank with others, in program order.
   *
   * @param group whom it meets
   * @param signature what all that hold the program, or one like it, have in common
   * @param text for people
   */
  private record Call(RankList group, String signature, String text) {}

  /** What a module means to one rank. */
  private static final class Meetings {
    final TreeSet<Integer> participants = new TreeSet<>();
    final List<Call> calls = new ArrayList<>();
    int positions;

    /** Whether the rank itself meets anybody. */
    boolean takesPart;
  }

  /**
   * Describes a module as one rank holds it.
   *
   * @param grid the devices of the job; a rank is a device
   * @param name what people call the program
   * @throws dev.lockstep.hlo.diag.DiagnosticException if groups or peers make no sense on the grid
   */
  public static Program of(Module module, DeviceGrid grid, int rank, String name) {
    ProgramFingerprints prints = ProgramFingerprints.of(module, grid);
    Meetings met =
        Shardings.of(module).isGlobal()
            ? ofShared(grid, prints.whole().text())
            : of(module, grid, rank);
    if (!met.takesPart) {
      // Others that hold the same text need not wait for a rank that they never meet.
      met.participants.clear();
      met.participants.add(rank);
      met.positions = 0;
    }
    RankList all = RankList.of(toArray(met.participants));
    Map<RankList, Integer> groups = new LinkedHashMap<>();
    groups.put(all, 0);
    ImmutableIntArray.Builder callGroups = ImmutableIntArray.builder();
    ImmutableLongArray.Builder signatures = ImmutableLongArray.builder();
    ImmutableList.Builder<String> texts = ImmutableList.builder();
    for (Call call : met.calls) {
      groups.putIfAbsent(call.group(), groups.size());
      callGroups.add(groups.get(call.group()));
      signatures.add(Hashing.murmur3_128().hashUnencodedChars(call.signature()).asLong());
      texts.add(call.text());
    }
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
            texts.build(),
            met.positions),
        ImmutableList.copyOf(groups.keySet()));
  }

  private static Meetings ofShared(DeviceGrid grid, String whole) {
    Meetings met = new Meetings();
    addAll(grid, met);
    String text = PARTITIONED + whole;
    met.calls.add(new Call(RankList.of(toArray(met.participants)), text, text));
    met.positions = 1;
    return met;
  }

  private static void addAll(DeviceGrid grid, Meetings met) {
    for (int device = 0; device < grid.size(); device++) {
      met.participants.add(device);
    }
    met.takesPart = true;
  }

  private static Meetings of(Module module, DeviceGrid grid, int rank) {
    Meetings met = new Meetings();
    boolean messages = false;
    for (CollectiveSite site : CollectiveSites.of(module)) {
      if (site.isTransfer()) {
        messages |= addTransfers(site, grid, rank, met);
      } else {
        met.positions++;
        site.groups(grid).forEach(group -> group.forEach(met.participants::add));
        CollectiveSignature own = site.signature(grid, rank);
        if (own != null) {
          met.takesPart = true;
          met.calls.add(call(own, site.groups(grid)));
        }
      }
    }
    met.positions = messages ? Math.max(1, met.positions) : met.positions;
    return met;
  }

  /** Adds those who exchange messages at a site; returns whether there are any. */
  private static boolean addTransfers(
      CollectiveSite site, DeviceGrid grid, int rank, Meetings met) {
    boolean any = false;
    for (int other = 0; other < grid.size(); other++) {
      for (Transfer transfer : site.transfers(grid, other)) {
        if (!any && transfer.group().isEmpty()) {
          // XLA launches a program on all devices, and another rank's text may name other pairs.
          addAll(grid, met);
        }
        any = true;
        met.participants.add(other);
        met.takesPart |= other == rank || transfer.peer() == rank;
        if (transfer.peer() != Transfer.ANYBODY) {
          met.participants.add(transfer.peer());
        }
      }
    }
    return any;
  }

  private static Call call(CollectiveSignature own, List<ImmutableIntArray> groups) {
    return new Call(
        RankList.of(own.members()),
        text(own, true) + " in " + groups,
        text(own, false) + " in " + own.group());
  }

  /**
   * Returns a signature as text.
   *
   * @param relative whether ranks are named by their places in the group, so that equal rows of a
   *     mesh say the same
   */
  private static String text(CollectiveSignature signature, boolean relative) {
    StringBuilder text = new StringBuilder(signature.op());
    text.append(' ').append(signature.operands()).append(" -> ").append(signature.results());
    if (!signature.reduction().isEmpty()) {
      text.append(' ').append(signature.reduction());
    }
    if (!signature.pairs().isEmpty()) {
      text.append(" pairs ");
      for (ImmutableIntArray pair : signature.pairs()) {
        text.append(relative ? places(pair, signature.group()) : pair);
      }
    }
    if (!signature.attributes().isEmpty()) {
      text.append(' ');
      signature
          .attributes()
          .forEach(
              (name, value) ->
                  text.append(name)
                      .append('=')
                      .append(relative ? place(value, signature.group()) : value)
                      .append(' '));
    }
    return text.toString().stripTrailing();
  }

  private static ImmutableIntArray places(ImmutableIntArray ranks, ImmutableIntArray group) {
    ImmutableIntArray.Builder places = ImmutableIntArray.builder();
    ranks.forEach(rank -> places.add(group.indexOf(rank)));
    return places.build();
  }

  /** Returns an attribute that names a rank, as roots do, with its place in the group. */
  private static String place(String value, ImmutableIntArray group) {
    String prefix = "rank ";
    if (!value.startsWith(prefix) || !value.substring(prefix.length()).matches("[0-9]{1,9}")) {
      return value;
    }
    return "place " + group.indexOf(Integer.parseInt(value.substring(prefix.length())));
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
