package dev.lockstep.tools.program;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.proto.HloProtos;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.translate.Translation;
import dev.lockstep.tools.UsageException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** The formats that programs are written in. */
public enum OutputFormat {
  /** MLIR text. */
  STABLEHLO,
  /** HLO text. */
  HLO,
  /** A serialized {@code HloModuleProto}. */
  HLO_PROTO,
  /** The same as protobuf's text. */
  HLO_PROTO_TEXT;

  /** Returns what users call the format. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the format that users call {@code word}.
   *
   * @throws UsageException when there is none
   */
  public static OutputFormat named(String word) {
    ImmutableList<OutputFormat> all = ImmutableList.copyOf(values());
    return all.stream()
        .filter(format -> format.word().equals(word.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "no format is called '"
                        + word
                        + "'; there are "
                        + String.join(
                            ", ", Arrays.stream(values()).map(OutputFormat::word).toList())));
  }

  /** Returns the text format of the syntax that {@code module} is in. */
  public static OutputFormat of(Module module) {
    return module.syntax() == Syntax.HLO ? HLO : STABLEHLO;
  }

  /**
   * Returns what a file that was read as {@code name} is called when {@code written} is in it: as
   * before, unless its ending says that it is a torch FX graph or another of these formats.
   */
  public static String fileName(String name, OutputFormat written) {
    String ending =
        switch (written) {
          case STABLEHLO -> ".mlir";
          case HLO -> ".hlo";
          case HLO_PROTO -> ".pb";
          case HLO_PROTO_TEXT -> ".pbtxt";
        };
    String plain = name.replaceFirst("\\.fx(?:\\.txt|\\.py)?$", "");
    if (plain.equals(name) && !name.endsWith(ending)) {
      plain = name.replaceFirst("\\.(?:mlir|hlo|pb|pbtxt)$", "");
    }
    return plain.equals(name) ? name : plain + ending;
  }

  /** Returns whether what is written is text. */
  public boolean isText() {
    return this != HLO_PROTO;
  }

  /**
   * Returns {@code module} in this format; text is UTF-8.
   *
   * @throws DiagnosticException when it holds something that the format has no form for
   */
  public byte[] write(Module module) {
    Syntax syntax = this == STABLEHLO ? Syntax.STABLEHLO : Syntax.HLO;
    Module written = Translation.to(syntax, module);
    return switch (this) {
      case STABLEHLO, HLO -> Texts.print(written).getBytes(StandardCharsets.UTF_8);
      case HLO_PROTO -> HloProtos.write(written).toByteArray();
      case HLO_PROTO_TEXT -> HloProtos.writeText(written).getBytes(StandardCharsets.UTF_8);
    };
  }
}
