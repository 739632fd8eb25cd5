package dev.lockstep.tools.program;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.RankSet;
import dev.lockstep.tools.input.ResultNames;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The programs of all ranks of a job, read and verified. Every verb with {@code --ranks} reads them
 * here.
 *
 * <p>Most sets hold few different texts: equal contents are read and verified once, and the ranks
 * that have them share one {@link Module} object, whose locations name the file of the first such
 * rank. Whoever works on a set can therefore work once on each different module.
 */
public final class ProgramSet {
  /**
   * A program of one rank.
   *
   * @param file where it was read from, this rank's own file
   * @param name what to call it in a folder of results; no two programs of a set share one
   * @param module the program
   */
  public record Entry(InputFile file, String name, Module module) {}

  private final ImmutableList<ImmutableList<Entry>> ranks;

  private ProgramSet(ImmutableList<ImmutableList<Entry>> ranks) {
    this.ranks = ranks;
  }

  /**
   * Reads the set that {@code word} names: a pattern, a folder or a .json file.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException when files are missing or wrong
   */
  public static ProgramSet read(Session session, String word) {
    return read(session, RankSet.of(word));
  }

  /**
   * Reads {@code set}; warnings are printed.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException when a file cannot be read or verified
   */
  public static ProgramSet read(Session session, RankSet set) {
    ImmutableMap<InputFile, String> names = ResultNames.of(set);
    if (set.ranks().size() == 1 && set.ranks().get(0).size() == 1) {
      InputFile log = set.ranks().get(0).get(0);
      ProgramSet ranks = ofLog(session, log, requireNonNull(names.get(log)));
      if (ranks.size() > 1) {
        return ranks;
      }
    }
    session.fx().expectRanks(set.ranks().size());
    Map<ByteBuffer, ImmutableList<Module>> byContent = new HashMap<>();
    ImmutableList.Builder<ImmutableList<Entry>> ranks = ImmutableList.builder();
    for (ImmutableList<InputFile> files : set.ranks()) {
      ImmutableList.Builder<Entry> programs = ImmutableList.builder();
      for (InputFile file : files) {
        Source source = file.read(session);
        ByteBuffer content = ByteBuffer.wrap(source.bytes());
        ImmutableList<Module> modules = byContent.get(content);
        if (modules == null) {
          modules = Programs.readAllVerified(session, source);
          if (modules.stream().allMatch(module -> module.operations().isEmpty())) {
            throw DiagnosticException.error(
                RankSet.UNCLEAR,
                file.name() + " holds no program: a rank's file is empty or cut off",
                Location.UNKNOWN);
          }
          byContent.put(content, modules);
        } else {
          // Another file holds the same for a reproducer.
          session.forget(file.name());
        }
        for (int i = 0; i < modules.size(); i++) {
          String name = requireNonNull(names.get(file));
          programs.add(
              new Entry(file, modules.size() == 1 ? name : name + ".graph" + i, modules.get(i)));
        }
      }
      ranks.add(programs.build());
    }
    return new ProgramSet(ranks.build());
  }

  /** Reads a log that several ranks wrote; of no rank where it is none. */
  private static ProgramSet ofLog(Session session, InputFile log, String name) {
    ImmutableList.Builder<ImmutableList<Entry>> ranks = ImmutableList.builder();
    int rank = 0;
    for (ImmutableList<Module> modules : Programs.readRanksVerified(session, log.read(session))) {
      ImmutableList.Builder<Entry> programs = ImmutableList.builder();
      for (int i = 0; i < modules.size(); i++) {
        programs.add(new Entry(log, name + ".rank" + rank + ".graph" + i, modules.get(i)));
      }
      ranks.add(programs.build());
      rank++;
    }
    return new ProgramSet(ranks.build());
  }

  /** Returns for each rank from 0 on its programs in the order it runs them, at least one each. */
  public ImmutableList<ImmutableList<Entry>> ranks() {
    return ranks;
  }

  /** Returns the programs alone, in the arrangement of {@link #ranks}. */
  public ImmutableList<ImmutableList<Module>> modules() {
    ImmutableList.Builder<ImmutableList<Module>> out = ImmutableList.builder();
    for (ImmutableList<Entry> programs : ranks) {
      out.add(programs.stream().map(Entry::module).collect(ImmutableList.toImmutableList()));
    }
    return out.build();
  }

  /**
   * Refuses the one program of several devices: as a set it would be a job of one rank, in which
   * its groups mean nothing.
   */
  public void checkWorld() {
    for (Entry entry : ranks.size() == 1 ? ranks.get(0) : ImmutableList.<Entry>of()) {
      long devices =
          (long) entry.module().replicas().orElse(1) * entry.module().partitions().orElse(1);
      if (devices > 1) {
        throw new UsageException(
            "--ranks names one program, so the job has one rank, but "
                + entry.file().name()
                + " says that "
                + devices
                + " devices run it; name one program a rank, or give it without --ranks");
      }
    }
  }

  /** Returns how many ranks there are. */
  public int size() {
    return ranks.size();
  }

  /** Returns the most programs that a rank has. */
  public int longest() {
    return ranks.stream().mapToInt(ImmutableList::size).max().orElse(0);
  }
}
