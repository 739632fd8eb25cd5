package dev.lockstep.tools.job;

import dev.lockstep.tools.run.Results;
import org.jspecify.annotations.Nullable;

/**
 * What came of a job, or of one rank of it.
 *
 * @param exit the exit code so far
 * @param results what was computed; null when the ranks did not come to their ends
 */
public record JobResult(int exit, @Nullable Results results) {}
