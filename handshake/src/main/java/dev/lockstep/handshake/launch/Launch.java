package dev.lockstep.handshake.launch;

import com.google.common.collect.ImmutableList;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the launcher of a job has told this process through its environment.
 *
 * <p>Known are torchrun ({@code RANK}, {@code WORLD_SIZE}, {@code MASTER_ADDR}, {@code
 * TORCHELASTIC_RESTART_COUNT}), Open MPI, MPICH and Intel MPI ({@code PMI_}), Slurm, and indexed
 * Kubernetes jobs ({@code JOB_COMPLETION_INDEX}), in this order: a launcher that runs inside
 * another knows better.
 *
 * @param launcher which launcher was recognised; empty for none
 * @param rank this process' rank
 * @param world how many ranks
 * @param host where the coordinator is to be looked for
 * @param epoch how often the job was restarted
 */
public record Launch(
    String launcher,
    OptionalInt rank,
    OptionalInt world,
    Optional<String> host,
    OptionalLong epoch) {

  /** The variables of one launcher; null where it has none. */
  private record Names(
      String launcher,
      String rank,
      @Nullable String world,
      @Nullable String host,
      @Nullable String epoch) {}

  private static final ImmutableList<Names> LAUNCHERS =
      ImmutableList.of(
          new Names("torchrun", "RANK", "WORLD_SIZE", "MASTER_ADDR", "TORCHELASTIC_RESTART_COUNT"),
          new Names("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", null, null),
          new Names("MPI", "PMI_RANK", "PMI_SIZE", null, null),
          new Names(
              "Slurm",
              "SLURM_PROCID",
              "SLURM_NTASKS",
              "SLURM_LAUNCH_NODE_IPADDR",
              "SLURM_RESTART_COUNT"),
          new Names("Kubernetes", "JOB_COMPLETION_INDEX", null, null, null));

  /**
   * Reads the environment.
   *
   * @throws IllegalArgumentException if a variable that should be a number is none, or the rank is
   *     none of the world's; the message names the variables
   */
  public static Launch of(Map<String, String> environment) {
    for (Names names : LAUNCHERS) {
      if (!environment.containsKey(names.rank())) {
        continue;
      }
      OptionalLong epoch = number(environment, names.epoch());
      String host = names.host() == null ? null : environment.get(names.host());
      if (host == null) {
        host = environment.get("MASTER_ADDR");
      }
      OptionalInt rank = toInt(number(environment, names.rank()));
      OptionalInt world = toInt(number(environment, names.world()));
      if (rank.isPresent() && world.isPresent() && rank.getAsInt() >= world.getAsInt()) {
        throw new IllegalArgumentException(
            "the environment says that "
                + names.rank()
                + " is "
                + rank.getAsInt()
                + ", which is none of "
                + names.world()
                + " = "
                + world.getAsInt()
                + " ranks");
      }
      return new Launch(names.launcher(), rank, world, Optional.ofNullable(host), epoch);
    }
    return new Launch(
        "",
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.ofNullable(environment.get("MASTER_ADDR")),
        OptionalLong.empty());
  }

  private static OptionalInt toInt(OptionalLong number) {
    return number.isPresent()
        ? OptionalInt.of(Math.toIntExact(number.getAsLong()))
        : OptionalInt.empty();
  }

  private static OptionalLong number(Map<String, String> environment, @Nullable String name) {
    String text = name == null ? null : environment.get(name);
    if (text == null) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(text.trim());
      if (number >= 0 && number <= Integer.MAX_VALUE) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException none) {
      // Told below, with the name of the variable.
    }
    throw new IllegalArgumentException(
        "the environment variable " + name + " is '" + text + "', must be a number from 0 on");
  }
}
