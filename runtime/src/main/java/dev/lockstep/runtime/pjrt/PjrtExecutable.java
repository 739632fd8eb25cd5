package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.interp.Flattening;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A compiled program, loaded on its devices. */
public final class PjrtExecutable extends PjrtHandle {
  private static final AtomicInteger LAUNCHES = new AtomicInteger();
  private static final String DONATED = "was donated to a launch";

  private final PjrtClient client;
  private final CompiledProgram program;
  private final ImmutableList<PjrtDevice> devices;
  private final int outputCount;

  /** What each device takes, once somebody has asked. */
  private volatile @Nullable ImmutableList<TensorType> parameters;

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

  /** Returns how many results each device gives. */
  int outputCount() {
    return outputCount;
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
   * <p>Arguments that are not kept are donated: the program may take their memory over where it
   * says so, and whether or not it does, they are closed once the launch has begun. A launch that
   * the plugin refuses gives them back.
   *
   * @param arguments for each of {@link #devices}, the arguments, which live on it
   * @param keep the numbers of the arguments that stay good
   * @return for each device, its results, which the caller closes
   * @throws PjrtException if the arguments do not fit the devices, or the program fails
   * @throws IllegalStateException if this or an argument is closed, or was donated
   */
  public ImmutableList<ImmutableList<PjrtBuffer>> execute(
      List<? extends List<PjrtBuffer>> arguments, ImmutableLongArray keep) {
    check(arguments);
    List<PjrtBuffer> flat = new ArrayList<>();
    arguments.forEach(flat::addAll);
    long[] kept = keep.toArray();
    // The client must not go before the results are among what it closes.
    return client.use(
        unused -> use(loaded -> results(launch(loaded, flat, kept, donated(arguments, keep)))));
  }

  private ImmutableList<ImmutableList<PjrtBuffer>> results(long[] addresses) {
    ImmutableList.Builder<ImmutableList<PjrtBuffer>> out = ImmutableList.builder();
    for (int d = 0; d < devices.size(); d++) {
      ImmutableList.Builder<PjrtBuffer> own = ImmutableList.builder();
      for (int i = 0; i < outputCount; i++) {
        own.add(client.buffer(addresses[d * outputCount + i], devices.get(d)));
      }
      out.add(own.build());
    }
    return out.build();
  }

  private static List<PjrtBuffer> donated(
      List<? extends List<PjrtBuffer>> arguments, ImmutableLongArray keep) {
    int count = arguments.get(0).size();
    boolean[] stays = new boolean[count];
    keep.forEach(
        i -> {
          if (i >= 0 && i < count) {
            stays[(int) i] = true;
          }
        });
    List<PjrtBuffer> out = new ArrayList<>();
    for (int d = 0; d < arguments.size(); d++) {
      List<PjrtBuffer> own = arguments.get(d);
      for (int i = 0; i < count; i++) {
        if (stays[i]) {
          continue;
        }
        for (int k = 0; k < count; k++) {
          if (k != i && own.get(k) == own.get(i)) {
            throw new PjrtException(
                PjrtCode.INVALID_ARGUMENT,
                "argument " + i + " of device " + d + " is donated and also argument " + k);
          }
        }
        out.add(own.get(i));
      }
    }
    return out;
  }

  /** Runs while everything is held open: the plugin would not survive a buffer that goes. */
  private long[] launch(
      long loaded, List<PjrtBuffer> buffers, long[] keep, List<PjrtBuffer> donated) {
    long[] addresses = new long[buffers.size()];
    List<PjrtBuffer> taken = new ArrayList<>(donated.size());
    List<PjrtBuffer> held = new ArrayList<>(buffers.size());
    boolean began = false;
    try {
      // Those that go are taken first and waited for last, so that no two launches wait for each
      // other's.
      for (PjrtBuffer buffer : donated) {
        buffer.take(DONATED);
        taken.add(buffer);
      }
      for (int i = 0; i < addresses.length; i++) {
        PjrtBuffer buffer = buffers.get(i);
        if (isAmong(taken, buffer)) {
          addresses[i] = buffer.takenAddress();
        } else {
          addresses[i] = buffer.acquire();
          held.add(buffer);
        }
      }
      taken.forEach(PjrtHandle::awaitUsers);
      long[] results = new long[devices.size() * outputCount];
      PjrtNative.launch(
          plugin().address(),
          loaded,
          addresses,
          devices.size(),
          outputCount,
          keep,
          nextLaunch(),
          0,
          true,
          results);
      began = true;
      return results;
    } finally {
      held.forEach(PjrtHandle::release);
      for (PjrtBuffer buffer : taken) {
        end(buffer, began);
      }
    }
  }

  private static boolean isAmong(List<PjrtBuffer> taken, PjrtBuffer buffer) {
    for (PjrtBuffer each : taken) {
      if (each == buffer) {
        return true;
      }
    }
    return false;
  }

  /** A launch that failed may have taken the memory all the same. */
  private void end(PjrtBuffer taken, boolean began) {
    long api = plugin().address();
    if (began || PjrtNative.flag(api, PjrtNative.BUFFER_IS_DELETED, taken.takenAddress())) {
      taken.consume();
    } else {
      taken.giveBack();
    }
  }

  /** Returns a number that no other launch of this process has; collectives meet under it. */
  static int nextLaunch() {
    return LAUNCHES.incrementAndGet();
  }

  private void check(List<? extends List<PjrtBuffer>> arguments) {
    if (arguments.size() != devices.size()) {
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          "arguments for " + arguments.size() + " devices, the program runs on " + devices.size());
    }
    int count = arguments.get(0).size();
    for (int d = 0; d < arguments.size(); d++) {
      List<PjrtBuffer> own = arguments.get(d);
      if (own.size() != count) {
        throw new PjrtException(
            PjrtCode.INVALID_ARGUMENT,
            "devices have different numbers of arguments: "
                + Arrays.toString(arguments.stream().mapToInt(List::size).distinct().toArray()));
      }
      for (int i = 0; i < count; i++) {
        PjrtDevice there = own.get(i).device();
        if (!there.equals(devices.get(d))) {
          throw new PjrtException(
              PjrtCode.INVALID_ARGUMENT,
              String.format(
                  "argument %d of %s lives on %s; nothing is copied between devices by itself",
                  i, devices.get(d), there));
        }
      }
    }
    if (devices.size() > 1) {
      checkTypes(arguments);
    }
  }

  /**
   * A device whose arguments are wrong does not start, and others would wait for it; after a launch
   * on several devices that XLA's CPU client of PJRT 0.81 refuses, the next one never ends.
   */
  private void checkTypes(List<? extends List<PjrtBuffer>> arguments) {
    ImmutableList<TensorType> wanted = parameters;
    if (wanted == null) {
      wanted = parameters();
      parameters = wanted;
    }
    for (int d = 0; d < arguments.size(); d++) {
      List<PjrtBuffer> own = arguments.get(d);
      if (!wanted.isEmpty() && wanted.size() != own.size()) {
        throw new PjrtException(
            PjrtCode.INVALID_ARGUMENT,
            own.size() + " arguments, the program takes " + wanted.size());
      }
      for (int i = 0; i < own.size(); i++) {
        TensorType type = wanted.isEmpty() ? arguments.get(0).get(i).type() : wanted.get(i);
        if (!own.get(i).type().isSameShape(type)) {
          throw new PjrtException(
              PjrtCode.INVALID_ARGUMENT,
              String.format(
                  "argument %d of %s is a %s, must be a %s",
                  i, devices.get(d), own.get(i).type(), type));
        }
      }
    }
  }

  /** Returns what each device takes, as far as the plugin says it; else nothing. */
  private ImmutableList<TensorType> parameters() {
    // The programs of other platforms may be very large, and their clients survive refusals.
    if (!client.platformName().equals("cpu")) {
      return ImmutableList.of();
    }
    try {
      return program
          .optimized()
          .entryFunction()
          .map(Flattening::arguments)
          .orElse(ImmutableList.of());
    } catch (PjrtException | DiagnosticException e) {
      return ImmutableList.of();
    }
  }

  /** Returns what the plugin expects the program to cost, by name. */
  public ImmutableMap<String, String> costs() {
    return program.costs();
  }
}
