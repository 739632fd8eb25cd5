package dev.lockstep.runtime.transport;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableIntArray;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives each parcel to whoever handles its kind, so that several conversations share one transport:
 * a rank that is ahead may already speak of its next program. Used by one thread.
 */
public final class Dispatcher {
  /** Takes parcels of one kind. */
  public interface Handler {
    /**
     * Takes a parcel.
     *
     * @throws IllegalArgumentException if it makes no sense
     */
    void take(int source, ByteBuffer in);
  }

  private final Transport transport;
  private final Map<Byte, Handler> handlers = new HashMap<>();

  /** Creates a dispatcher, which from now on is the only one to receive from {@code transport}. */
  public Dispatcher(Transport transport) {
    this.transport = transport;
  }

  /** Returns which rank this is. */
  public int rank() {
    return transport.rank();
  }

  /** Says who takes parcels of {@code kind}; to be called before any can come. */
  public void handle(byte kind, Handler handler) {
    checkArgument(handlers.put(kind, handler) == null, "kind %s has a handler", kind);
  }

  /** Returns the beginning of a parcel of {@code kind}. */
  public static ByteWriter begin(byte kind) {
    ByteWriter out = new ByteWriter();
    out.room(1).put(kind);
    return out;
  }

  /** Sends what was begun. */
  public void send(ImmutableIntArray targets, ByteWriter parcel) {
    if (!targets.isEmpty()) {
      transport.send(targets, parcel.toBytes());
    }
  }

  /**
   * Waits for a parcel and gives it to its handler.
   *
   * @param where what this rank waits in, in words
   * @param missing the ranks that are waited for, as far as they are known
   * @throws TransportException if none can come any more, or one makes no sense
   */
  public void next(String where, ImmutableIntArray missing) {
    Transport.Parcel parcel = transport.receive(where, missing);
    try {
      ByteBuffer in = ByteBuffer.wrap(parcel.bytes());
      byte kind = in.get();
      Handler handler = handlers.get(kind);
      checkArgument(handler != null, "kind %s is not known", kind);
      handler.take(parcel.source(), in);
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new TransportException(
          TransportException.Kind.LOST,
          "rank " + parcel.source() + " has sent what makes no sense: " + e.getMessage());
    }
  }
}
