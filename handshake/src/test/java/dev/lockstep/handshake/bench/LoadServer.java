package dev.lockstep.handshake.bench;

import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.grpc.CoordinatorServer;
import dev.lockstep.handshake.grpc.Transport;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The coordinator's process in the load benchmark: prints its port, then for every line on standard
 * input the processor time that it has used in nanoseconds, its heap after a collection, and its
 * direct memory in bytes.
 */
public final class LoadServer {
  private LoadServer() {}

  /** {@code world [certificate key]}. */
  public static void main(String[] arguments) throws Exception {
    int world = Integer.parseInt(arguments[0]);
    Transport transport =
        arguments.length > 1
            ? new Transport(Path.of(arguments[1]), Path.of(arguments[2]), null, false)
            : Transport.LOOPBACK;
    try (CoordinatorServer server =
        CoordinatorServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            transport,
            CoordinatorOptions.of("load", world),
            CoordinatorListener.NONE)) {
      System.out.println(server.port());
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      while (lines.readLine() != null) {
        long used = processorNanos();
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        // -1 where Netty takes its direct memory from the JDK, which the pools below count.
        long direct =
            Math.max(
                0,
                io.grpc.netty.shaded.io.netty.util.internal.PlatformDependent.usedDirectMemory());
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
          direct += pool.getName().equals("direct") ? pool.getMemoryUsed() : 0;
        }
        System.out.println(used + " " + heap + " " + direct);
      }
    }
  }

  /** Processor time that this process has used, user and system. */
  static long processorNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
