package dev.lockstep.tools.verb;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.region.fingerprint.Fingerprint;
import dev.lockstep.pass.region.fingerprint.ProgramFingerprints;
import dev.lockstep.pass.region.fingerprint.RegionFingerprint;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.program.Programs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints the fingerprints of programs and of their pieces between collectives. */
@Command(
    description = {
      "Print fingerprints of programs and of their pieces.",
      "Of the whole, of the structure (values of literals left out), and of each piece between the"
          + " places where ranks meet. Names, locations and metadata do not count; types, groups"
          + " (as ranks where both counts are known) and compile options do."
    })
final class FingerprintVerb extends Verb {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files, folders, patterns in quotes; - for standard input.")
  private List<String> words = new ArrayList<>();

  @Mixin private CountOptions counts = new CountOptions();

  @Override
  protected int execute(Session session) throws IOException {
    counts.check(session);
    ImmutableList<InputFile> files = InputFiles.collect(words);
    StringBuilder text = new StringBuilder();
    List<Map<String, Object>> described = new ArrayList<>();
    for (InputFile file : files) {
      Module module = Programs.readVerified(session, file.read(session));
      session.doing("fingerprinting " + file.name());
      ProgramFingerprints fingerprints = ProgramFingerprints.of(module, grid(module));
      if (files.size() > 1) {
        text.append(text.length() == 0 ? "" : "\n").append(file.name()).append('\n');
      }
      text.append(text(module, fingerprints));
      described.add(describe(file, module, fingerprints));
      session.forget(file.name());
    }
    session.report().put("algorithm", Fingerprint.ALGORITHM);
    session.report().put("files", described);
    if (!session.isJson() || output() != null) {
      session.writeResult(output(), "text", text.toString());
    }
    return ExitCode.OK;
  }

  /** Returns the devices when both counts are known from the program or the flags. */
  private @Nullable DeviceGrid grid(Module module) {
    OptionalInt replicas = module.replicas().isPresent() ? module.replicas() : counts.replicas();
    OptionalInt partitions =
        module.partitions().isPresent() ? module.partitions() : counts.partitions();
    return replicas.isPresent() && partitions.isPresent()
        ? CountOptions.grid(replicas.getAsInt(), partitions.getAsInt())
        : null;
  }

  private static String text(Module module, ProgramFingerprints fingerprints) {
    StringBuilder out = new StringBuilder();
    out.append("whole       ").append(fingerprints.whole()).append('\n');
    out.append("structural  ").append(fingerprints.structural()).append('\n');
    int width = 5;
    int what = 8;
    for (RegionFingerprint region : fingerprints.regions()) {
      width = Math.max(width, region.path().length());
      what = Math.max(what, what(module, region).length());
    }
    String format = "%-" + width + "s  %-" + what + "s  %5s  %11s  %s%n";
    out.append(String.format(format, "piece", "what", "ops", "lines", "fingerprint"));
    for (RegionFingerprint region : fingerprints.regions()) {
      out.append(
          String.format(
              format,
              region.path(),
              what(module, region),
              region.operations().size(),
              lines(region),
              region.fingerprint()));
    }
    return out.toString();
  }

  private static String what(Module module, RegionFingerprint region) {
    Operation first = region.operations().get(0);
    return region.communicates() ? SiteWords.name(first, module) : "computes";
  }

  private static String lines(RegionFingerprint region) {
    int first = line(region.operations().get(0));
    int last = line(region.operations().get(region.operations().size() - 1));
    return first == last ? Integer.toString(first) : first + "-" + last;
  }

  private static int line(Operation operation) {
    Location location = operation.location();
    return location.isKnown() ? location.line() : 0;
  }

  private static Map<String, Object> describe(
      InputFile file, Module module, ProgramFingerprints fingerprints) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("file", file.name());
    out.put("whole", fingerprints.whole().text());
    out.put("structural", fingerprints.structural().text());
    List<Map<String, Object>> pieces = new ArrayList<>();
    for (RegionFingerprint region : fingerprints.regions()) {
      Map<String, Object> piece = new LinkedHashMap<>();
      piece.put("piece", region.path());
      piece.put("what", what(module, region));
      piece.put("communicates", region.communicates());
      piece.put("ops", region.operations().size());
      piece.put("first_line", line(region.operations().get(0)));
      piece.put("last_line", line(region.operations().get(region.operations().size() - 1)));
      piece.put("fingerprint", region.fingerprint().text());
      pieces.add(piece);
    }
    out.put("pieces", pieces);
    return out;
  }
}
