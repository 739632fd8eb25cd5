package dev.lockstep.tools.job;

import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.tools.handshake.JoinFlags;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a job, or one rank of it, is told to run.
 *
 * @param ranks the programs of all ranks; null when {@code words} name this rank's
 * @param words this rank's programs
 * @param partitions the number of partitions where no program says
 * @param input the file that holds arguments, or null
 * @param seed the seed of random arguments, or null
 * @param report where this rank leaves its results for whoever has started it, or null
 */
public record JobRequest(
    Stage stage,
    JoinFlags flags,
    @Nullable String ranks,
    List<String> words,
    OptionalInt partitions,
    @Nullable Path input,
    @Nullable Long seed,
    boolean rendezvous,
    @Nullable Path report) {}
