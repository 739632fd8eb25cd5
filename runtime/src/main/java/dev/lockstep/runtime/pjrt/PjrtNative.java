package dev.lockstep.runtime.pjrt;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The functions of the native shim. Handles are addresses that nothing checks: only the classes of
 * this package, which own them, may call. All of them throw {@link PjrtException}.
 */
final class PjrtNative {
  // Places in the plugin's table of functions, as in pjrt_abi.h.
  static final int CLIENT_DESTROY = 11;
  static final int CLIENT_PLATFORM_NAME = 12;
  static final int CLIENT_PROCESS_INDEX = 13;
  static final int CLIENT_PLATFORM_VERSION = 14;
  static final int CLIENT_DEVICES = 15;
  static final int CLIENT_ADDRESSABLE_DEVICES = 16;
  static final int DESCRIPTION_ID = 23;
  static final int DESCRIPTION_PROCESS_INDEX = 24;
  static final int DESCRIPTION_KIND = 26;
  static final int DESCRIPTION_TO_STRING = 28;
  static final int DEVICE_DESCRIPTION = 29;
  static final int EXECUTABLE_DESTROY = 40;
  static final int EXECUTABLE_NAME = 41;
  static final int EXECUTABLE_OUTPUTS = 44;
  static final int EXECUTABLE_CODE_SIZE = 45;
  static final int LOADED_EXECUTABLE_DESTROY = 50;
  static final int LOADED_EXECUTABLE_EXECUTABLE = 51;
  static final int LOADED_EXECUTABLE_DEVICES = 52;
  static final int BUFFER_DESTROY = 58;
  static final int BUFFER_DEVICE = 65;
  static final int BUFFER_IS_DELETED = 68;
  static final int TOPOLOGY_DESTROY = 83;
  static final int TOPOLOGY_PLATFORM_NAME = 84;
  static final int TOPOLOGY_DEVICES = 86;

  private PjrtNative() {}

  /** Sets a variable of the process's environment unless it is set. */
  static native void environment(byte[] name, byte[] value);

  /** Loads the plugin at {@code path}, once in a process. */
  static native long open(byte[] path);

  /** Returns major, minor, bytes of the table, and the types of extensions. */
  static native long[] facts(long plugin);

  /** Returns the plugin's attributes as lines: name, type and value with tabs between them. */
  static native byte[] attributes(long plugin);

  /** Returns a client; options are lines as {@link #attributes} gives them. */
  /** Opens devices; {@code store} is of {@link #openKeyValues}, or 0. */
  static native long createClient(long plugin, byte[][] options, long store);

  /** Makes a key-value store. It is never freed, as a plugin's threads may call it at any time. */
  static native long openKeyValues();

  /** Returns whether the key is new. */
  static native boolean fillKeyValues(long store, byte[] key, byte[] value);

  /** Returns key and value of what the plugin has put, or null after {@code timeout} ms. */
  static native byte @Nullable [][] takeKeyValue(long store, long timeout);

  static native void closeKeyValues(long store);

  static native void destroy(long plugin, int function, long object);

  static native byte[] text(long plugin, int function, long object);

  static native int number(long plugin, int function, long object);

  static native long size(long plugin, int function, long object);

  static native boolean flag(long plugin, int function, long object);

  static native long related(long plugin, int function, long object);

  static native long[] pointers(long plugin, int function, long object);

  static native long compile(
      long plugin, long client, byte[] program, byte[] format, byte[] options);

  static native long createTopology(long plugin, byte[] name, byte[][] options);

  static native long compileAhead(
      long plugin, long topology, byte[] program, byte[] format, byte[] options);

  /** Returns, for each output, its type, its rank and its sizes. */
  static native long[] outputs(long plugin, long executable);

  /** Returns the format of the optimised program, and the program. */
  static native byte[][] optimized(long plugin, long executable);

  static native long[] memory(long plugin, long executable);

  static native byte[] costs(long plugin, long executable);

  static native long toDevice(
      long plugin, long client, long device, int type, long[] dims, ByteBuffer data);

  static native long hostSize(long plugin, long buffer, int rank);

  static native void toHost(long plugin, long buffer, int rank, ByteBuffer data, long size);

  /** Returns the type and the sizes of a buffer. */
  static native long[] shape(long plugin, long buffer);

  /**
   * Runs an executable on all its devices, or on {@code device} alone.
   *
   * @param arguments those of the first device, then of the second
   * @param keep the numbers of arguments that the program may not take over
   * @param wait whether to wait for the end; else {@code out} gets the events to wait for
   * @param out gets the results of the first device, then of the second, then an event a device
   */
  static native void launch(
      long plugin,
      long executable,
      long[] arguments,
      int devices,
      int outputs,
      long[] keep,
      int launch,
      long device,
      boolean wait,
      long[] out);

  /** Waits for the first {@code count} events and destroys them; throws the first failure. */
  static native void await(long plugin, long[] events, int count);

  /** Destroys the first {@code count} objects; zeros are left out. */
  static native void destroyAll(long plugin, int function, long[] objects, int count);

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String string(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
