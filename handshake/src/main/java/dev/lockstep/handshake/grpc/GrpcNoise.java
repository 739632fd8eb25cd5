package dev.lockstep.handshake.grpc;

import com.google.common.collect.ImmutableList;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Where gRPC logs a stack trace for what a peer does wrong: a {@link Doorkeeper} tells its listener
 * instead.
 */
final class GrpcNoise {
  /** Kept, since loggers that nobody holds are forgotten with their levels. */
  private static final ImmutableList<Logger> LOGGERS =
      ImmutableList.of(
          Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerStream"),
          Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerHandler"),
          Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerTransport"),
          Logger.getLogger("io.grpc.internal.SerializeReentrantCallsDirectExecutor"));

  private GrpcNoise() {}

  /** Ends that, but where somebody has asked for it by giving a logger a level. */
  static void silence() {
    for (Logger logger : LOGGERS) {
      if (logger.getLevel() == null) {
        logger.setLevel(Level.OFF);
      }
    }
  }
}
