package dev.lockstep.handshake.client;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rank's half of the protocol, as a pure state machine: it counts collectives, numbers
 * requests, keeps what was not answered and the last that was, and tells all of it again on a new
 * connection, so that neither a broken connection nor a new coordinator loses or doubles anything.
 *
 * <p>Not safe for threads; reads no clock.
 */
public final class RankClient {
  /** Answered requests that are repeated on a new connection. */
  private static final int WINDOW = 64;

  private final ClientOptions options;
  private final ClientOutput output;
  private final CollectiveCounts counts = new CollectiveCounts();
  private final List<RankList> groups = new ArrayList<>();
  private final Map<RankList, Integer> groupNumbers = new HashMap<>();
  private final List<Program> programs = new ArrayList<>();
  private final Map<Program, Integer> programNumbers = new HashMap<>();
  private final Map<Program, Verdict> agreed = new HashMap<>();
  private final ArrayDeque<Sent> window = new ArrayDeque<>();
  private long nextSequence;
  private long connections;
  private boolean connected;
  private boolean ended;
  private boolean connecting;
  private long connectAt;
  private long heardAt;
  private long aliveAt;
  private long progress;
  private String doing = "";

  /** A request, and its verdict once it is known. */
  private static final class Sent {
    final Ask ask;
    final Program program;
    @Nullable Verdict verdict;

    Sent(Ask ask, Program program) {
      this.ask = ask;
      this.program = program;
    }

    boolean waits() {
      return ask.mode() == Ask.Mode.ASK && verdict == null;
    }
  }

  /** Starts a client without a connection; the first {@link #tick} asks for one. */
  public RankClient(ClientOptions options, ClientOutput output, long now) {
    this.options = options;
    this.output = output;
    this.heardAt = now;
    this.connectAt = now;
  }

  /**
   * The rank is about to run a program.
   *
   * <p>At {@code DISPATCH}, and for a program that is new or was not agreed to run, this asks: the
   * verdict comes to {@link ClientOutput#verdict}, at once when nothing need be asked. At {@code
   * COMPILE}, a program that was agreed on before is only told of.
   *
   * @return the number of the request
   */
  public long run(Program program, long now) {
    if (options.stage() == Stage.OFF || program.summary().calls() == 0) {
      long sequence = -1;
      output.verdict(sequence, locally(program));
      return sequence;
    }
    Verdict before = options.stage() == Stage.COMPILE ? agreed.get(program) : null;
    return before == null ? send(Ask.Mode.ASK, program, null, now) : note(program, before, now);
  }

  /**
   * The rank issues collectives that are not part of an agreed program, eagerly: they are counted,
   * and nothing is asked.
   */
  public void eager(Program calls, long now) {
    if (options.stage() != Stage.OFF && calls.summary().calls() > 0) {
      Verdict skinny =
          Verdict.of(VerdictKind.SKINNY, Reason.EAGER, 0, "issued outside of a program");
      send(Ask.Mode.NOTE, calls, skinny, now);
    }
  }

  private long note(Program program, Verdict before, long now) {
    long sequence = send(Ask.Mode.NOTE, program, before, now);
    output.verdict(sequence, before);
    return sequence;
  }

  private Verdict locally(Program program) {
    return program.summary().calls() == 0
        ? Verdict.of(VerdictKind.FAT, Reason.SAME_PROGRAM, 0, "the program holds no collective")
        : Verdict.of(
            VerdictKind.SKINNY, Reason.PROGRAMS_DIFFER, 0, "the stage is OFF: nothing is compared");
  }

  private long send(Ask.Mode mode, Program program, @Nullable Verdict settled, long now) {
    int number = number(program);
    ImmutableList.Builder<GroupUse> uses = ImmutableList.builder();
    for (int i = 0; i < program.groups().size(); i++) {
      RankList group = program.groups().get(i);
      int calls = program.calls(i);
      if (calls > 0) {
        uses.add(new GroupUse(number(group), counts.advance(group, calls), calls));
      }
    }
    Ask ask = new Ask(nextSequence++, mode, number, uses.build(), settled);
    window.addLast(new Sent(ask, program));
    while (window.size() > WINDOW && !window.getFirst().waits()) {
      window.removeFirst();
    }
    if (ended) {
      giveUp(now);
    } else if (connected) {
      output.ask(ask);
    }
    return ask.sequence();
  }

  private int number(RankList group) {
    Integer known = groupNumbers.get(group);
    if (known != null) {
      return known;
    }
    int number = groups.size();
    groups.add(group);
    groupNumbers.put(group, number);
    if (connected) {
      output.defineGroup(number, group);
    }
    return number;
  }

  private int number(Program program) {
    Integer known = programNumbers.get(program);
    if (known != null) {
      return known;
    }
    int number = programs.size();
    programs.add(program);
    programNumbers.put(program, number);
    if (connected) {
      output.defineProgram(number, program.summary(), program.name());
    }
    return number;
  }

