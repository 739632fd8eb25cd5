package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.ClientMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of one moment to the coordinator: one frame, or several where one would be larger than
 * what a coordinator reads, as on a new connection of a rank that has run many programs.
 */
final class ClientFrames {
  private static final int LARGE = CoordinatorServer.LARGEST_MESSAGE / 4;

  private final List<ClientFrame> full = new ArrayList<>(1);
  private ClientFrame.Builder frame = ClientFrame.newBuilder();
  private long bytes;

  void add(ClientMessage message) {
    int size = message.getSerializedSize();
    if (bytes > 0 && bytes + size > LARGE) {
      close();
    }
    frame.addMessages(message);
    bytes += size;
  }

  boolean isEmpty() {
    return full.isEmpty() && frame.getMessagesCount() == 0;
  }

  void clear() {
    full.clear();
    frame.clear();
    bytes = 0;
  }

  void sendTo(SessionCall stream) {
    if (frame.getMessagesCount() > 0) {
      close();
    }
    full.forEach(stream::send);
    full.clear();
  }

  private void close() {
    full.add(frame.build());
    frame.clear();
    bytes = 0;
  }
}
