package dev.lockstep.handshake.coordinator;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.protocol.RankList;
import java.util.Collection;

/**
 * What a coordinator knows at one moment.
 *
 * @param epoch the present epoch, -1 before the first rank
 * @param connected how many ranks are connected
 * @param lost ranks that are lost to the epoch, those included that have left in peace
 * @param missing ranks that have never connected in the epoch
 * @param rounds open rounds, the one that ends first in front
 */
public record JobStatus(
    String job,
    int world,
    long epoch,
    int connected,
    ImmutableIntArray lost,
    ImmutableIntArray missing,
    ImmutableList<OpenRound> rounds) {

  /**
   * A round that waits.
   *
   * @param absent who has not asked
   * @param waitedMillis since the first participant asked
   * @param leftMillis until the deadline as it stands
   */
  public record OpenRound(
      long id,
      RankList participants,
      ImmutableIntArray absent,
      long waitedMillis,
      long leftMillis) {}

  static JobStatus of(
      CoordinatorOptions options, long epoch, RankState[] ranks, Collection<Round> open, long now) {
    int connected = 0;
    ImmutableIntArray.Builder lost = ImmutableIntArray.builder();
    ImmutableIntArray.Builder missing = ImmutableIntArray.builder();
    for (RankState rank : ranks) {
      if (!rank.known) {
        missing.add(rank.rank);
      } else if (rank.lost != null) {
        lost.add(rank.rank);
      } else if (rank.link != null) {
        connected++;
      }
    }
    ImmutableList.Builder<OpenRound> rounds = ImmutableList.builder();
    for (Round round : open) {
      rounds.add(
          new OpenRound(
              round.id,
              round.party.members,
              round.absent(),
              (now - round.openedAt) / 1_000_000,
              Math.max(0, round.deadline - now) / 1_000_000));
    }
    return new JobStatus(
        options.job(),
        options.world(),
        epoch,
        connected,
        lost.build(),
        missing.build(),
        rounds.build());
  }
}
