package dev.lockstep.tools.cost;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.pass.cost.Constant;
import dev.lockstep.pass.cost.DeviceConstant;
import dev.lockstep.pass.cost.DeviceModel;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.input.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

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
    if (!Files.exists(Path.of(word)) && KNOWN.contains(word)) {
      return known(word);
    }
    if (!Files.exists(Path.of(word))) {
      throw DiagnosticException.error(
          CODE,
          word + " is no file, and none of the known devices " + String.join(", ", KNOWN),
          Location.UNKNOWN);
    }
    Source source = InputFile.of(Path.of(word)).read(session);
    return parse(word, source.text(0, source.length()));
  }

  /** Returns a device of {@link #KNOWN}. */
  public static DeviceModel known(String name) {
    try (InputStream in = DeviceFile.class.getResourceAsStream("/devices/" + name + ".json")) {
      if (in == null) {
        throw new IllegalArgumentException("no device is called " + name);
      }
      return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the device that {@code text} describes.
   *
   * @throws DiagnosticException when something is missing, unknown or has another unit
   */
  static DeviceModel parse(String name, String text) {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw wrong(name, "it is not JSON: " + e.getOriginalMessage());
    }
    JsonNode listed = root.path("constants");
    ImmutableMap.Builder<DeviceConstant, Constant> constants = ImmutableMap.builder();
    List<String> unknown = new ArrayList<>();
    Iterator<String> names = listed.fieldNames();
    names.forEachRemaining(unknown::add);
    for (DeviceConstant constant : DeviceConstant.values()) {
      JsonNode given = listed.path(constant.key());
      JsonNode value = given.path("value");
      if (!value.isNumber() || !given.path("source").isTextual()) {
        throw wrong(
            name,
            constant.key()
                + " must be {\"value\": NUMBER, \"unit\": \""
                + constant.unit()
                + "\", \"source\": WORDS}");
      }
      unknown.remove(constant.key());
      try {
        constants.put(
            constant,
            new Constant(
                value.asDouble(), given.path("unit").asText(), given.path("source").asText()));
      } catch (IllegalArgumentException e) {
        throw wrong(name, constant.key() + ": " + e.getMessage());
      }
    }
    if (!unknown.isEmpty()) {
      throw wrong(name, "it has unknown constants: " + String.join(", ", unknown));
    }
    try {
      return new DeviceModel(root.path("name").asText(name), constants.buildOrThrow());
    } catch (IllegalArgumentException e) {
      throw wrong(name, String.valueOf(e.getMessage()));
    }
  }

  private static DiagnosticException wrong(String name, String message) {
    return DiagnosticException.error(
        CODE, "device file " + name + ": " + message, Location.UNKNOWN);
  }
}
