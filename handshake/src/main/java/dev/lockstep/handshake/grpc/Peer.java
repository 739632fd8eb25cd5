package dev.lockstep.handshake.grpc;

import com.google.common.collect.ImmutableList;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.SocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a call: its address, and the ranks that its certificate names.
 *
 * <p>A certificate names ranks by alternative names that are URIs: {@code lockstep://JOB/rank/3}
 * or, for an aggregator, {@code lockstep://JOB/ranks/8-15}.
 */
class Peer {
  private static final int URI = 6;
  private static final Pattern RANKS =
      Pattern.compile("lockstep://([^/]+)/ranks?/([0-9]{1,9})(?:-([0-9]{1,9}))?");
  private static final Peer UNKNOWN = new Peer(null, ImmutableList.of());

  /** A rank of this very process, which needs no certificate to be trusted. */
  static final Peer SELF =
      new Peer(null, ImmutableList.of()) {
        @Override
        String refusal(String job, int rank, boolean bound) {
          return "";
        }

        @Override
        public String toString() {
          return "this process";
        }
      };

  private static final Context.Key<Peer> KEY = Context.key("peer");

  private final @Nullable SocketAddress address;
  private final ImmutableList<Named> named;

  private record Named(String job, int first, int last) {
    @Override
    public String toString() {
      return (first == last ? "rank " + first : "ranks " + first + "-" + last) + " of job " + job;
    }
  }

  private Peer(@Nullable SocketAddress address, ImmutableList<Named> named) {
    this.address = address;
    this.named = named;
  }

  /** The peer of the call that is being handled on this thread. */
  static Peer current() {
    return Objects.requireNonNullElse(KEY.get(), UNKNOWN);
  }

  /** Makes {@link #current} known to services. */
  static ServerInterceptor interceptor() {
    return new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Context context = Context.current().withValue(KEY, of(call.getAttributes()));
        // Services ask when a call begins, so that its messages need not carry the context.
        Context before = context.attach();
        try {
          return next.startCall(call, headers);
        } finally {
          context.detach(before);
        }
      }
    };
  }

  private static Peer of(Attributes transport) {
    SSLSession tls = transport.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    return new Peer(
        transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
        tls == null ? ImmutableList.of() : named(tls));
  }

  private static ImmutableList<Named> named(SSLSession tls) {
    ImmutableList.Builder<Named> found = ImmutableList.builder();
    try {
      Certificate[] chain = tls.getPeerCertificates();
      Collection<List<?>> names =
          chain.length > 0 && chain[0] instanceof X509Certificate certificate
              ? certificate.getSubjectAlternativeNames()
              : null;
      for (List<?> name : names == null ? List.<List<?>>of() : names) {
        Matcher ranks = RANKS.matcher(String.valueOf(name.get(1)));
        if (Objects.equals(name.get(0), URI) && ranks.matches()) {
          int first = Integer.parseInt(ranks.group(2));
          int last = ranks.group(3) == null ? first : Integer.parseInt(ranks.group(3));
          String job = URLDecoder.decode(ranks.group(1), StandardCharsets.UTF_8);
          found.add(new Named(job, first, last));
        }
      }
    } catch (SSLPeerUnverifiedException | CertificateParsingException none) {
      // No certificate was asked for, or none of its names can be read.
    }
    return found.build();
  }

  @Nullable SocketAddress address() {
    return address;
  }

  /**
   * Returns why this peer must not speak for a rank, or "".
   *
   * @param bound whether a certificate must name the rank
   */
  String refusal(String job, int rank, boolean bound) {
    for (Named one : named) {
      if (one.job.equals(job) && one.first <= rank && rank <= one.last) {
        return "";
      }
    }
    if (named.isEmpty()) {
      return bound ? "the peer's certificate names no rank" : "";
    }
    return "the peer's certificate is for " + named.get(0) + ", not for rank " + rank;
  }

  static String text(@Nullable SocketAddress address) {
    String text = String.valueOf(address);
    return text.startsWith("/") ? text.substring(1) : text;
  }

  /** Its address, for messages. */
  @Override
  public String toString() {
    return address == null ? "unknown peer" : text(address);
  }
}
