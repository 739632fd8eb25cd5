package dev.lockstep.tools.pjrt;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PluginCache;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The plugin that a user means, and its options. */
public final class Plugins {
  /** Diagnostic code: a file is no plugin. */
  public static final String NO_PLUGIN = "plugin";

  private Plugins() {}

  /**
   * Loads the plugin that {@code word} names; without a word, the installed one for CPUs.
   *
   * @throws EnvironmentException when there is none
   */
  public static PjrtPlugin load(@Nullable String word) {
    return load(word, PjrtPlugin::load);
  }

  /** Loads a plugin like {@link #load}, to compile ahead of time only. */
  public static PjrtPlugin loadAhead(@Nullable String word) {
    return load(word, PjrtPlugin::loadAhead);
  }

  private static PjrtPlugin load(@Nullable String word, Function<Path, PjrtPlugin> loader) {
    Path file = file(word);
    try {
      return loader.apply(file);
    } catch (PjrtException e) {
      // The dynamic linker names the file by its whole path, and this is nothing a plugin says.
      String reason =
          String.valueOf(e.getMessage())
              .replaceFirst(
                  "^/\\S*/" + Pattern.quote(String.valueOf(file.getFileName())) + ": ", "");
      throw DiagnosticException.error(
          NO_PLUGIN, file + " cannot be loaded as a PJRT plugin: " + reason, Location.UNKNOWN);
    }
  }

  private static Path file(@Nullable String word) {
    if (word != null && !word.equals("cpu")) {
      return Path.of(word);
    }
    List<Path> installed = PluginCache.cpuPlugins();
    if (installed.isEmpty()) {
      throw new EnvironmentException(
          "no PJRT plugin is installed; `lockstep pjrt install cpu` gets XLA's for CPUs with pip, "
              + "--plugin FILE.so takes any other");
    }
    return installed.get(0);
  }

  /** Returns the options that {@code words}, each {@code name=value}, give. */
  public static ImmutableMap<String, String> options(List<String> words) {
    ImmutableMap.Builder<String, String> out = ImmutableMap.builder();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals < 1) {
        throw new UsageException("--plugin-option " + word + ": must be NAME=VALUE");
      }
      out.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return out.buildKeepingLast();
  }
}
