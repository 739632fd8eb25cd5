package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.literal.Literal;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A plugin's devices, opened. Closing it closes its executables and buffers first. */
public final class PjrtClient extends PjrtHandle {
  private final ImmutableList<PjrtDevice> devices;
  private final String platformName;
  private final String platformVersion;

  private PjrtClient(PjrtPlugin plugin, long address) {
    super(plugin, null, address, PjrtNative.CLIENT_DESTROY, "client");
    long api = plugin.address();
    platformName =
        PjrtNative.string(PjrtNative.text(api, PjrtNative.CLIENT_PLATFORM_NAME, address));
    platformVersion =
        PjrtNative.string(PjrtNative.text(api, PjrtNative.CLIENT_PLATFORM_VERSION, address));
    ImmutableList.Builder<PjrtDevice> list = ImmutableList.builder();
    for (long device : PjrtNative.pointers(api, PjrtNative.CLIENT_ADDRESSABLE_DEVICES, address)) {
      long description = PjrtNative.related(api, PjrtNative.DEVICE_DESCRIPTION, device);
      list.add(
          new PjrtDevice(
              this,
              device,
              PjrtNative.number(api, PjrtNative.DESCRIPTION_ID, description),
              PjrtNative.number(api, PjrtNative.DESCRIPTION_PROCESS_INDEX, description),
              PjrtNative.string(PjrtNative.text(api, PjrtNative.DESCRIPTION_KIND, description)),
              PjrtNative.string(
                  PjrtNative.text(api, PjrtNative.DESCRIPTION_TO_STRING, description))));
    }
    devices = list.build();
  }

  /**
   * Opens the devices of {@code plugin}.
   *
   * @param options the plugin's own, such as {@code cpu_device_count} for XLA's CPU plugin
   * @throws PjrtException if the plugin finds no devices or does not take an option
   */
  public static PjrtClient create(PjrtPlugin plugin, Map<String, String> options) {
    return create(plugin, options, 0);
  }

  /**
   * Opens the devices of {@code plugin} as one process of several.
   *
   * @param options the plugin's own; those of CUDA say {@code node_id} and {@code num_nodes}
   * @param store what the plugin finds the other processes through; to be closed after this
   * @throws PjrtException if the plugin finds no devices, does not take an option, or waits in vain
   *     for another process
   */
  public static PjrtClient create(
      PjrtPlugin plugin, Map<String, String> options, PjrtKeyValueStore store) {
    return create(plugin, options, store.address());
  }

  private static PjrtClient create(PjrtPlugin plugin, Map<String, String> options, long store) {
    long address =
        PjrtNative.createClient(
            plugin.address(), PjrtPlugin.encode(ImmutableMap.copyOf(options)), store);
    return new PjrtClient(plugin, address);
  }

  /** Returns the name of the platform: {@code cpu}, {@code cuda}, {@code tpu}. */
  public String platformName() {
    return platformName;
  }

  /** Returns the version of the platform. */
  public String platformVersion() {
    return platformVersion;
  }

  /** Returns the devices that this process can use, in the plugin's order. */
  public ImmutableList<PjrtDevice> devices() {
    return devices;
  }

  /**
   * Compiles a program.
   *
   * @throws PjrtException with the plugin's words if the program is wrong or not supported; with
   *     ours if there is no such device
   */
  public PjrtExecutable compile(PjrtProgram program, CompileOptions options) {
    checkDevices(options);
    return use(
        client -> {
          long loaded =
              PjrtNative.compile(
                  plugin().address(),
                  client,
                  program.code(),
                  PjrtNative.utf8(program.format()),
                  options.toByteArray());
          PjrtExecutable executable = new PjrtExecutable(this, loaded);
          adopt(executable);
          return executable;
        });
  }

  /** XLA ends the process over some devices that are not there. */
  private void checkDevices(CompileOptions options) {
    int wanted = options.replicas() * options.partitions();
    if (wanted > devices.size()) {
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          "the program is for " + wanted + " devices, the client has " + devices.size());
    }
    Set<Integer> seen = new HashSet<>();
    options
        .devices()
        .forEach(
            id -> {
              if (devices.stream().noneMatch(device -> device.id() == id)) {
                throw new PjrtException(
                    PjrtCode.NOT_FOUND, "the client has no device with the id " + id);
              }
              if (!seen.add(id)) {
                throw new PjrtException(
                    PjrtCode.INVALID_ARGUMENT, "device " + id + " is named twice");
              }
            });
  }

  /**
   * Copies {@code value} to {@code device}.
   *
   * @throws PjrtException if the plugin has no such type or no room
   */
  public PjrtBuffer toDevice(Literal value, PjrtDevice device) {
    if (device.client() != this) {
      throw new IllegalArgumentException(device + " belongs to another client");
    }
    int type = PjrtTypes.number(value.element(), plugin());
    ByteBuffer data = PjrtTypes.bytes(value);
    long[] dims = value.dims().toArray();
    return use(
        client ->
            buffer(
                PjrtNative.toDevice(plugin().address(), client, device.address(), type, dims, data),
                device));
  }

  /** Makes this own a native buffer; the caller holds this open. */
  PjrtBuffer buffer(long address, PjrtDevice device) {
    PjrtBuffer buffer = new PjrtBuffer(this, address, device);
    adopt(buffer);
    return buffer;
  }
}
