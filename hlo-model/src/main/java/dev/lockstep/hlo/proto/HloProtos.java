package dev.lockstep.hlo.proto;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.protobuf.TextFormat;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.proto.xla.HloModuleProto;
import dev.lockstep.hlo.text.hlo.HloReader;

/**
 * Reads and writes {@code HloModuleProto}s, binary and as text.
 *
 * <p>A module that was read from a proto is one in HLO syntax. Its locations are places in the HLO
 * text that says what the proto says. What no text says, unknown fields included, is kept on the
 * module, its computations and instructions and is written again.
 */
public final class HloProtos {
  private HloProtos() {}

  /**
   * Returns the module that {@code source} holds: an {@code HloModuleProto}, or one wrapped in an
   * {@code HloProto}, an {@code HloModuleProtoWithConfig} or an {@code HloSnapshot}; warnings go to
   * {@code sink}.
   *
   * @throws DiagnosticException if it holds none
   */
  public static Module read(Source source, DiagnosticSink sink) {
    ProtoEnvelope envelope = ProtoEnvelope.open(source);
    String text = ModuleText.of(envelope.module(), envelope.config(), source);
    return HloReader.read(Source.of(source.name(), text), sink);
  }

  /**
   * Returns the proto of {@code module}, which must be in HLO syntax. The counts of replicas and
   * partitions are not in it: they belong to how it is compiled.
   *
   * @throws DiagnosticException if the module holds something that no proto does, such as constants
   *     without their values
   */
  public static HloModuleProto write(Module module) {
    checkArgument(module.syntax() == Syntax.HLO, "only HLO has protos");
    return ModuleWriter.write(module);
  }

  /** Returns {@link #write} as protobuf's text. */
  public static String writeText(Module module) {
    return TextFormat.printer().printToString(write(module));
  }
}
