package dev.lockstep.handshake.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Who is at the other end of a call, for messages. */
final class Peers implements ServerInterceptor {
  static final Context.Key<String> PEER = Context.key("peer");

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String peer = String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    return Contexts.interceptCall(
        Context.current().withValue(PEER, peer.startsWith("/") ? peer.substring(1) : peer),
        call,
        headers,
        next);
  }
}
