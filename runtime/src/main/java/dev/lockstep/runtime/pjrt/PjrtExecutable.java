package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** A compiled program, loaded on its devices. */
public final class PjrtExecutable extends PjrtHandle {
  private static final AtomicInteger LAUNCHES = new AtomicInteger();

  private final PjrtClient client;
  private final CompiledProgram program;
  private final ImmutableList<PjrtDevice> devices;
  private final int outputCount;

  PjrtExecutable(PjrtClient client, long loaded) {
    super(client.plugin(), client, loaded, PjrtNative.LOADED_EXECUTABLE_DESTROY, "executable");
    this.client = client;
    long api = client.plugin().address();
    program =
        new CompiledProgram(
            client.plugin(),
            PjrtNative.related(api, PjrtNative.LOADED_EXECUTABLE_EXECUTABLE, loaded));
    outputCount = program.outputCount();
    ImmutableList.Builder<PjrtDevice> list = ImmutableList.builder();
    for (long device : PjrtNative.pointers(api, PjrtNative.LOADED_EXECUTABLE_DEVICES, loaded)) {
      client.devices().stream().filter(d -> d.address() == device).forEach(list::add);
    }
    devices = list.build();
  }

  @Override
  void beforeDestroy() {
    program.close();
  }

  /** Returns the devices that run it: replica by replica, partition by partition. */
  public ImmutableList<PjrtDevice> devices() {
    return devices;
  }

  /** Returns what the plugin made of the program. */
  public CompiledProgram program() {
    return program;
  }

  /** Returns the types of the results on each device. */
  public ImmutableList<TensorType> outputTypes() {
    return program.outputTypes();
  }

  /** Runs on all devices and waits; no argument is taken over. */
  public ImmutableList<ImmutableList<PjrtBuffer>> execute(
      List<? extends List<PjrtBuffer>> arguments) {
    int count = arguments.isEmpty() ? 0 : arguments.get(0).size();
    return execute(arguments, ImmutableLongArray.copyOf(LongStream.range(0, count)));
  }

  /**
   * Runs on all devices and waits for the end.
   *
   * @param arguments for each of {@link #devices}, the arguments, which live on it
   * @param keep the numbers of the arguments that stay good; all others may be taken over where the
   *     program says so
   * @return for each device, its results, which the caller closes
   * @throws PjrtException if the program fails
   */
  public ImmutableList<ImmutableList<PjrtBuffer>> execute(
      List<? extends List<PjrtBuffer>> arguments, ImmutableLongArray keep) {
    check(arguments);
    List<PjrtBuffer> flat = new ArrayList<>();
    arguments.forEach(flat::addAll);
    long[] results = launch(flat, keep.toArray());
    ImmutableList.Builder<ImmutableList<PjrtBuffer>> out = ImmutableList.builder();
    for (int d = 0; d < devices.size(); d++) {
      ImmutableList.Builder<PjrtBuffer> own = ImmutableList.builder();
      for (int i = 0; i < outputCount; i++) {
        own.add(client.buffer(results[d * outputCount + i]));
      }
      out.add(own.build());
    }
    return out.build();
  }

  /** Runs while everything is held open: the plugin would not survive a buffer that goes. */
  private long[] launch(List<PjrtBuffer> buffers, long[] keep) {
    long[] addresses = new long[buffers.size()];
    int held = 0;
    try {
      for (PjrtBuffer buffer : buffers) {
        addresses[held] = buffer.acquire();
        held++;
      }
      return use(
          loaded ->
              PjrtNative.execute(
                  plugin().address(),
                  loaded,
                  addresses,
                  devices.size(),
                  outputCount,
                  keep,
                  LAUNCHES.incrementAndGet(),
                  0));
    } finally {
      while (held > 0) {
        buffers.get(--held).release();
      }
    }
  }

  private void check(List<? extends List<PjrtBuffer>> arguments) {
    if (arguments.size() != devices.size()) {
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          "arguments for " + arguments.size() + " devices, the program runs on " + devices.size());
    }
    int[] counts = arguments.stream().mapToInt(List::size).distinct().toArray();
    if (counts.length > 1) {
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          "devices have different numbers of arguments: " + Arrays.toString(counts));
    }
  }

  /** Returns what the plugin expects the program to cost, by name. */
  public ImmutableMap<String, String> costs() {
    return program.costs();
  }
}
