package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableList;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a rank waits for. */
sealed interface Wait {

  /** The rest of a group. */
  record ForMeeting(Meeting meeting) implements Wait {}

  /** Partners of messages. */
  record ForMessages(ImmutableList<Letter> letters) implements Wait {
    boolean isOver() {
      return letters.stream().allMatch(letter -> letter.partner != null);
    }
  }

  /**
   * How often a loop goes round.
   *
   * @param condition whether it goes round once more
   */
  record ForLoop(Steps.Enter enter, Sym condition) implements Wait {}

  /**
   * Which body is run.
   *
   * @param selector what chooses it
   */
  record ForBranch(Steps.Enter enter, Sym selector) implements Wait {}

  /** Returns the ranks that could end the wait, of {@code world}; none when nothing is missing. */
  default SortedSet<Integer> missing(int world) {
    TreeSet<Integer> out = new TreeSet<>();
    if (this instanceof ForMeeting) {
      out.addAll(((ForMeeting) this).meeting().absent());
    } else if (this instanceof ForMessages) {
      for (Letter letter : ((ForMessages) this).letters()) {
        if (letter.partner == null && letter.transfer.peer() >= 0) {
          out.add(letter.transfer.peer());
        } else if (letter.partner == null) {
          for (int rank = 0; rank < world; rank++) {
            out.add(rank);
          }
          out.remove(letter.transfer.rank());
        }
      }
    }
    return out;
  }
}
