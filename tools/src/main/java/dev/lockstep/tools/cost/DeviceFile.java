package dev.lockstep.tools.cost;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Nearest;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.pass.cost.Constant;
import dev.lockstep.pass.cost.DeviceConstant;
import dev.lockstep.pass.cost.DeviceModel;
import dev.lockstep.runtime.json.JsonTree;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.input.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** Reads device files: a name, and constants with value, unit and source (docs/estimate.md). */
public final class DeviceFile {
  /** Diagnostic code: a device file is wrong. */
  public static final String CODE = "device-file";

  /** The devices that need no file. */
  public static final ImmutableList<String> KNOWN =
      ImmutableList.of("v5e", "v5p", "tpu7x", "h100", "mi350x");

  private DeviceFile() {}

  /**
   * Returns the device that {@code word} names: a file, else one of {@link #KNOWN}.
   *
   * @throws DiagnosticException when there is none, or it is wrong
   */
  public static DeviceModel read(Session session, String word) {
    if (!Files.exists(Path.of(word))) {
      if (KNOWN.contains(word)) {
        return known(word);
      }
      throw DiagnosticException.error(
          CODE,
          word
              + " is no file, and none of the known devices "
              + String.join(", ", KNOWN)
              + Nearest.hint(word, KNOWN, ""),
          Location.UNKNOWN);
    }
    Source source = InputFile.of(Path.of(word)).read(session);
    return parse(source);
  }

  /** Returns a device of {@link #KNOWN}. */
  public static DeviceModel known(String name) {
    try (InputStream in = DeviceFile.class.getResourceAsStream("/devices/" + name + ".json")) {
      if (in == null) {
        throw new IllegalArgumentException("no device is called " + name);
      }
      return parse(Source.of(name, in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the device that {@code source} describes.
   *
   * @throws DiagnosticException when something is missing, unknown or has another unit
   */
  static DeviceModel parse(Source source) {
    JsonTree root = JsonTree.read(source, CODE);
    JsonTree listed = root.get("constants");
    if (listed == null || !listed.is(JsonTree.Kind.OBJECT)) {
      throw (listed == null ? root : listed).error("constants must be an object");
    }
    ImmutableMap.Builder<DeviceConstant, Constant> constants = ImmutableMap.builder();
    Set<String> unknown = new LinkedHashSet<>(listed.members().keySet());
    for (DeviceConstant constant : DeviceConstant.values()) {
      JsonTree given = listed.get(constant.key());
      JsonTree value = given == null ? null : given.get("value");
      JsonTree origin = given == null ? null : given.get("source");
      JsonTree unit = given == null ? null : given.get("unit");
      if (given == null
          || value == null
          || !value.is(JsonTree.Kind.NUMBER)
          || unit == null
          || origin == null
          || !origin.is(JsonTree.Kind.STRING)) {
        throw (given == null ? listed : given)
            .error(
                constant.key()
                    + " must be {\"value\": NUMBER, \"unit\": \""
                    + constant.unit()
                    + "\", \"source\": WORDS}");
      }
      unknown.remove(constant.key());
      try {
        constants.put(
            constant, new Constant(Double.parseDouble(value.text()), unit.text(), origin.text()));
      } catch (IllegalArgumentException e) {
        throw given.error(constant.key() + ": " + e.getMessage());
      }
    }
    if (!unknown.isEmpty()) {
      throw requireNonNull(listed.get(unknown.iterator().next()))
          .error("no constants are called " + String.join(", ", unknown));
    }
    JsonTree name = root.get("name");
    try {
      return new DeviceModel(name == null ? source.name() : name.text(), constants.buildOrThrow());
    } catch (IllegalArgumentException e) {
      throw listed.error(String.valueOf(e.getMessage()));
    }
  }
}
