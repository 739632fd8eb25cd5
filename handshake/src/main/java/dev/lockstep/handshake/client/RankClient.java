package dev.lockstep.handshake.client;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.SentRequests.KnownProgram;
import dev.lockstep.handshake.client.SentRequests.Request;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
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
  /** Requests that are repeated on a new connection though the coordinator has heard them. */
  private static final int REPEATED = 64;

  /** Requests that a coordinator lets wait for answers (docs/wire.md, limits). */
  private static final int MOST_UNANSWERED = 64;

  private final ClientOptions options;
  private final ClientOutput output;
  private final CollectiveCounts counts = new CollectiveCounts();
  private final List<RankList> groups = new ArrayList<>();
  private final Map<RankList, Integer> groupNumbers = new HashMap<>();
  private final List<Program> programs = new ArrayList<>();
  private final Map<Program, KnownProgram> known = new HashMap<>();
  private final SentRequests requests = new SentRequests();

  /** Requests below are known to have come to the coordinator. */
  private long acknowledged;

  /** Requests from here on were not sent on this connection. */
  private long unsent;

  /** Requests that were sent on this connection and wait for their answers. */
  private int unanswered;

  private long connections;
  private String trouble = "";
  private boolean connected;
  private boolean ended;
  private boolean connecting;
  private long connectAt;
  private long heardAt;
  private long aliveAt;
  private long progress;
  private String doing = "";

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
    if (options.stage() == Stage.OFF || program.summary().positions() == 0) {
      long sequence = -1;
      output.verdict(sequence, KnownProgram.locally(program));
      return sequence;
    }
    KnownProgram mine = known(program);
    Verdict before = options.stage() == Stage.COMPILE ? mine.agreed : null;
    return before == null ? send(Ask.Mode.ASK, mine, null, now) : note(mine, before, now);
  }

  /**
   * The rank issues collectives that are not part of an agreed program, eagerly: they are counted,
   * and nothing is asked.
   */
  public void eager(Program calls, long now) {
    if (options.stage() != Stage.OFF && calls.summary().positions() > 0) {
      Verdict skinny =
          Verdict.of(VerdictKind.SKINNY, Reason.EAGER, 0, "issued outside of a program");
      send(Ask.Mode.NOTE, known(calls), skinny, now);
    }
  }

  private long note(KnownProgram program, Verdict before, long now) {
    long sequence = send(Ask.Mode.NOTE, program, before, now);
    output.verdict(sequence, before);
    return sequence;
  }

  private long send(Ask.Mode mode, KnownProgram program, @Nullable Verdict settled, long now) {
    ImmutableList.Builder<GroupUse> uses =
        ImmutableList.builderWithExpectedSize(program.calls.length);
    for (int i = 0; i < program.calls.length; i++) {
      int calls = program.calls[i];
      if (calls > 0) {
        long before = counts.advance(program.program.groups().get(i), calls);
        uses.add(new GroupUse(program.groups[i], before, calls));
      }
    }
    Ask ask = new Ask(requests.end(), mode, program.number, uses.build(), settled);
    requests.add(new Request(ask, program));
    if (ended) {
      giveUp(now);
    } else if (connected) {
      sendOn();
    }
    forget();
    return ask.sequence();
  }

  /** Sends the requests that were not, as far as the coordinator lets them wait for answers. */
  private void sendOn() {
    for (Request next = requests.get(unsent); next != null; next = requests.get(unsent)) {
      boolean waits = next.waits();
      if (waits && unanswered == MOST_UNANSWERED) {
        return;
      }
      next.asked = waits;
      unanswered += waits ? 1 : 0;
      unsent++;
      output.ask(next.again());
    }
  }

  /** Forgets requests that no coordinator needs to hear of again. */
  private void forget() {
    for (Request oldest = requests.get(requests.first());
        oldest != null
            && requests.size() > REPEATED
            && requests.first() < acknowledged
            && !oldest.waits();
        oldest = requests.get(requests.first())) {
      requests.removeFirst();
    }
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

  private KnownProgram known(Program program) {
    KnownProgram before = known.get(program);
    if (before != null) {
      return before;
    }
    int[] numbers = new int[program.groups().size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = number(program.groups().get(i));
    }
    KnownProgram added = new KnownProgram(program, programs.size(), numbers);
    programs.add(program);
    known.put(program, added);
    if (connected) {
      output.defineProgram(added.number, program.summary(), program.name());
    }
    return added;
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
            requests.first(),
            ++connections));
    for (int i = 0; i < groups.size(); i++) {
      output.defineGroup(i, groups.get(i));
    }
    for (int i = 0; i < programs.size(); i++) {
      output.defineProgram(i, programs.get(i).summary(), programs.get(i).name());
    }
    unsent = requests.first();
    unanswered = 0;
    sendOn();
  }

  /**
   * The connection is gone, or could not be made.
   *
   * @param why what is known of the cause, for the verdict when there is no coordinator in the end;
   *     may be empty
   */
  public void disconnected(String why, long now) {
    trouble = why;
    if (connected || connecting) {
      connectAt = now + options.retry().toNanos();
    }
    connected = false;
    connecting = false;
  }

  /**
   * The coordinator has let the rank in, or has given a sign of life.
   *
   * @param nextSequence the first request that it does not know; -1 if it knows nothing of the rank
   */
  public void heard(long nextSequence, long now) {
    heardAt = now;
    trouble = "";
    acknowledged = Math.max(acknowledged, Math.min(nextSequence, requests.end()));
    forget();
  }

  /** The coordinator has answered a request; an answer that is known already is dropped. */
  public void answered(long sequence, Verdict verdict, long now) {
    Request request = requests.get(sequence);
    if (request != null && sequence < unsent) {
      heard(sequence + 1, now);
      if (request.asked) {
        request.asked = false;
        unanswered--;
      }
      if (request.waits()) {
        settle(request, verdict);
      }
      if (connected) {
        sendOn();
      }
    }
  }

  private void settle(Request request, Verdict verdict) {
    request.verdict = verdict;
    if (verdict.kind().runs()) {
      request.program.agreed = verdict;
    }
    output.verdict(request.ask.sequence(), verdict);
  }

  /** The coordinator has told something that was not asked. */
  public void noticed(Verdict verdict, long now) {
    heardAt = now;
    output.notice(verdict);
  }

  /**
   * This process was not running for a time: what the coordinator has said meanwhile was not read
   * yet.
   */
  public void slept(long nanos) {
    heardAt += nanos;
  }

  /** The coordinator will not hear this rank. */
  public void refused(Refusal refusal, long now) {
    if (refusal.code() == Refusal.Code.STILL_CONNECTED) {
      output.disconnect();
      disconnected(refusal.text(), now);
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
                : "the coordinator was not heard for "
                    + (now - heardAt) / 1_000_000
                    + " ms"
                    + (trouble.isEmpty() ? "" : ": " + trouble)));
  }

  private void settleAll(Verdict verdict) {
    for (long sequence = requests.first(); sequence < requests.end(); sequence++) {
      Request request = requests.get(sequence);
      if (request != null && request.waits()) {
        settle(request, verdict);
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
    for (long sequence = requests.first(); sequence < requests.end(); sequence++) {
      Request request = requests.get(sequence);
      waiting += request != null && request.waits() ? 1 : 0;
    }
    return waiting;
  }

  /** How many requests would be told again on a new connection. */
  public int remembered() {
    return requests.size();
  }
}
