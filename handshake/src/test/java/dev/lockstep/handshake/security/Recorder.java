package dev.lockstep.handshake.security;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sits on the wire between a client and the coordinator, and keeps what the client sends. */
final class Recorder implements Closeable {
  private final ServerSocket listening;
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();

  Recorder(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    start("accept", this::accept);
  }

  private static void start(String name, Runnable what) {
    Thread thread = new Thread(what, "recorder " + name);
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      Socket client = listening.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(client);
      sockets.add(server);
      start("up", () -> pass(client, server, true));
      start("down", () -> pass(server, client, false));
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void pass(Socket from, Socket to, boolean keep) {
    byte[] bytes = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        if (keep) {
          synchronized (recorded) {
            recorded.write(bytes, 0, count);
          }
        }
        out.write(bytes, 0, count);
      }
      to.shutdownOutput();
    } catch (IOException closed) {
      // The test is over.
    }
  }

  byte[] recorded() {
    synchronized (recorded) {
      return recorded.toByteArray();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
