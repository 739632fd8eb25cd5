package dev.lockstep.hlo.proto;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.xla.HloBufferDonorProto;
import dev.lockstep.hlo.proto.xla.HloInputOutputAliasProto;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.Kind;
import dev.lockstep.hlo.proto.xla.OutputOperandAliasing;

/** Which results share memory with which arguments: {@code { {0}: (1, {}, may-alias) }}. */
final class AliasForms {
  private AliasForms() {}

  /** Returns the aliases of an instruction. */
  static String text(HloInstructionProto proto) {
    StringBuilder out = new StringBuilder("{");
    for (OutputOperandAliasing alias : proto.getOutputOperandAliasingList()) {
      out.append(out.length() == 1 ? "" : ", ")
          .append(ModuleAliases.index(alias.getOutputShapeIndexList()));
      out.append(": (").append(alias.getOperandIndex()).append(", ");
      out.append(ModuleAliases.index(alias.getOperandShapeIndexList())).append(')');
    }
    return out.append('}').toString();
  }

  /** Returns the aliases of a module. */
  static String text(HloInputOutputAliasProto proto) {
    ImmutableList.Builder<ModuleAliases.Alias> out = ImmutableList.builder();
    for (HloInputOutputAliasProto.AliasEntryProto alias : proto.getEntriesList()) {
      out.add(
          new ModuleAliases.Alias(
              ImmutableList.copyOf(alias.getOutputShapeIndexList()),
              alias.getParameterNumber(),
              ImmutableList.copyOf(alias.getParameterShapeIndexList()),
              alias.getKind() == Kind.MUST_ALIAS));
    }
    return "{ " + ModuleAliases.text(out.build()) + " }";
  }

  /** Returns the parameters of a module whose memory may be used again. */
  static String text(HloBufferDonorProto proto) {
    ImmutableList.Builder<ModuleAliases.Donor> out = ImmutableList.builder();
    for (HloBufferDonorProto.BufferDonorEntryProto donor : proto.getEntriesList()) {
      out.add(
          new ModuleAliases.Donor(
              donor.getParameterNumber(),
              ImmutableList.copyOf(donor.getParameterShapeIndexList())));
    }
    return "{ " + ModuleAliases.donorText(out.build()) + " }";
  }

  /** Adds the aliases that {@code text} names to {@code out}. */
  static void write(String text, Location location, HloInstructionProto.Builder out) {
    TextScanner in = new TextScanner(text, location);
    in.expect("{");
    while (!in.accept("}")) {
      OutputOperandAliasing.Builder alias = out.addOutputOperandAliasingBuilder();
      alias.addAllOutputShapeIndex(ModuleAliases.index(in));
      in.expect(":");
      in.expect("(");
      alias.setOperandIndex(in.integer());
      in.expect(",");
      alias.addAllOperandShapeIndex(ModuleAliases.index(in));
      in.expect(")");
      in.accept(",");
    }
  }

  /** Returns the proto of the aliases of a module. */
  static HloInputOutputAliasProto aliases(String text, Location location) {
    HloInputOutputAliasProto.Builder out = HloInputOutputAliasProto.newBuilder();
    for (ModuleAliases.Alias alias : ModuleAliases.aliases(text, location)) {
      out.addEntriesBuilder()
          .addAllOutputShapeIndex(alias.output())
          .setParameterNumber(alias.parameter())
          .addAllParameterShapeIndex(alias.path())
          .setKind(alias.isMust() ? Kind.MUST_ALIAS : Kind.MAY_ALIAS);
    }
    return out.build();
  }

  /** Returns the proto of the donors of a module. */
  static HloBufferDonorProto donors(String text, Location location) {
    HloBufferDonorProto.Builder out = HloBufferDonorProto.newBuilder();
    for (ModuleAliases.Donor donor : ModuleAliases.donors(text, location)) {
      out.addEntriesBuilder()
          .setParameterNumber(donor.parameter())
          .addAllParameterShapeIndex(donor.path());
    }
    return out.build();
  }
}
