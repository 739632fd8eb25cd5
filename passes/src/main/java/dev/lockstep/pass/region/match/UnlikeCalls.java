package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.CollectiveSignature;
import dev.lockstep.pass.region.RankWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says how the calls differ that come together in one meeting, and what becomes of them.
 *
 * <p>Libraries pair calls by their order in a group and do not compare them. Calls of one kind that
 * move as many bytes go through and compute garbage; others wait for data that nobody sends.
 */
final class UnlikeCalls {
  private UnlikeCalls() {}

  /** Returns the failure of {@code meeting}, in which not all calls are alike. */
  static Failure failure(Meeting meeting, boolean oneText) {
    Counts.Clash clash = Counts.clash(meeting);
    List<List<Meeting.Arrival>> classes = classes(meeting, oneText);
    if (classes.size() == 1 && clash != null) {
      return counts(meeting, clash);
    }
    List<Meeting.Arrival> many = classes.get(0);
    List<Meeting.Arrival> few = classes.get(1);
    CollectiveSignature left = few.get(0).signature();
    CollectiveSignature right = many.get(0).signature();
    CollectiveSignature.Difference difference = left.difference(right);
    boolean garbage = difference != null && goesThrough(difference, left, right);
    String head =
        String.format(
            "collective number %d of the group %s differs: ",
            meeting.number + 1, RankWords.group(meeting.members.asList()));
    String how = describe(few, many, difference);
    Diagnostic diagnostic =
        Diagnostic.error(garbage ? "ranks-unlike" : Explanation.STALL, head + how, place(few))
            .withNote(RankWords.of(ranks(many)) + at(many) + name(many), place(many));
    for (List<Meeting.Arrival> other : classes.subList(2, classes.size())) {
      diagnostic =
          diagnostic.withNote(RankWords.of(ranks(other)) + at(other) + name(other), place(other));
    }
    ImmutableList<Integer> cycle =
        ImmutableList.of(many.get(0).strand().rank(), few.get(0).strand().rank());
    diagnostic =
        diagnostic.withNote(
            garbage
                ? "nobody stalls, since both move as many bytes: the ranks go on with garbage"
                : "the ranks stall, each in its own call: " + Explanation.circle(cycle),
            Location.UNKNOWN);
    return new Failure(
        garbage ? Failure.Kind.GARBAGE : Failure.Kind.STALL,
        diagnostic,
        garbage ? ImmutableList.of() : cycle);
  }

  /** Returns the failure of two sides of a message that carry different types. */
  static Failure failure(Letter letter) {
    Letter partner = requireNonNull(letter.partner);
    Letter send = letter.transfer.isSend() ? letter : partner;
    Letter receive = letter.transfer.isSend() ? partner : letter;
    boolean garbage = bytes(send.transfer.types()) == bytes(receive.transfer.types());
    Diagnostic diagnostic =
        Diagnostic.error(
                garbage ? "ranks-unlike" : Explanation.STALL,
                String.format(
                    "rank %d receives %s, but rank %d sends %s",
                    receive.transfer.rank(),
                    receive.transfer.types(),
                    send.transfer.rank(),
                    send.transfer.types()),
                Explanation.place(receive.strand, receive.step.operation()))
            .withNote("it is sent here", Explanation.place(send.strand, send.step.operation()));
    return new Failure(
        garbage ? Failure.Kind.GARBAGE : Failure.Kind.STALL, diagnostic, ImmutableList.of());
  }

  private static Failure counts(Meeting meeting, Counts.Clash clash) {
    Diagnostic diagnostic =
        Diagnostic.error(
                Explanation.STALL,
                String.format(
                    "collective number %d of the group %s: rank %d sends %d rows to rank %d, which"
                        + " expects %d",
                    meeting.number + 1,
                    RankWords.group(meeting.members.asList()),
                    clash.sender().strand().rank(),
                    clash.sent(),
                    clash.receiver().strand().rank(),
                    clash.expected()),
                place(List.of(clash.sender())))
            .withNote(
                "rank " + clash.receiver().strand().rank() + " is here",
                place(List.of(clash.receiver())));
    return new Failure(Failure.Kind.STALL, diagnostic, ImmutableList.of());
  }

  /** Returns the arrivals by what can meet, the largest class first, else by lowest rank. */
  private static List<List<Meeting.Arrival>> classes(Meeting meeting, boolean oneText) {
    List<List<Meeting.Arrival>> classes = new ArrayList<>();
    for (Meeting.Arrival arrival : meeting.arrivals) {
      List<Meeting.Arrival> found = null;
      for (List<Meeting.Arrival> each : classes) {
        Meeting.Arrival first = each.get(0);
        boolean sameText = !oneText || first.step().operation() == arrival.step().operation();
        if (sameText
            && (first.signature() == arrival.signature()
                || first.signature().difference(arrival.signature()) == null)) {
          found = each;
          break;
        }
      }
      if (found == null) {
        found = new ArrayList<>();
        classes.add(found);
      }
      found.add(arrival);
    }
    classes.forEach(each -> each.sort(Comparator.comparingInt(UnlikeCalls::rank)));
    classes.sort(
        Comparator.<List<Meeting.Arrival>>comparingInt(each -> -each.size())
            .thenComparingInt(each -> rank(each.get(0))));
    return classes;
  }

  private static int rank(Meeting.Arrival arrival) {
    return arrival.strand().rank();
  }

  private static List<Integer> ranks(List<Meeting.Arrival> arrivals) {
    return arrivals.stream().map(UnlikeCalls::rank).toList();
  }

  private static String name(List<Meeting.Arrival> arrivals) {
    return arrivals.get(0).step().site().name();
  }

  private static String at(List<Meeting.Arrival> arrivals) {
    return arrivals.size() == 1 ? " is at this " : " are at this ";
  }

  private static Location place(List<Meeting.Arrival> arrivals) {
    Meeting.Arrival first = arrivals.get(0);
    return Explanation.place(first.strand(), first.step().operation());
  }

  private static String describe(
      List<Meeting.Arrival> few,
      List<Meeting.Arrival> many,
      CollectiveSignature.@Nullable Difference difference) {
    if (difference == null) {
      return String.format(
          "%s and %s are at different operations of one text",
          RankWords.of(ranks(few)), RankWords.of(ranks(many)));
    }
    boolean op = difference.kind() == CollectiveSignature.Kind.OP;
    boolean plural =
        difference.what().endsWith("s") && difference.kind() != CollectiveSignature.Kind.ATTRIBUTE;
    return String.format(
        "%s%s on %s, %s on %s",
        op ? "" : difference.what() + (plural ? " are " : " is "),
        op ? name(few) : difference.left(),
        RankWords.of(ranks(few)),
        op ? name(many) : difference.right(),
        RankWords.of(ranks(many)));
  }

  private static boolean goesThrough(
      CollectiveSignature.Difference difference,
      CollectiveSignature left,
      CollectiveSignature right) {
    return switch (difference.kind()) {
      case OP, PAIRS -> false;
      case GROUP, REDUCTION, ATTRIBUTE -> true;
      case SHAPE, TYPE ->
          bytes(left.operands()) == bytes(right.operands())
              && bytes(left.results()) == bytes(right.results());
    };
  }

  private static long bytes(List<Type> types) {
    long out = 0;
    for (Type type : types) {
      if (type instanceof TensorType && ((TensorType) type).isStatic()) {
        out += ((TensorType) type).count() * ((TensorType) type).element().bytes();
      }
    }
    return out;
  }
}
