package dev.lockstep.hlo.proto;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.xla.HloBufferDonorProto;
import dev.lockstep.hlo.proto.xla.HloInputOutputAliasProto;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.Kind;
import dev.lockstep.hlo.proto.xla.OutputOperandAliasing;
import java.util.List;

/** Which results share memory with which arguments: {@code { {0}: (1, {}, may-alias) }}. */
final class AliasForms {
  private AliasForms() {}

  private static String index(List<Long> index) {
    StringBuilder out = new StringBuilder("{");
    for (long i : index) {
      out.append(out.length() == 1 ? "" : ",").append(i);
    }
    return out.append('}').toString();
  }

  /** Returns the aliases of an instruction. */
  static String text(HloInstructionProto proto) {
    StringBuilder out = new StringBuilder("{");
    for (OutputOperandAliasing alias : proto.getOutputOperandAliasingList()) {
      out.append(out.length() == 1 ? "" : ", ").append(index(alias.getOutputShapeIndexList()));
      out.append(": (").append(alias.getOperandIndex()).append(", ");
      out.append(index(alias.getOperandShapeIndexList())).append(')');
    }
    return out.append('}').toString();
  }

  /** Returns the aliases of a module. */
  static String text(HloInputOutputAliasProto proto) {
    StringBuilder out = new StringBuilder("{ ");
    for (HloInputOutputAliasProto.AliasEntryProto alias : proto.getEntriesList()) {
      out.append(out.length() == 2 ? "" : ", ").append(index(alias.getOutputShapeIndexList()));
      out.append(": (").append(alias.getParameterNumber()).append(", ");
      out.append(index(alias.getParameterShapeIndexList()));
      out.append(alias.getKind() == Kind.MUST_ALIAS ? ", must-alias)" : ", may-alias)");
    }
    return out.append(" }").toString();
  }

  /** Returns the parameters of a module whose memory may be used again. */
  static String text(HloBufferDonorProto proto) {
    StringBuilder out = new StringBuilder("{ ");
    for (HloBufferDonorProto.BufferDonorEntryProto donor : proto.getEntriesList()) {
      out.append(out.length() == 2 ? "(" : ", (").append(donor.getParameterNumber());
      out.append(", ").append(index(donor.getParameterShapeIndexList())).append(')');
    }
    return out.append(" }").toString();
  }

  private static ImmutableLongArray index(TextScanner in) {
    in.expect("{");
    ImmutableLongArray index = in.integers();
    in.expect("}");
    return index;
  }

  /** Adds the aliases that {@code text} names to {@code out}. */
  static void write(String text, Location location, HloInstructionProto.Builder out) {
    TextScanner in = new TextScanner(text, location);
    in.expect("{");
    while (!in.accept("}")) {
      OutputOperandAliasing.Builder alias = out.addOutputOperandAliasingBuilder();
      alias.addAllOutputShapeIndex(index(in).asList());
      in.expect(":");
      in.expect("(");
      alias.setOperandIndex(in.integer());
      in.expect(",");
      alias.addAllOperandShapeIndex(index(in).asList());
      in.expect(")");
      in.accept(",");
    }
  }

  /** Returns the proto of the aliases of a module. */
  static HloInputOutputAliasProto aliases(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    HloInputOutputAliasProto.Builder out = HloInputOutputAliasProto.newBuilder();
    in.expect("{");
    while (!in.accept("}")) {
      HloInputOutputAliasProto.AliasEntryProto.Builder alias = out.addEntriesBuilder();
      alias.addAllOutputShapeIndex(index(in).asList());
      in.expect(":");
      in.expect("(");
      alias.setParameterNumber(in.integer());
      in.expect(",");
      alias.addAllParameterShapeIndex(index(in).asList());
      boolean must = in.accept(",") && in.word().equals("must-alias");
      alias.setKind(must ? Kind.MUST_ALIAS : Kind.MAY_ALIAS);
      in.expect(")");
      in.accept(",");
    }
    return out.build();
  }

  /** Returns the proto of the donors of a module. */
  static HloBufferDonorProto donors(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    HloBufferDonorProto.Builder out = HloBufferDonorProto.newBuilder();
    in.expect("{");
    while (!in.accept("}")) {
      HloBufferDonorProto.BufferDonorEntryProto.Builder donor = out.addEntriesBuilder();
      in.expect("(");
      donor.setParameterNumber(in.integer());
      in.expect(",");
      donor.addAllParameterShapeIndex(index(in).asList());
      in.expect(")");
      in.accept(",");
    }
    return out.build();
  }
}
