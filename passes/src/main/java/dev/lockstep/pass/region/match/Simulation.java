package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.CollectiveSignature;
import dev.lockstep.pass.region.Transfer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Steps strands from meeting to meeting until all have ended or none can move. What is met is
 * decided by the strands' own orders alone, so that the order in which they are stepped here does
 * not matter.
 */
final class Simulation {
  /** Collectives that give all members the same. */
  private static final ImmutableSet<String> EQUAL_RESULTS =
      ImmutableSet.of(
          "stablehlo.all_reduce",
          "stablehlo.all_gather",
          "stablehlo.collective_broadcast",
          "_c10d_functional.all_reduce",
          "_c10d_functional.all_reduce_coalesced",
          "_c10d_functional.all_gather_into_tensor",
          "_c10d_functional.all_gather_into_tensor_coalesced",
          "_c10d_functional.broadcast",
          "c10d.all_gather");

  /** A rank that came to a collective none of whose groups it is in. */
  record Outsider(Strand strand, Steps.Come step) {}

  private final StepsOfJob job;
  private final ImmutableList<Strand> strands;
  private final Room room;
  private final Post post = new Post();
  private @Nullable Outsider outsider;
  private final ArrayDeque<Strand> ready = new ArrayDeque<>();

  Simulation(StepsOfJob job, List<Strand> strands) {
    this.job = job;
    this.strands = ImmutableList.copyOf(strands);
    this.room = new Room(job.isOneText(), job::number);
    this.ready.addAll(strands);
  }

  ImmutableList<Strand> strands() {
    return strands;
  }

  StepsOfJob job() {
    return job;
  }

  Room room() {
    return room;
  }

  Post post() {
    return post;
  }

  /** Returns the first rank that came to a collective which gives it nothing, or null. */
  @Nullable Outsider outsider() {
    return outsider;
  }

  /** Runs all strands to their ends; returns why that is not possible, or null. */
  @Nullable Failure run() {
    Decisions decisions = new Decisions(this);
    do {
      while (!ready.isEmpty() && !job.isTooLong()) {
        run(ready.remove());
      }
      if (outsider != null || room.unlike() != null || post.unlike() != null || job.isTooLong()) {
        break;
      }
    } while (decisions.take());
    return new Explanation(this, decisions).failure();
  }

  /** Lets {@code strand} go on, which no longer waits. */
  void release(Strand strand) {
    strand.waiting = null;
    ready.add(strand);
  }

  private void run(Strand strand) {
    while (strand.waiting == null && !job.isTooLong()) {
      Frame frame = strand.top;
      if (frame == null) {
        if (!strand.nextProgram(job)) {
          return;
        }
      } else if (frame.position == frame.steps.size()) {
        leave(strand, frame);
      } else {
        step(strand, frame, frame.steps.get(frame.position));
      }
    }
  }

  private void step(Strand strand, Frame frame, Steps.Step step) {
    if (step instanceof Steps.Come) {
      come(strand, frame, (Steps.Come) step);
    } else if (step instanceof Steps.Await) {
      await(strand, frame, frame.started.remove(((Steps.Await) step).start()));
    } else {
      Steps.Enter enter = (Steps.Enter) step;
      ImmutableList<Sym> operands =
          enter.kind() == Steps.Enter.Kind.BRANCH
              ? ImmutableList.of()
              : strand.evaluator().values(frame, enter.operation().operands());
      switch (enter.kind()) {
        case CALL -> push(strand, frame, enter, 0, operands);
        case LOOP -> {
          frame.loop = new Frame.Loop(operands);
          nextRound(strand, frame, enter);
        }
        case BRANCH -> branch(strand, frame, enter);
      }
    }
  }

  private void come(Strand strand, Frame frame, Steps.Come step) {
    Wait wait;
    if (step.site().isTransfer()) {
      wait = exchange(strand, frame, step);
    } else {
      CollectiveSignature signature = step.site().signature(job.grid(), strand.rank());
      if (signature == null) {
        wait = null;
        if (!step.site().givesOutsiders() && outsider == null) {
          outsider = new Outsider(strand, step);
        }
        remember(strand, frame, step, false, 0);
      } else {
        Meeting meeting = room.come(strand, step, signature);
        remember(strand, frame, step, EQUAL_RESULTS.contains(signature.op()), meeting.id);
        wait = new Wait.ForMeeting(meeting);
        if (meeting.isComplete()) {
          wait = null;
          for (Meeting.Arrival arrival : meeting.arrivals) {
            if (arrival.strand() != strand) {
              wake(arrival.strand());
            }
          }
        }
      }
    }
    if (wait != null && step.starts() && !job.options().startsBlock()) {
      frame.started.put(step.operation(), wait);
      wait = null;
    }
    await(strand, frame, wait);
  }

  /** Posts the messages of a site; returns what must still come before the strand goes on. */
  private @Nullable Wait exchange(Strand strand, Frame frame, Steps.Come step) {
    remember(strand, frame, step, false, 0);
    ImmutableList.Builder<Letter> awaited = ImmutableList.builder();
    for (Transfer transfer : step.site().transfers(job.grid(), strand.rank())) {
      Letter letter = new Letter(transfer, strand, step);
      Letter partner = post.post(letter);
      if (partner != null && partner.strand != strand) {
        wake(partner.strand);
      }
      if (!transfer.isSend() || job.options().rendezvous()) {
        awaited.add(letter);
      }
    }
    Wait.ForMessages wait = new Wait.ForMessages(awaited.build());
    return wait.isOver() ? null : wait;
  }

  private static void await(Strand strand, Frame frame, @Nullable Wait wait) {
    if (wait == null || isOver(wait)) {
      frame.position++;
    } else {
      strand.waiting = wait;
    }
  }

