package dev.lockstep.handshake.grpc;

import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/**
 * Before all other handlers of an accepted connection: tells a {@link Doorkeeper} of it before TLS
 * and HTTP/2 stand, of which gRPC tells nothing.
 */
final class DoorHandler extends ChannelInboundHandlerAdapter {
  private final Doorkeeper keeper;
  private final Channel accepted;
  private Doorkeeper.@Nullable Door door;
  private boolean reading;

  DoorHandler(Doorkeeper keeper, Channel accepted) {
    this.keeper = keeper;
    this.accepted = accepted;
  }

  /** Closes at once: from here on, since handlers behind this one would end their streams first. */
  private static void shut(ChannelHandlerContext context) {
    @SuppressWarnings("unused")
    Object closing = context.close();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    door = keeper.opened(accepted.remoteAddress(), () -> shut(context));
    if (door == null) {
      shut(context);
    } else {
      context.fireChannelActive();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!reading) {
      reading = true;
      SslHandler tls = context.pipeline().get(SslHandler.class);
      if (tls != null) {
        @SuppressWarnings("unused")
        Object watched =
            tls.handshakeFuture()
                .addListener(
                    done -> {
                      if (!done.isSuccess()) {
                        keeper.noTls(context.channel().remoteAddress(), done.cause());
                      }
                    });
      }
    }
    context.fireChannelRead(message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (door != null) {
      keeper.closed(door, reading);
    }
    context.fireChannelInactive();
  }
}
