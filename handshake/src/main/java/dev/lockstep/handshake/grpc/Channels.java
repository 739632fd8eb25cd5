package dev.lockstep.handshake.grpc;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;

/** Connections to a coordinator; one may carry the streams of several ranks of a process. */
public final class Channels {
  private Channels() {}

  /**
   * Opens a channel; nothing is sent before it is used.
   *
   * @param target {@code host:port}; IPv6 literals in brackets
   * @throws IOException if a certificate cannot be read, or plain text would leave this machine
   *     without being allowed
   */
  public static ManagedChannel open(String target, Transport transport) throws IOException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget(uri(target))
            .eventLoopGroup(Loops.group())
            .channelType(Loops.connecting())
            .directExecutor()
            // A stream cannot be repeated by gRPC: who speaks on it repeats what matters.
            .disableRetry()
            .maxInboundMessageSize(CoordinatorServer.LARGEST_MESSAGE)
            .keepAliveTime(20, TimeUnit.SECONDS)
            .keepAliveTimeout(10, TimeUnit.SECONDS);
    if (transport.tls()) {
      try {
        SslContextBuilder ssl = GrpcSslContexts.forClient();
        if (transport.authority() != null) {
          ssl.trustManager(transport.authority().toFile());
        }
        if (transport.certificate() != null && transport.key() != null) {
          ssl.keyManager(transport.certificate().toFile(), transport.key().toFile());
        }
        builder.sslContext(ssl.build());
      } catch (IllegalArgumentException wrong) {
        throw Transport.unusable(wrong);
      }
    } else {
      if (!transport.plaintext() && !loopback(target)) {
        throw new IOException(
            "without TLS only a coordinator on this machine is spoken to, not "
                + target
                + ": give it the authority's certificate, or allow plain text");
      }
      builder.usePlaintext();
    }
    return builder.build();
  }

  /** Returns the target as gRPC wants it: literals of IPv6 in brackets, and these escaped. */
  private static String uri(String target) throws IOException {
    int colon = target.lastIndexOf(':');
    String host = colon < 0 ? target : target.substring(0, colon);
    String bracketed = host.indexOf(':') < 0 || host.startsWith("[") ? host : "[" + host + "]";
    try {
      String path = "/" + bracketed + (colon < 0 ? "" : target.substring(colon));
      return new URI("dns", "", path, null).toString();
    } catch (URISyntaxException senseless) {
      throw new IOException("the address " + target + " makes no sense", senseless);
    }
  }

  private static boolean loopback(String target) {
    int colon = target.lastIndexOf(':');
    String host = colon < 0 ? target : target.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }
}
