package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A loaded plugin. It is loaded once in a process and stays: unloading is unsafe.
 *
 * <p>Any version of the C ABI from 0.69 on is spoken; functions that a plugin lacks fail with
 * {@link PjrtCode#UNIMPLEMENTED}.
 */
public final class PjrtPlugin {
  private static final Map<Path, PjrtPlugin> LOADED = new HashMap<>();

  private final Path path;
  private final long address;
  private final ImmutableLongArray facts;

  private PjrtPlugin(Path path, long address) {
    this.path = path;
    this.address = address;
    this.facts = ImmutableLongArray.copyOf(PjrtNative.facts(address));
  }

  /**
   * Returns the plugin in {@code file}, a shared library.
   *
   * @throws PjrtUnavailableException if the native shim or the file is missing
   * @throws PjrtException if it is no plugin or one of another major version
   */
  public static synchronized PjrtPlugin load(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new PjrtUnavailableException(
          "there is no plugin " + file + "; `lockstep pjrt install cpu` gets XLA's for CPUs");
    }
    ShimLibrary.load();
    Path real;
    try {
      real = file.toRealPath();
    } catch (IOException e) {
      throw new PjrtUnavailableException(file + " cannot be read: " + e.getMessage());
    }
    PjrtPlugin plugin = LOADED.get(real);
    if (plugin == null) {
      plugin = new PjrtPlugin(real, PjrtNative.open(PjrtNative.utf8(real.toString())));
      LOADED.put(real, plugin);
    }
    return plugin;
  }

  /**
   * Returns the plugin in {@code file} like {@link #load}, to compile ahead of time only: libtpu
   * then asks no server which TPUs there are, which takes minutes where there are none. A variable
   * that the user has set stays.
   */
  public static synchronized PjrtPlugin loadAhead(Path file) {
    if (Files.isRegularFile(file)) {
      ShimLibrary.load();
      PjrtNative.environment(PjrtNative.utf8("TPU_SKIP_MDS_QUERY"), PjrtNative.utf8("1"));
    }
    return load(file);
  }

  /** Returns why no plugin can be loaded by this build on this machine, if so. */
  public static Optional<String> whyUnavailable() {
    try {
      ShimLibrary.load();
      return Optional.empty();
    } catch (PjrtUnavailableException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  long address() {
    return address;
  }

  /** Returns the file. */
  public Path path() {
    return path;
  }

  /** Returns the major version of the C ABI, which is 0. */
  public int major() {
    return (int) facts.get(0);
  }

  /** Returns the minor version of the C ABI. */
  public int minor() {
    return (int) facts.get(1);
  }

  /** Returns the bytes of the table of functions. */
  public long tableSize() {
    return facts.get(2);
  }

  /** Returns the types of the extensions, in the plugin's order. */
  public ImmutableLongArray extensions() {
    return facts.subArray(3, facts.length()).trimmed();
  }

  /** Returns what the plugin says of itself, by name: {@code xla_version} and so on. */
  public ImmutableMap<String, String> attributes() {
    return values(PjrtNative.string(PjrtNative.attributes(address)));
  }

  /** Returns the values of lines that hold a name, a type and a value. */
  static ImmutableMap<String, String> values(String lines) {
    ImmutableMap.Builder<String, String> out = ImmutableMap.builder();
    for (String line : lines.lines().collect(ImmutableList.toImmutableList())) {
      String[] parts = line.split("\t", 3);
      if (parts.length == 3) {
        out.put(parts[0], parts[2]);
      }
    }
    return out.buildKeepingLast();
  }

  /**
   * Returns options as the shim takes them. The type is taken from the value: integers, {@code
   * true} and {@code false}, else text.
   */
  static byte[][] encode(Map<String, String> options) {
    byte[][] out = new byte[options.size()][];
    int i = 0;
    for (Map.Entry<String, String> option : options.entrySet()) {
      String value = option.getValue();
      String type =
          value.matches("-?\\d{1,18}")
              ? "int"
              : value.matches("true|false")
                  ? "bool"
                  : value.matches("-?\\d*\\.\\d+") ? "float" : "string";
      out[i++] = PjrtNative.utf8(option.getKey() + "\t" + type + "\t" + value);
    }
    return out;
  }

  @Override
  public String toString() {
    return path + " (PJRT " + major() + "." + minor() + ")";
  }
}
