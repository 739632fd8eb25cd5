package dev.lockstep.handshake.protocol;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;

/**
 * What the coordinator must know of a program to compare it: sent once a connection, then named by
 * its {@linkplain #whole fingerprint}.
 *
 * @param whole the program with everything in it that changes what a compiler makes of it
 * @param structural the same without literals
 * @param regions a hash of each piece of the program in order, those with collectives among them; a
 *     {@code PARTIAL} verdict names pieces by their place here
 * @param callGroups for each collective in program order, which of the request's groups it is on:
 *     the position in {@link Ask#uses()}
 * @param callSignatures for each collective in program order, a hash of its signature: kind, types,
 *     reduction, dimensions, groups. Members of a group must have equal ones at equal positions
 * @param callTexts the signatures in words, for messages; may be empty
 * @param positions how many positions the program takes on the list of its participants: places of
 *     its text where any of them meet, so that it is the same for all that hold the text. As many
 *     as the rank's own collectives, or more
 */
public record ProgramSummary(
    Fingerprint whole,
    Fingerprint structural,
    ImmutableLongArray regions,
    ImmutableIntArray callGroups,
    ImmutableLongArray callSignatures,
    ImmutableList<String> callTexts,
    int positions) {

  /** Describes a program all of whose collectives are this rank's own. */
  public ProgramSummary(
      Fingerprint whole,
      Fingerprint structural,
      ImmutableLongArray regions,
      ImmutableIntArray callGroups,
      ImmutableLongArray callSignatures,
      ImmutableList<String> callTexts) {
    this(whole, structural, regions, callGroups, callSignatures, callTexts, callGroups.length());
  }

  /** Checks that the parts fit together. */
  public ProgramSummary {
    if (callGroups.length() != callSignatures.length()) {
      throw new IllegalArgumentException(
          callGroups.length() + " groups for " + callSignatures.length() + " collectives");
    }
    for (int call = 0; call < callGroups.length(); call++) {
      if (callGroups.get(call) < 0 || callGroups.get(call) > callGroups.length()) {
        throw new IllegalArgumentException(
            "collective " + call + " is on group " + callGroups.get(call));
      }
    }
    if (!callTexts.isEmpty() && callTexts.size() != callGroups.length()) {
      throw new IllegalArgumentException(
          callTexts.size() + " texts for " + callGroups.length() + " collectives");
    }
    if (positions < callGroups.length()) {
      throw new IllegalArgumentException(
          callGroups.length() + " collectives at " + positions + " positions");
    }
  }

  /** Whether both are of one text, which one rank may take less part in than another. */
  public boolean sameText(ProgramSummary other) {
    return this == other || whole.equals(other.whole) && positions == other.positions;
  }

  /** Of the fingerprint alone, which takes no time: unequal programs hardly ever share one. */
  @Override
  public int hashCode() {
    return whole.hashCode();
  }

  /** How many collectives this rank takes part in. */
  public int calls() {
    return callGroups.length();
  }

  /** The {@code call}-th collective in words, or its hash where no words were sent. */
  public String callText(int call) {
    return callTexts.isEmpty()
        ? "signature " + Long.toHexString(callSignatures.get(call))
        : callTexts.get(call);
  }
}
