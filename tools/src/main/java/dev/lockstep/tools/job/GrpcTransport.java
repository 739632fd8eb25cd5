package dev.lockstep.tools.job;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.relay.RelayClient;
import dev.lockstep.handshake.relay.RelayException;
import dev.lockstep.runtime.transport.Transport;
import dev.lockstep.runtime.transport.TransportException;

/** The interpreter's transport over the relay that stands beside the coordinator. */
public final class GrpcTransport implements Transport {
  private final RelayClient relay;

  /** Creates a transport; the relay's client is closed by whoever has opened it. */
  public GrpcTransport(RelayClient relay) {
    this.relay = relay;
  }

  @Override
  public int rank() {
    return relay.rank();
  }

  @Override
  public void send(ImmutableIntArray targets, byte[] bytes) {
    try {
      relay.send(targets, bytes);
    } catch (RelayException e) {
      throw ended(e);
    }
  }

  @Override
  public Parcel receive(String where, ImmutableIntArray missing) {
    try {
      RelayClient.Parcel parcel = relay.receive(where);
      return new Parcel(parcel.source(), parcel.bytes());
    } catch (RelayException e) {
      throw ended(e);
    }
  }

  private static TransportException ended(RelayException why) {
    return new TransportException(
        why.isStalled() ? TransportException.Kind.STALLED : TransportException.Kind.LOST,
        String.valueOf(why.getMessage()));
  }
}
