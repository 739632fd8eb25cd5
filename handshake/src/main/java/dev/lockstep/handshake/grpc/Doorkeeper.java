package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.coordinator.CoordinatorListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Watches the connections of one server: strangers get little time and little memory, and whoever
 * is turned away before it said which rank it is, is told to the listener.
 *
 * <p>Safe for threads; closes connections from whichever thread notices.
 */
final class Doorkeeper extends ServerStreamTracer.Factory {
  static {
    GrpcNoise.silence();
  }

  private final Object lock = new Object();
  private final Protection limits;
  private final CoordinatorListener listener;

  /** Connections on which no rank was let in, the oldest first. */
  private final Map<SocketAddress, Door> strangers = new LinkedHashMap<>();

  private final Map<SocketAddress, Door> known = new HashMap<>();
  private long strangerBytes;

  /** One connection. */
  static final class Door {
    private final SocketAddress address;
    private final Runnable shut;
    private final long openedAt;
    private long bytes;
    private boolean served;
    private boolean told;

    private Door(SocketAddress address, Runnable shut) {
      this.address = address;
      this.shut = shut;
      this.openedAt = System.nanoTime();
    }
  }

  Doorkeeper(Protection limits, CoordinatorListener listener) {
    this.limits = limits;
    this.listener = listener;
  }

  /**
   * A connection is accepted.
   *
   * @param shut closes it
   * @return the connection, or null if there is no room for it
   */
  @Nullable Door opened(SocketAddress address, Runnable shut) {
    Door door = new Door(address, shut);
    Door oldest = null;
    synchronized (lock) {
      if (strangers.size() + known.size() >= limits.mostConnections()) {
        if (strangers.isEmpty()) {
          door = null;
        } else {
          oldest = strangers.values().iterator().next();
          forget(oldest);
        }
      }
      if (door != null) {
        strangers.put(address, door);
      }
    }
    if (door == null) {
      listener.turnedAway(Peer.text(address), "TOO_MANY", "all connections are in use by ranks");
    }
    if (oldest != null) {
      turnAway(oldest, "TOO_MANY", "it makes room for another connection");
    }
    return door;
  }

  /**
   * A connection is gone.
   *
   * @param read whether anything ever came on it
   */
  void closed(Door door, boolean read) {
    boolean stranger;
    synchronized (lock) {
      stranger = strangers.containsKey(door.address);
      forget(door);
    }
    if (stranger && read && !door.served && !door.told) {
      listener.turnedAway(
          Peer.text(door.address), "NO_HELLO", "it has ended, or broke HTTP/2, without a hello");
    }
  }

  private void forget(Door door) {
    if (strangers.remove(door.address, door)) {
      strangerBytes -= door.bytes;
    }
    known.remove(door.address, door);
  }

  /** Connections could not agree on TLS. */
  void noTls(SocketAddress address, Throwable cause) {
    told(address);
    Throwable deepest = cause;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    listener.turnedAway(
        Peer.text(address),
        "TLS",
        deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage());
  }

  /** A rank was let in on the connection from there. */
  void admit(@Nullable SocketAddress address) {
    synchronized (lock) {
      Door door = strangers.remove(address);
      if (door != null) {
        strangerBytes -= door.bytes;
        known.put(door.address, door);
      }
    }
  }

  private void heard(@Nullable SocketAddress address, long bytes) {
    Door most = null;
    synchronized (lock) {
      Door door = strangers.get(address);
      if (door == null) {
        return;
      }
      door.bytes += bytes;
      strangerBytes += bytes;
      if (strangerBytes > limits.mostStrangerBytes()) {
        most = door;
        for (Door other : strangers.values()) {
          most = other.bytes > most.bytes ? other : most;
        }
        forget(most);
      }
    }
    if (most != null) {
      turnAway(most, "TOO_MUCH", "it has sent " + most.bytes + " bytes and no hello");
    }
  }

  private void served(@Nullable SocketAddress address) {
    synchronized (lock) {
      Door door = strangers.get(address);
      if (door != null) {
        door.served = true;
      }
    }
  }

  private void told(@Nullable SocketAddress address) {
    synchronized (lock) {
      Door door = strangers.get(address);
      if (door != null) {
        door.told = true;
      }
    }
  }

  /** Time has passed. */
  void tick() {
    List<Door> late = new ArrayList<>();
    synchronized (lock) {
      long now = System.nanoTime();
      for (Door door : strangers.values()) {
        if (now - door.openedAt <= limits.greeting().toNanos()) {
          break;
        }
        late.add(door);
      }
      late.forEach(this::forget);
    }
    for (Door door : late) {
      if (door.served) {
        // It asked for the status or for the health, and got it.
        door.shut.run();
      } else {
        turnAway(
            door, "NO_HELLO", "no rank was let in within " + limits.greeting().toMillis() + " ms");
      }
    }
  }

  private void turnAway(Door door, String code, String why) {
    listener.turnedAway(Peer.text(door.address), code, why);
    door.shut.run();
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
    return new Call();
  }

  /** Watches what comes on one stream, and how it ends. */
  private final class Call extends ServerStreamTracer {
    private @Nullable SocketAddress address;

    @Override
    public void serverCallStarted(ServerCallInfo<?, ?> call) {
      address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    }

    @Override
    public void inboundWireSize(long bytes) {
      heard(address, bytes);
    }

    @Override
    public void streamClosed(Status outcome) {
      // What went wrong while a message was read is the cause of an unknown error.
      Status status =
          outcome.getCause() instanceof StatusRuntimeException cause ? cause.getStatus() : outcome;
      switch (status.getCode()) {
        case OK -> served(address);
        case CANCELLED, UNAVAILABLE, INVALID_ARGUMENT -> {
          // The peer has gone, or this side ends, or the coordinator has told what was wrong.
        }
        default -> {
          told(address);
          String why = status.getDescription();
          listener.turnedAway(Peer.text(address), status.getCode().name(), why == null ? "" : why);
        }
      }
    }
  }
}
