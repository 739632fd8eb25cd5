package dev.lockstep.handshake.grpc;

import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which users of this process hear of verdicts: a new one while others are kept
 * waiting. They are daemons, and end when they have nothing to do for some seconds.
 */
final class Callbacks {
  static final Executor THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          5,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          new DefaultThreadFactory("handshake-callback", true));

  private Callbacks() {}
}