  private static boolean isOver(Wait wait) {
    return wait instanceof Wait.ForMeeting && ((Wait.ForMeeting) wait).meeting().isComplete()
        || wait instanceof Wait.ForMessages && ((Wait.ForMessages) wait).isOver();
  }

  private void wake(Strand strand) {
    Wait wait = strand.waiting;
    if (wait != null && isOver(wait)) {
      requireNonNull(strand.top).position++;
      release(strand);
    }
  }

  /** Notes what is known of the results of a site. */
  private void remember(Strand strand, Frame frame, Steps.Come step, boolean equal, long meeting) {
    Operation done = step.site().done();
    Operation giver = done == null ? step.operation() : done;
    Origin origin = new Origin("the result of " + step.site().name(), giver.location());
    int[] next = {0};
    IntFunction<Sym> leaf =
        i -> equal ? Sym.shared("meeting", meeting, next[0]++) : strand.evaluator().own(origin);
    ImmutableList.Builder<Sym> results = ImmutableList.builder();
    for (Value result : giver.results()) {
      results.add(build(result.type(), leaf));
    }
    ImmutableList<Sym> built = results.build();
    boolean packed = done != null && built.size() != 1;
    frame.outcomes.put(step.operation(), packed ? ImmutableList.of(Sym.tuple(built)) : built);
  }

  /** Returns a value of {@code type} whose parts {@code leaf} gives. */
  static Sym build(Type type, IntFunction<Sym> leaf) {
    if (!(type instanceof TupleType)) {
      return leaf.apply(0);
    }
    ImmutableList.Builder<Sym> out = ImmutableList.builder();
    for (Type element : ((TupleType) type).elements()) {
      out.add(build(element, leaf));
    }
    return Sym.tuple(out.build());
  }

  private void push(
      Strand strand, Frame frame, Steps.Enter enter, int body, ImmutableList<Sym> arguments) {
    job.enter();
    strand.top = Evaluator.enter(frame, enter.operation(), enter.bodies().get(body), arguments);
  }

  private void leave(Strand strand, Frame frame) {
    Frame caller = frame.caller;
    if (caller == null || frame == strand.bottom) {
      strand.top = null;
      return;
    }
    strand.top = caller;
    Steps.Enter enter = (Steps.Enter) caller.steps.get(caller.position);
    ImmutableList<Sym> returned = strand.evaluator().values(frame, frame.block.returned());
    if (enter.kind() == Steps.Enter.Kind.LOOP) {
      requireNonNull(caller.loop).carried = returned;
      nextRound(strand, caller, enter);
    } else {
      finish(strand, caller, Evaluator.outcomes(enter.operation(), returned));
    }
  }

  /** Goes on after the operation that {@code frame} stands at, with these results. */
  void finish(Strand strand, Frame frame, ImmutableList<Sym> results) {
    Steps.Step step = frame.steps.get(frame.position);
    frame.outcomes.put(step.operation(), results);
    frame.loop = null;
    frame.position++;
    if (strand.waiting != null) {
      release(strand);
    }
  }

  private void nextRound(Strand strand, Frame frame, Steps.Enter enter) {
    Frame.Loop loop = requireNonNull(frame.loop);
    Sym condition = condition(strand, frame, enter, loop.carried);
    if (loop.unlike != null && condition.known() != null) {
      round(strand, frame, enter, condition);
    } else {
      strand.waiting = new Wait.ForLoop(enter, condition);
    }
  }

  /** Goes round once more, or ends the loop; whether is known. */
  void round(Strand strand, Frame frame, Steps.Enter enter, Sym condition) {
    ImmutableList<Sym> carried = requireNonNull(frame.loop).carried;
    if (Evaluator.chosen(condition, 2) == 0) {
      push(strand, frame, enter, 1, carried);
    } else {
      finish(strand, frame, carried);
    }
  }

  /** Returns what a loop's condition is for {@code carried}; nobody's when it communicates. */
  static Sym condition(Strand strand, Frame frame, Steps.Enter enter, ImmutableList<Sym> carried) {
    Block block = enter.bodies().get(0);
    if (frame.module.communicators().communicates(block)) {
      return strand
          .evaluator()
          .own(new Origin("a condition that communicates", enter.operation().location()));
    }
    Frame inner = Evaluator.enter(frame, enter.operation(), block, carried);
    ImmutableList<Value> returned = block.returned();
    return strand.evaluator().value(inner, returned.get(0));
  }

  private void branch(Strand strand, Frame frame, Steps.Enter enter) {
    if (enter.operation().operands().isEmpty()) {
      strand.waiting =
          new Wait.ForBranch(
              enter,
              strand
                  .evaluator()
                  .own(new Origin("what is not known here", enter.operation().location())));
      return;
    }
    Sym selector = strand.evaluator().value(frame, enter.operation().operand(0));
    int body = Evaluator.chosen(selector, enter.bodies().size());
    if (body < 0) {
      body = job.assumed(selector, enter.bodies().size());
    }
    if (body < 0) {
      strand.waiting = new Wait.ForBranch(enter, selector);
    } else {
      take(strand, frame, enter, body);
    }
  }

  /** Runs body {@code body} of a branch. */
  void take(Strand strand, Frame frame, Steps.Enter enter, int body) {
    push(strand, frame, enter, body, branchArguments(strand, frame, enter, body));
  }

  /** Returns what body {@code body} of a branch is given. */
  static ImmutableList<Sym> branchArguments(
      Strand strand, Frame frame, Steps.Enter enter, int body) {
    ImmutableList<Value> operands = enter.operation().operands();
    return operands.size() <= 1
        ? ImmutableList.of()
        : ImmutableList.of(strand.evaluator().value(frame, operands.get(1 + body)));
  }
}
