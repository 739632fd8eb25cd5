package dev.lockstep.pass.region.match;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.pass.region.Transfer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Messages on their way, first in first out for each group, source, target and tag. */
final class Post {
  private record Box(ImmutableIntArray group, int source, int target, long tag) {
    static Box of(Transfer transfer) {
      return new Box(transfer.group(), transfer.source(), transfer.target(), transfer.tag());
    }
  }

  private final Map<Box, ArrayDeque<Letter>> sends = new LinkedHashMap<>();
  private final Map<Box, ArrayDeque<Letter>> receives = new LinkedHashMap<>();
  private final Set<Box> used = new HashSet<>();
  private int count;
  private @Nullable Letter unlike;

  /** Posts one side of a message; returns the other side when it is there. */
  @Nullable Letter post(Letter letter) {
    Transfer transfer = letter.transfer;
    Box box = Box.of(transfer);
    used.add(box);
    ArrayDeque<Letter> waiting = (transfer.isSend() ? receives : sends).get(box);
    Letter partner = waiting == null ? null : waiting.poll();
    if (partner == null) {
      (transfer.isSend() ? sends : receives)
          .computeIfAbsent(box, unused -> new ArrayDeque<>())
          .add(letter);
      return null;
    }
    count++;
    letter.partner = partner;
    partner.partner = letter;
    if (unlike == null && !partner.transfer.types().equals(transfer.types())) {
      unlike = letter;
    }
    return partner;
  }

  /** Returns how many messages have found both sides. */
  int count() {
    return count;
  }

  /** Returns a letter whose two sides carry different types, or null. */
  @Nullable Letter unlike() {
    return unlike;
  }

  /** Returns the sends that nobody has received, in order of posting within each box. */
  List<Letter> unreceived() {
    List<Letter> out = new ArrayList<>();
    sends.values().forEach(out::addAll);
    return out;
  }

  /** Returns whether a box that {@code inner} has used holds a message here. */
  boolean isBusyFor(Post inner) {
    for (Box box : inner.used) {
      if (holds(sends, box) || holds(receives, box)) {
        return true;
      }
    }
    return false;
  }

  private static boolean holds(Map<Box, ArrayDeque<Letter>> letters, Box box) {
    ArrayDeque<Letter> waiting = letters.get(box);
    return waiting != null && !waiting.isEmpty();
  }
}
