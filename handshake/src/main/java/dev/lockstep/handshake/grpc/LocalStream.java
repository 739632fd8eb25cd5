package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.wire.CoordinatorFrame;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The aggregator's end of a stream of a rank in its own process: no socket, no bytes.
 *
 * <p>What a rank says is heard at once, on its own thread. What it is told comes later, on a thread
 * that holds no lock: the aggregator speaks while it holds its own, and the rank may hold its own
 * while it speaks to the aggregator.
 */
final class LocalStream implements StreamObserver<CoordinatorFrame> {
  private final SessionCall rank;
  private final Later later;

  LocalStream(SessionCall rank, Later later) {
    this.rank = rank;
    this.later = later;
  }

  @Override
  public void onNext(CoordinatorFrame frame) {
    later.add(() -> rank.onNext(frame));
  }

  @Override
  public void onError(Throwable why) {
    later.add(() -> rank.onError(why));
  }

  @Override
  public void onCompleted() {
    later.add(rank::onCompleted);
  }

  /** Does what it is given on one thread, in order. */
  static final class Later {
    private final Executor thread;
    private List<Runnable> waiting = new ArrayList<>();

    Later(Executor thread) {
      this.thread = thread;
    }

    void add(Runnable what) {
      synchronized (this) {
        waiting.add(what);
        if (waiting.size() > 1) {
          return;
        }
      }
      thread.execute(this::doAll);
    }

    private void doAll() {
      List<Runnable> all;
      synchronized (this) {
        all = waiting;
        waiting = new ArrayList<>();
      }
      all.forEach(Runnable::run);
    }
  }
}
