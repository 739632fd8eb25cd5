package dev.lockstep.pass.cost;

/**
 * What one run of a program takes.
 *
 * @param seconds from start to end
 * @param computeSeconds for which it computes
 * @param communicationSeconds for which it communicates
 * @param launchSeconds for which programs are started
 * @param peakBytes the most memory in use at one time, arguments and results included
 * @param segments how many programs are compiled and started for it
 */
public record Estimate(
    double seconds,
    double computeSeconds,
    double communicationSeconds,
    double launchSeconds,
    long peakBytes,
    int segments) {
  /** Returns for how long communication holds computation up. */
  public double exposedSeconds() {
    return Math.max(0, seconds - computeSeconds - launchSeconds);
  }

  /** Returns what this run and then {@code next} take, with memory that is not kept between. */
  public Estimate then(Estimate next) {
    return new Estimate(
        seconds + next.seconds,
        computeSeconds + next.computeSeconds,
        communicationSeconds + next.communicationSeconds,
        launchSeconds + next.launchSeconds,
        Math.max(peakBytes, next.peakBytes),
        segments + next.segments);
  }
}
