package dev.lockstep.runtime.interp;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.shard.Shardings;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What a grid runs: one text for all devices, or a text for each. Immutable. */
public final class Program {
  /**
   * Where a device starts.
   *
   * @param module the text
   * @param function a function of {@code module} that has a body
   */
  record Start(Module module, Function function) {}

  private final ImmutableList<Start> starts;
  private final ImmutableList<Track> tracks;
  private final @Nullable Shardings shardings;

  private Program(
      ImmutableList<Start> starts, ImmutableList<Track> tracks, @Nullable Shardings shardings) {
    this.starts = starts;
    this.tracks = tracks;
    this.shardings = shardings;
  }

  /**
   * Returns a program of one text; every device starts at its entry function. Where the text is
   * over arrays that devices share ({@link Shardings#isGlobal}), arguments and results are still
   * each device's: the parts that the shardings give it.
   *
   * @throws DiagnosticException if the module has no entry function
   */
  public static Program of(Module module) {
    Shardings shardings = Shardings.of(module);
    return new Program(
        ImmutableList.of(new Start(module, module.requireEntry())),
        ImmutableList.of(),
        shardings.isGlobal() ? shardings : null);
  }

  /**
   * Returns a set of programs: device {@code d} runs {@code modules.get(d)}. Modules may be the
   * same object; collectives meet by their order in each process group, whatever the texts.
   *
   * @throws DiagnosticException if a module has no entry function
   */
  public static Program ofRanks(List<Module> modules) {
    checkArgument(!modules.isEmpty(), "a set of programs holds at least one");
    ImmutableList.Builder<Start> out = ImmutableList.builder();
    for (Module module : modules) {
      out.add(new Start(module, module.requireEntry()));
    }
    return new Program(out.build(), ImmutableList.of(), null);
  }

  /**
   * Returns a set of tracks: device {@code d} runs the stages of {@code tracks.get(d)} one after
   * the other. Collectives meet as in {@link #ofRanks}, in whatever stage they stand; when all
   * tracks are one object, as in one text.
   *
   * <p>Arguments and results of such a program are tensors, those of the tracks.
   */
  public static Program ofTracks(List<Track> tracks) {
    checkArgument(!tracks.isEmpty(), "a set of programs holds at least one");
    boolean same = tracks.stream().allMatch(track -> track == tracks.get(0));
    return new Program(
        ImmutableList.of(),
        same ? ImmutableList.of(tracks.get(0)) : ImmutableList.copyOf(tracks),
        null);
  }

  /** Returns a set of programs that start at functions of one module, one a device. */
  static Program ofFunctions(Module module, List<Function> functions) {
    ImmutableList.Builder<Start> out = ImmutableList.builder();
    for (Function function : functions) {
      out.add(new Start(module, function));
    }
    return new Program(out.build(), ImmutableList.of(), null);
  }

  /** Returns whether all devices run one text from one function. */
  public boolean isOneText() {
    return size() == 1;
  }

  /** Returns the number of programs: 1 for one text, else the number of devices. */
  public int size() {
    return starts.size() + tracks.size();
  }

  /** Returns the text that {@code device} runs; fails on tracks. */
  public Module module(int device) {
    return start(device).module();
  }

  /** Returns the function that {@code device} starts at; fails on tracks. */
  public Function entry(int device) {
    return start(device).function();
  }

  /** Returns the track of {@code device}; null when it runs one program. */
  @Nullable Track track(int device) {
    return tracks.isEmpty() ? null : tracks.get(tracks.size() == 1 ? 0 : device);
  }

  /** Returns whether arguments and results are parts of arrays that devices share. */
  public boolean isOverSharedArrays() {
    return shardings != null;
  }

  /** Returns the shardings of a program over global arrays, null for all others. */
  @Nullable Shardings shardings() {
    return shardings;
  }

  /**
   * Returns how many partitions the shardings of a program over global arrays speak of, if they do.
   */
  public OptionalInt shardedPartitions() {
    int size = shardings == null ? 0 : shardings.devices(entry(0));
    return size == 0 ? OptionalInt.empty() : OptionalInt.of(size);
  }

  private Start start(int device) {
    return isOneText() ? starts.get(0) : starts.get(device);
  }
}
