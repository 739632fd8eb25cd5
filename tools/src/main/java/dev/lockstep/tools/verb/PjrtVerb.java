package dev.lockstep.tools.verb;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtDevice;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.pjrt.PluginInstaller;
import dev.lockstep.tools.pjrt.Plugins;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what a PJRT plugin says of itself, and gets plugins. */
@Command(
    description = {
      "Say what a PJRT plugin says of itself, or get one.",
      "  pjrt info --plugin FILE.so",
      "  pjrt install cpu",
      "  pjrt install --from FILE.whl"
    })
final class PjrtVerb extends Verb {
  @Parameters(
      arity = "0..2",
      paramLabel = "ACTION",
      description = "info, or install and what to install.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--plugin",
      paramLabel = "FILE",
      description = "The plugin, a shared library; the installed one for CPUs without it.")
  private @Nullable String plugin;

  @Option(
      names = "--plugin-option",
      paramLabel = "NAME=VALUE",
      description = "An option of the plugin for its devices, such as cpu_device_count=8.")
  private List<String> options = new ArrayList<>();

  @Option(names = "--from", paramLabel = "FILE", description = "Install out of this wheel.")
  private @Nullable Path from;

  @Override
  protected boolean readsPrograms() {
    return false;
  }

  @Override
  protected int execute(Session session) throws IOException {
    String action = words.isEmpty() ? "" : words.get(0);
    if (words.size() > 1 && (action.equals("info") || from != null)) {
      throw new UsageException("there is one word too many: '" + words.get(1) + "'");
    }
    switch (action) {
      case "info" -> {
        refuse("does not go with pjrt info", "--from");
        info(session);
      }
      case "install" -> {
        refuse("does not go with pjrt install", "--plugin", "--plugin-option", "-o");
        install(session);
      }
      default -> throw new UsageException("pjrt what? info or install");
    }
    return ExitCode.OK;
  }

  private void install(Session session) throws IOException {
    Path installed;
    if (from != null) {
      installed = PluginInstaller.installFrom(from);
    } else if (words.size() == 2) {
      session.doing("installing " + words.get(1));
      installed = PluginInstaller.install(words.get(1));
    } else {
      throw new UsageException("install what? cpu, or --from FILE.whl");
    }
    session.report().put("plugin", installed.toString());
    if (!session.isJson()) {
      session.console().out().println(PjrtPlugin.load(installed));
    }
  }

  private void info(Session session) throws IOException {
    PjrtPlugin loaded = Plugins.load(plugin);
    StringBuilder out = new StringBuilder();
    line(out, "plugin", loaded.path());
    line(out, "version", loaded.major() + "." + loaded.minor());
    line(out, "table", loaded.tableSize() + " bytes");
    line(out, "extensions", loaded.extensions().toString());
    loaded.attributes().forEach((name, value) -> line(out, name, value));
    session.report().put("plugin", loaded.path().toString());
    session.report().put("version", loaded.major() + "." + loaded.minor());
    session.report().put("attributes", loaded.attributes());
    try (PjrtClient client = PjrtClient.create(loaded, Plugins.options(options))) {
      line(out, "platform", client.platformName() + ", " + client.platformVersion());
      List<Object> devices = new ArrayList<>();
      for (PjrtDevice device : client.devices()) {
        line(out, "device " + device.id(), device.kind() + ", " + device.text());
        devices.add(
            ImmutableMap.of("id", device.id(), "kind", device.kind(), "process", device.process()));
      }
      session.report().put("platform", client.platformName());
      session.report().put("devices", devices);
    } catch (PjrtException e) {
      line(out, "no devices", e.code() + ": " + e.getMessage());
      session.report().put("no_devices", e.code() + ": " + e.getMessage());
    }
    if (!session.isJson() || output() != null) {
      session.writeResult(output(), "text", out.toString());
    }
  }

  private static void line(StringBuilder out, String name, Object value) {
    out.append(name).append(" ".repeat(Math.max(1, 28 - name.length()))).append(value).append('\n');
  }
}
