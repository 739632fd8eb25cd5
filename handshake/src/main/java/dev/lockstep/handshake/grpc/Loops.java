package dev.lockstep.handshake.grpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFactory;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The threads that read and write all connections of this process, and on which time passes for
 * what listens on them.
 *
 * <p>They are few and shared: the state machines behind them never block, so that a thread a
 * server, or a thread that wakes up for each client, would only take processors from each other.
 * They are daemons and are never ended; without connections they sleep.
 */
final class Loops {
  private static final int MOST = 4;

  /** What should have been done so long ago shows that this process was not running. */
  static final long OVERSLEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final EventLoopGroup GROUP = start();

  private Loops() {}

  private static EventLoopGroup start() {
    int threads = Math.max(1, Math.min(MOST, Runtime.getRuntime().availableProcessors() / 2));
    DefaultThreadFactory factory = new DefaultThreadFactory("handshake-io", true);
    return Epoll.isAvailable()
        ? new EpollEventLoopGroup(threads, factory)
        : new NioEventLoopGroup(threads, factory);
  }

  static EventLoopGroup group() {
    return GROUP;
  }

  /** Makes listening sockets whose connections {@code doors} watches from the first byte. */
  static ChannelFactory<ServerChannel> listening(Doorkeeper doors) {
    return () -> {
      ServerChannel listening =
          GROUP instanceof EpollEventLoopGroup
              ? new EpollServerSocketChannel()
              : new NioServerSocketChannel();
      listening
          .pipeline()
          .addLast(
              new ChannelInboundHandlerAdapter() {
                @Override
                public void channelRead(ChannelHandlerContext context, Object accepted) {
                  if (accepted instanceof Channel connection) {
                    connection.pipeline().addLast(new DoorHandler(doors, connection));
                  }
                  context.fireChannelRead(accepted);
                }
              });
      return listening;
    };
  }

  static Class<? extends Channel> connecting() {
    return GROUP instanceof EpollEventLoopGroup ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /**
   * Does something again and again.
   *
   * @return ends that
   */
  static Runnable every(long millis, Runnable what) {
    java.util.concurrent.Future<?> ticking =
        GROUP.next().scheduleWithFixedDelay(what, millis, millis, TimeUnit.MILLISECONDS);
    return () -> ticking.cancel(false);
  }

  /** Does something once, after a time. */
  static void after(long millis, Runnable what) {
    @SuppressWarnings("unused")
    Object scheduled = GROUP.next().schedule(what, millis, TimeUnit.MILLISECONDS);
  }
}
