package dev.lockstep.handshake.security;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A TCP connection that speaks as much of HTTP/2 as a test wants, and no more. */
final class RawPeer implements Closeable {
  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int GOAWAY = 7;
  static final int CONTINUATION = 9;
  static final int END_HEADERS = 4;

  private static final int MILLIS = 30_000;

  private final Socket socket;
  private final DataInputStream in;

  RawPeer(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(MILLIS);
    in = new DataInputStream(socket.getInputStream());
  }

  /** Its own end, as the other side's log names it. */
  String name() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  RawPeer send(byte... bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  RawPeer frame(int type, int flags, int stream, byte... payload) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(payload.length >> 16);
    frame.write(payload.length >> 8);
    frame.write(payload.length);
    frame.write(type);
    frame.write(flags);
    for (int shift = 24; shift >= 0; shift -= 8) {
      frame.write(stream >> shift);
    }
    frame.writeBytes(payload);
    return send(frame.toByteArray());
  }

  RawPeer greet() throws IOException {
    return send(PREFACE).frame(SETTINGS, 0, 0);
  }

  /** Opens a Session stream. */
  RawPeer open(int stream, String... more) throws IOException {
    return frame(HEADERS, END_HEADERS, stream, headers(more));
  }

  /** The headers of a call, in HPACK without tables or Huffman codes. */
  static byte[] headers(String... more) {
    List<String> fields =
        new ArrayList<>(
            List.of(
                ":method",
                "POST",
                ":scheme",
                "http",
                ":path",
                "/lockstep.handshake.v1.Handshake/Session",
                ":authority",
                "localhost",
                "content-type",
                "application/grpc",
                "te",
                "trailers"));
    fields.addAll(List.of(more));
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < fields.size(); i += 2) {
      block.write(0);
      for (String text : fields.subList(i, i + 2)) {
        block.write(text.length());
        block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
    return block.toByteArray();
  }

  /** The five bytes before a message. */
  static byte[] prefix(int length) {
    return new byte[] {
      0, (byte) (length >> 24), (byte) (length >> 16), (byte) (length >> 8), (byte) length
    };
  }

  /** Reads frames until one of the type on the stream comes; returns false at the end. */
  boolean await(int type, int stream) throws IOException {
    try {
      while (true) {
        int head = in.readInt();
        in.readUnsignedByte();
        int on = in.readInt();
        in.readFully(new byte[head >>> 8]);
        if ((head & 0xff) == type && on == stream) {
          return true;
        }
      }
    } catch (java.io.EOFException | java.net.SocketException closed) {
      return false;
    }
  }

  /** Waits until the other side closes; what it sends before is ignored. */
  void awaitClosed() throws IOException {
    byte[] ignored = new byte[4096];
    try {
      while (in.read(ignored) >= 0) {
        // Until the end.
      }
    } catch (java.net.SocketException reset) {
      // That is an end too.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
