package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.ClientOutput;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.client.RankClient;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.wire.Alive;
import dev.lockstep.handshake.wire.Answer;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import dev.lockstep.handshake.wire.CoordinatorMessage;
import dev.lockstep.handshake.wire.HandshakeGrpc;
import dev.lockstep.handshake.wire.Leave;
import dev.lockstep.handshake.wire.Welcome;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One rank's connection to the coordinator, for use from any thread.
 *
 * <p>Verdicts and notices come on a thread of their own, apart from those that read and write
 * connections: whoever takes them may take their time. What needs no answer from the coordinator is
 * there when {@link #run} returns.
 *
 * <p>{@link #run} may be called for the next program before the verdict on the last one is in:
 * requests are answered in the order of the collectives, so that a verdict is there by the time it
 * is needed.
 */
public final class HandshakeClient implements AutoCloseable {
  private final Object lock = new Object();
  private final Consumer<SessionCall> opening;
  private final int rank;
  private final RankClient client;
  private final Consumer<Verdict> notices;
  private final Map<Long, CompletableFuture<Verdict>> waiting = new HashMap<>();
  private final List<Runnable> settled = new ArrayList<>();
  private final ScheduledExecutorService timer;
  private final Executor callbacks;
  private @Nullable ScheduledFuture<?> alarm;
  private long alarmAt = Long.MAX_VALUE;
  private final ClientFrames frame = new ClientFrames();
  private @Nullable Stream stream;
  private @Nullable Verdict immediate;
  private @Nullable Refusal refusal;

  private HandshakeClient(
      ClientOptions options,
      Consumer<SessionCall> opening,
      ScheduledExecutorService timer,
      Consumer<Verdict> notices,
      Executor callbacks) {
    this.opening = opening;
    this.rank = options.rank();
    this.notices = notices;
    this.timer = timer;
    this.callbacks = callbacks;
    this.client = new RankClient(options, new Output(), System.nanoTime());
  }

  /**
   * Connects a rank.
   *
   * @param channel may serve several ranks; not closed with the client
   * @param timer on which time passes; not closed with the client
   * @param notices gets what the coordinator tells without being asked: that others were told not
   *     to run what this rank runs
   */
  public static HandshakeClient connect(
      ClientOptions options,
      Channel channel,
      ScheduledExecutorService timer,
      Consumer<Verdict> notices) {
    return connect(options, channel, timer, notices, Callbacks.THREADS);
  }

  /**
   * Connects a rank that says on which threads verdicts and notices come.
   *
   * @param callbacks {@code Runnable::run} saves a change of threads, and is right only where
   *     nothing that depends on a verdict ever waits: it would hold up the connections of all ranks
   *     in the process
   */
  public static HandshakeClient connect(
      ClientOptions options,
      Channel channel,
      ScheduledExecutorService timer,
      Consumer<Verdict> notices,
      Executor callbacks) {
    return connect(
        options, call -> HandshakeGrpc.newStub(channel).session(call), timer, notices, callbacks);
  }

  /**
   * Connects a rank that is in the process of its host's aggregator, as with a process that drives
   * several devices: what it asks goes up from there, and nothing passes through a socket before.
   *
   * @param host not closed with the client
   */
  public static HandshakeClient connect(
      ClientOptions options,
      AggregatorServer host,
      ScheduledExecutorService timer,
      Consumer<Verdict> notices) {
    return connect(options, host, timer, notices, Callbacks.THREADS);
  }

  /** Connects such a rank that says on which threads verdicts and notices come, as above. */
  public static HandshakeClient connect(
      ClientOptions options,
      AggregatorServer host,
      ScheduledExecutorService timer,
      Consumer<Verdict> notices,
      Executor callbacks) {
    return connect(options, host.service()::open, timer, notices, callbacks);
  }

  private static HandshakeClient connect(
      ClientOptions options,
      Consumer<SessionCall> opening,
      ScheduledExecutorService timer,
      Consumer<Verdict> notices,
      Executor callbacks) {
    HandshakeClient connected = new HandshakeClient(options, opening, timer, notices, callbacks);
    connected.locked(() -> {});
    return connected;
  }

  /**
   * The rank is about to run {@code program}: the future gets the verdict, never an exception. What
   * hangs on it runs where {@link #connect} was told, or at once if the verdict is there already.
   *
   * <p>Calls must come in the order in which the rank issues its collectives.
   */
  public CompletableFuture<Verdict> run(Program program) {
    CompletableFuture<Verdict> future = new CompletableFuture<>();
    locked(
        () -> {
          immediate = null;
          long sequence = client.run(program, System.nanoTime());
          Verdict verdict = immediate;
          if (verdict != null) {
            // Nothing hangs on it yet.
            future.complete(verdict);
          } else {
            waiting.put(sequence, future);
          }
        });
    return future;
  }

  /** The rank issues collectives outside of a program that was agreed on. */
  public void eager(Program calls) {
    locked(() -> client.eager(calls, System.nanoTime()));
  }

  /** Why the coordinator refused this rank, or null. */
  public @Nullable Refusal refusal() {
    synchronized (lock) {
      return refusal;
    }
  }

  /** Leaves the job. Verdicts that are waited for come as {@code NO_COORDINATOR}. */
  @Override
  public void close() {
    locked(
        () -> {
          if (alarm != null) {
            alarm.cancel(false);
          }
          if (!client.ended()) {
            client.leave();
            flush();
          }
          Stream open = stream;
          stream = null;
          if (open != null) {
            open.end();
          }
        });
  }

  /** Does something under the lock, sends what came of it, and has futures completed outside. */
  private void locked(Runnable what) {
    List<Runnable> done;
    synchronized (lock) {
      long now = System.nanoTime();
      if (alarmAt != Long.MAX_VALUE && now - alarmAt > Loops.OVERSLEPT_NANOS) {
        client.slept(now - alarmAt);
        alarmAt = now;
      }
      what.run();
      wake(client.tick(now), now);
      flush();
      if (settled.isEmpty()) {
        return;
      }
      done = new ArrayList<>(settled);
      settled.clear();
    }
    for (Runnable each : done) {
      if (each instanceof Settled settled && settled.future.getNumberOfDependents() == 0) {
        // Nobody waits for it, and what is hung on it later runs on its own thread.
        settled.run();
      } else {
        callbacks.execute(each);
      }
    }
  }

  /** A verdict that has come. */
  private record Settled(CompletableFuture<Verdict> future, Verdict verdict) implements Runnable {
    @Override
    public void run() {
      future.complete(verdict);
    }
  }

  /**
   * Sees to it that time passes for the state machine when it is due, and not before: thousands of
   * ranks may share one timer.
   */
  private void wake(long due, long now) {
    if (due >= alarmAt) {
      return;
    }
    if (alarm != null) {
      alarm.cancel(false);
    }
    alarmAt = due;
    try {
      alarm = timer.schedule(this::alarmed, Math.max(0, due - now), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException ended) {
      // The timer was ended before this client was closed: only what comes from others moves it.
      alarm = null;
    }
  }

  private void alarmed() {
    locked(() -> alarmAt = Long.MAX_VALUE);
  }

  private void flush() {
    Stream open = stream;
    if (open != null && !frame.isEmpty()) {
      frame.sendTo(open);
    }
  }

  private void read(CoordinatorMessage message, long now) {
    switch (message.getMessageCase()) {
      case ANSWER -> {
        Answer answer = message.getAnswer();
        client.answered(answer.getSequence(), Wire.verdict(answer.getVerdict()), now);
      }
      case NOTICE -> client.noticed(Wire.verdict(message.getNotice().getVerdict()), now);
      case REFUSE -> client.refused(Wire.refusal(message.getRefuse()), now);
      case WELCOME -> {
        Welcome welcome = message.getWelcome();
        client.heard(welcome.hasNextSequence() ? welcome.getNextSequence() : -1, now);
      }
      case HEARD -> client.heard(message.getHeard().getNextSequence(), now);
      case MESSAGE_NOT_SET -> {
        // Of a later version of the protocol: what it must say, it says in other ways too.
      }
    }
  }

  /** One stream; events of a stream that was given up are ignored. */
  private final class Stream extends SessionCall {
    @Override
    public void onNext(CoordinatorFrame received) {
      locked(
          () -> {
            if (stream == this) {
              long now = System.nanoTime();
              received.getMessagesList().forEach(message -> read(message, now));
            }
          });
    }

    @Override
    void gone(String why) {
      locked(
          () -> {
            if (stream == this) {
              stream = null;
              frame.clear();
              client.disconnected(why, System.nanoTime());
            }
          });
    }
  }

  /** What the state machine says, into the frame of the moment. */
  private final class Output implements ClientOutput {
    private void add(ClientMessage.Builder message) {
      frame.add(message.build());
    }

    @Override
    public void connect() {
      Stream opened = new Stream();
      stream = opened;
      opening.accept(opened);
      client.connected(System.nanoTime());
    }

    @Override
    public void hello(Hello hello) {
      add(ClientMessage.newBuilder().setHello(Wire.hello(hello)));
    }

    @Override
    public void defineGroup(int number, RankList group) {
      add(ClientMessage.newBuilder().setDefineGroup(Wire.group(number, group)));
    }

    @Override
    public void defineProgram(int number, ProgramSummary program, String name) {
      add(ClientMessage.newBuilder().setDefineProgram(Wire.program(number, program, name)));
    }

    @Override
    public void ask(Ask ask) {
      add(ClientMessage.newBuilder().setAsk(Wire.ask(ask)));
    }

    @Override
    public void alive(long progress, String doing) {
      add(
          ClientMessage.newBuilder()
              .setAlive(Alive.newBuilder().setRank(rank).setProgress(progress).setDoing(doing)));
    }

    @Override
    public void leave() {
      add(ClientMessage.newBuilder().setLeave(Leave.newBuilder().setRank(rank)));
    }

    @Override
    public void verdict(long sequence, Verdict verdict) {
      CompletableFuture<Verdict> future = waiting.remove(sequence);
      if (future == null) {
        immediate = verdict;
      } else {
        settled.add(new Settled(future, verdict));
      }
    }

    @Override
    public void notice(Verdict verdict) {
      settled.add(() -> notices.accept(verdict));
    }

    @Override
    public void refused(Refusal why) {
      refusal = why;
    }

    @Override
    public void disconnect() {
      Stream open = stream;
      stream = null;
      frame.clear();
      if (open != null) {
        open.end();
      }
    }
  }
}