  /** A connection stands: says who speaks and repeats what a coordinator may not know. */
  public void connected(long now) {
    if (ended) {
      return;
    }
    connected = true;
    connecting = false;
    heardAt = now;
    aliveAt = now;
    long first = window.isEmpty() ? nextSequence : window.getFirst().ask.sequence();
    output.hello(
        new Hello(
            options.job(),
            options.token(),
            options.epoch(),
            options.rank(),
            options.world(),
            options.incarnation(),
            options.stage(),
            options.versions(),
            first,
            ++connections));
    for (int i = 0; i < groups.size(); i++) {
      output.defineGroup(i, groups.get(i));
    }
    for (int i = 0; i < programs.size(); i++) {
      output.defineProgram(i, programs.get(i).summary(), programs.get(i).name());
    }
    for (Sent sent : window) {
      output.ask(
          sent.ask.mode() == Ask.Mode.ASK && sent.verdict != null
              ? new Ask(
                  sent.ask.sequence(),
                  Ask.Mode.REPEAT,
                  sent.ask.program(),
                  sent.ask.uses(),
                  sent.verdict)
              : sent.ask);
    }
  }

  /** The connection is gone, or could not be made. */
  public void disconnected(long now) {
    if (connected || connecting) {
      connectAt = now + options.retry().toNanos();
    }
    connected = false;
    connecting = false;
  }

  /** The coordinator has let the rank in, or has given a sign of life. */
  public void heard(long now) {
    heardAt = now;
  }

  /** The coordinator has answered a request; an answer that is known already is dropped. */
  public void answered(long sequence, Verdict verdict, long now) {
    heardAt = now;
    for (Sent sent : window) {
      if (sent.ask.sequence() == sequence) {
        if (sent.waits()) {
          settle(sent, verdict);
        }
        return;
      }
    }
  }

  private void settle(Sent sent, Verdict verdict) {
    sent.verdict = verdict;
    if (verdict.kind().runs()) {
      agreed.put(sent.program, verdict);
    }
    output.verdict(sent.ask.sequence(), verdict);
  }

  /** The coordinator has told something that was not asked. */
  public void noticed(Verdict verdict, long now) {
    heardAt = now;
    output.notice(verdict);
  }

  /** The coordinator will not hear this rank. */
  public void refused(Refusal refusal, long now) {
    if (refusal.code() == Refusal.Code.STILL_CONNECTED) {
      output.disconnect();
      disconnected(now);
      return;
    }
    ended = true;
    connected = false;
    output.refused(refusal);
    VerdictKind kind =
        refusal.code() == Refusal.Code.STALE_EPOCH ? VerdictKind.EPOCH_OVER : VerdictKind.REJECTED;
    Reason reason = kind == VerdictKind.EPOCH_OVER ? Reason.RESTARTED : Reason.MALFORMED;
    settleAll(Verdict.of(kind, reason, 0, refusal.code() + ": " + refusal.text()));
  }

  /** The rank gets on with what it does before it asks: rounds that wait for it wait longer. */
  public void progress(String what, long now) {
    progress++;
    doing = what;
    if (connected) {
      aliveAt = now;
      output.alive(progress, doing);
    }
  }

  /** The rank is done with the job. */
  public void leave() {
    if (connected) {
      output.leave();
    }
    ended = true;
    connected = false;
  }

  /**
   * Time has passed.
   *
   * @return when the next call is due if nothing happens before
   */
  public long tick(long now) {
    if (ended) {
      return Long.MAX_VALUE;
    }
    if (heardAt + options.patience().toNanos() <= now) {
      giveUp(now);
      heardAt = now;
    }
    if (connected && aliveAt + options.heartbeat().toNanos() <= now) {
      aliveAt = now;
      output.alive(progress, doing);
    }
    if (!connected && !connecting && connectAt <= now) {
      connecting = true;
      output.connect();
    }
    long next = heardAt + options.patience().toNanos();
    if (connected) {
      next = Math.min(next, aliveAt + options.heartbeat().toNanos());
    } else if (!connecting) {
      next = Math.min(next, connectAt);
    }
    return next;
  }

  private void giveUp(long now) {
    settleAll(
        Verdict.of(
            VerdictKind.NO_COORDINATOR,
            Reason.UNREACHABLE,
            0,
            ended
                ? "the coordinator does not hear this rank any more"
                : "the coordinator was not heard for " + (now - heardAt) / 1_000_000 + " ms"));
  }

  private void settleAll(Verdict verdict) {
    for (Sent sent : ImmutableList.copyOf(window)) {
      if (sent.waits()) {
        settle(sent, verdict);
      }
    }
  }

  /** Whether nothing is sent any more, because the rank has left or was refused. */
  public boolean ended() {
    return ended;
  }

  /** How many requests wait for a verdict. */
  public int waiting() {
    int waiting = 0;
    for (Sent sent : window) {
      waiting += sent.waits() ? 1 : 0;
    }
    return waiting;
  }
}
