package dev.lockstep.runtime.interp;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.runtime.transport.Dispatcher;
import dev.lockstep.runtime.transport.TransportException;

/**
 * Runs the programs of one rank of a job whose other ranks are other processes.
 *
 * <p>Collectives meet by their order in each set of ranks, in whatever program they stand: what
 * {@link GridInterpreter} does for a set of programs in one process, to the bit. Ranks may cut the
 * same collectives into different programs.
 *
 * <p>Of a program over arrays that devices share ({@link Program#isOverSharedArrays}) each rank is
 * given, and gives, the parts of its device. The ranks bring these together, and each computes the
 * whole: how a partitioner would communicate is not written in the program. All must run the same.
 */
public final class RankInterpreter {
  /** The code of diagnostics that say that another rank is at fault. */
  public static final String PEER_LOST = "peer-lost";

  private final DeviceGrid grid;
  private final int rank;
  private final InterpreterOptions options;
  private final HostSide host;
  private final Far far;

  /**
   * Creates an interpreter.
   *
   * @param grid the devices of the job; a rank is a device
   * @param dispatcher how the others are spoken to
   */
  public RankInterpreter(DeviceGrid grid, Dispatcher dispatcher, InterpreterOptions options) {
    this.grid = grid;
    this.rank = dispatcher.rank();
    this.options = options;
    this.host = new HostSide(options);
    this.far = new Far(grid, dispatcher, options.rendezvous());
    checkArgument(rank < grid.size(), "rank %s of %s", rank, grid.size());
  }

  /**
   * Runs the next program.
   *
   * @param program one text, or one for each device
   * @param arguments what the entry function of this rank's device takes
   * @return what it gives
   * @throws DiagnosticException if the program cannot be run, or the other ranks do not come; of
   *     those that are lost with the code {@link #PEER_LOST}
   */
  public ImmutableList<Datum> run(Program program, ImmutableList<Datum> arguments) {
    checkArgument(
        program.isOneText() || program.size() == grid.size(),
        "%s programs for %s devices",
        program.size(),
        grid.size());
    if (program.shardings() != null) {
      ImmutableList<ImmutableList<Datum>> all =
          far.gather(arguments, program.entry(rank).operation().location());
      return GridInterpreter.run(program, grid, all, options, host).get(rank);
    }
    try {
      return new Machine(program, grid, options, host, far).runOne(rank, arguments);
    } catch (TransportException e) {
      throw DiagnosticException.error(PEER_LOST, String.valueOf(e.getMessage()), Location.UNKNOWN);
    }
  }

  /**
   * Waits until what the programs have sent is received.
   *
   * @throws DiagnosticException if it will not be, or another rank is lost
   */
  public void finish() {
    far.finish();
  }
}
