package dev.lockstep.handshake.security;

import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.CoordinatorFrame;
import dev.lockstep.handshake.wire.CoordinatorMessage;
import dev.lockstep.handshake.wire.HandshakeGrpc;
import dev.lockstep.handshake.wire.Hello;
import dev.lockstep.handshake.wire.Stage;
import dev.lockstep.handshake.wire.Versions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A stream on which a test says whatever it likes, and sees what comes back. */
final class Puppet implements StreamObserver<CoordinatorFrame> {
  private static final int SECONDS = 30;

  private final BlockingQueue<CoordinatorMessage> heard = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> ended = new CompletableFuture<>();
  private final StreamObserver<ClientFrame> out;

  Puppet(Channel channel) {
    out = HandshakeGrpc.newStub(channel).session(this);
  }

  /** Returns the hello that the job's own client would send; tests change what they need. */
  static Hello.Builder hello(int rank) {
    return Hello.newBuilder()
        .setJob("job")
        .setToken(HealthyJob.TOKEN)
        .setRank(rank)
        .setWorld(HealthyJob.WORLD)
        .setIncarnation(1000L + rank)
        .setStage(Stage.STAGE_DISPATCH)
        .setConnection(1)
        .setVersions(
            Versions.newBuilder()
                .setProtocol(1)
                .setFingerprints(HealthyJob.VERSIONS.fingerprints())
                .setCompiler(HealthyJob.VERSIONS.compiler()));
  }

  Puppet say(Hello.Builder hello) {
    return say(ClientMessage.newBuilder().setHello(hello));
  }

  Puppet say(ClientMessage.Builder... messages) {
    ClientFrame.Builder frame = ClientFrame.newBuilder();
    for (ClientMessage.Builder message : messages) {
      frame.addMessages(message);
    }
    return say(frame.build());
  }

  Puppet say(ClientFrame frame) {
    out.onNext(frame);
    return this;
  }

  /** Returns the next message. */
  CoordinatorMessage hear() {
    try {
      CoordinatorMessage next = heard.poll(SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing was said, and the stream is " + ended);
      }
      return next;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stopped);
    }
  }

  /** Returns the code that the next message refuses with. */
  String refusal() {
    CoordinatorMessage next = hear();
    if (!next.hasRefuse()) {
      throw new AssertionError("not refused but: " + next);
    }
    return next.getRefuse().getCode();
  }

  /** Waits for the end of the stream. */
  Status end() {
    return ended.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  void hangUp() {
    out.onCompleted();
  }

  @Override
  public void onNext(CoordinatorFrame frame) {
    heard.addAll(frame.getMessagesList());
  }

  @Override
  public void onError(Throwable cause) {
    ended.complete(Status.fromThrowable(cause));
  }

  @Override
  public void onCompleted() {
    ended.complete(Status.OK);
  }
}
