package dev.lockstep.hlo.proto;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.ByteString;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.xla.OpMetadata;
import dev.lockstep.hlo.proto.xla.ResultAccuracy;
import dev.lockstep.hlo.proto.xla.StatisticsViz;
import dev.lockstep.hlo.text.hlo.HloFragments;

/** Metadata, statistics and accuracy: braces with named entries. */
final class MetadataForms {
  private MetadataForms() {}

  /** Returns {@code {op_name="x" source_line=3}}. */
  static String text(OpMetadata metadata) {
    StringBuilder out = new StringBuilder("{");
    string(out, "op_type", metadata.getOpTypeBytes());
    string(out, "op_name", metadata.getOpNameBytes());
    string(out, "source_file", metadata.getSourceFileBytes());
    number(out, "source_line", metadata.getSourceLine());
    number(out, "source_end_line", metadata.getSourceEndLine());
    number(out, "source_column", metadata.getSourceColumn());
    number(out, "source_end_column", metadata.getSourceEndColumn());
    number(out, "stack_frame_id", metadata.getStackFrameId());
    for (int i = 0; i < metadata.getProfileTypeCount(); i++) {
      entry(out, "profile_type");
      out.append('{').append(metadata.getProfileTypeValue(i)).append('}');
    }
    string(out, "deduplicated_name", metadata.getDeduplicatedNameBytes());
    string(out, "metadata_payload", metadata.getMetadataPayload().getValue());
    string(out, "scheduling_name", metadata.getSchedulingNameBytes());
    return out.append('}').toString();
  }

  private static void entry(StringBuilder out, String name) {
    out.append(out.length() == 1 ? "" : " ").append(name).append('=');
  }

  private static void string(StringBuilder out, String name, ByteString value) {
    if (!value.isEmpty()) {
      entry(out, name);
      HloFragments.quoted(out, ProtoStrings.attribute(value));
    }
  }

  private static void number(StringBuilder out, String name, int value) {
    if (value != 0) {
      entry(out, name);
      out.append(value);
    }
  }

  /** Takes what {@link #text} writes out of {@code rest}. */
  static void clear(OpMetadata.Builder rest) {
    rest.clearOpType()
        .clearOpName()
        .clearSourceFile()
        .clearSourceLine()
        .clearSourceEndLine()
        .clearSourceColumn()
        .clearSourceEndColumn()
        .clearStackFrameId()
        .clearProfileType()
        .clearDeduplicatedName()
        .clearSchedulingName();
    if (rest.getMetadataPayload().hasValue()) {
      rest.clearMetadataPayload();
    }
  }

  /** Returns the proto of {@code text}. */
  static OpMetadata proto(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    in.expect("{");
    return read(in);
  }

  /** Reads one in braces, or several in braces of their own. */
  static ImmutableList<OpMetadata> several(TextScanner in) {
    in.expect("{");
    if (in.peek() != '{') {
      return ImmutableList.of(read(in));
    }
    ImmutableList.Builder<OpMetadata> out = ImmutableList.builder();
    do {
      in.expect("{");
      out.add(read(in));
    } while (in.accept(","));
    in.expect("}");
    return out.build();
  }

  /** Reads entries up to the closing brace. */
  static OpMetadata read(TextScanner in) {
    OpMetadata.Builder out = OpMetadata.newBuilder();
    while (!in.accept("}")) {
      String name = in.word();
      in.expect("=");
      switch (name) {
        case "op_type" -> out.setOpTypeBytes(string(in));
        case "op_name" -> out.setOpNameBytes(string(in));
        case "source_file" -> out.setSourceFileBytes(string(in));
        case "source_line" -> out.setSourceLine((int) in.integer());
        case "source_end_line" -> out.setSourceEndLine((int) in.integer());
        case "source_column" -> out.setSourceColumn((int) in.integer());
        case "source_end_column" -> out.setSourceEndColumn((int) in.integer());
        case "stack_frame_id" -> out.setStackFrameId((int) in.integer());
        case "deduplicated_name" -> out.setDeduplicatedNameBytes(string(in));
        case "scheduling_name" -> out.setSchedulingNameBytes(string(in));
        case "metadata_payload" -> out.getMetadataPayloadBuilder().setValue(string(in));
        case "profile_type" -> {
          in.expect("{");
          while (in.atInteger()) {
            out.addProfileTypeValue((int) in.integer());
            in.accept(",");
          }
          in.expect("}");
        }
        default -> throw in.error("metadata has no entry '" + name + "' that a proto takes");
      }
      in.accept(",");
    }
    return out.build();
  }

  private static ByteString string(TextScanner in) {
    return ProtoStrings.bytes(in.string());
  }

  /** Returns {@code {visualizing_index=0,flops=2}}. */
  static String statistics(StatisticsViz statistics) {
    StringBuilder out = new StringBuilder("{visualizing_index=");
    out.append(statistics.getStatIndexToVisualize());
    statistics
        .getStatisticsList()
        .forEach(
            s ->
                out.append(',').append(s.getStatName()).append('=').append(number(s.getStatVal())));
    return out.append('}').toString();
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e6
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** Returns the proto of the statistics {@code text}. */
  static StatisticsViz statistics(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    StatisticsViz.Builder out = StatisticsViz.newBuilder();
    in.expect("{");
    while (!in.accept("}")) {
      String name = in.word();
      in.expect("=");
      String value = in.word();
      try {
        if (name.equals("visualizing_index")) {
          out.setStatIndexToVisualize(Long.parseLong(value));
        } else {
          out.addStatisticsBuilder().setStatName(name).setStatVal(Double.parseDouble(value));
        }
      } catch (NumberFormatException e) {
        throw in.error("'" + value + "' is no number");
      }
      in.accept(",");
    }
    return out.build();
  }

  /** Returns {@code {mode=highest}} or {@code {tolerance={atol=1e-3,rtol=0,ulps=4}}}. */
  static String accuracy(ResultAccuracy accuracy) {
    if (!accuracy.hasTolerance()) {
      return "{mode="
          + (accuracy.getMode() == ResultAccuracy.Mode.HIGHEST ? "highest}" : "default}");
    }
    ResultAccuracy.Tolerance tolerance = accuracy.getTolerance();
    return "{tolerance={atol="
        + number(tolerance.getAtol())
        + ",rtol="
        + number(tolerance.getRtol())
        + ",ulps="
        + tolerance.getUlps()
        + "}}";
  }

  /** Returns the proto of the accuracy {@code text}. */
  static ResultAccuracy accuracy(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    ResultAccuracy.Builder out = ResultAccuracy.newBuilder();
    in.expect("{");
    if (in.accept("mode=")) {
      boolean highest = in.word().equals("highest");
      return out.setMode(highest ? ResultAccuracy.Mode.HIGHEST : ResultAccuracy.Mode.DEFAULT)
          .build();
    }
    in.expect("tolerance={");
    ResultAccuracy.Tolerance.Builder tolerance = out.getToleranceBuilder();
    while (!in.accept("}")) {
      String name = in.word();
      in.expect("=");
      String value = in.word();
      try {
        switch (name) {
          case "atol" -> tolerance.setAtol(Double.parseDouble(value));
          case "rtol" -> tolerance.setRtol(Double.parseDouble(value));
          case "ulps" -> tolerance.setUlps(Long.parseLong(value));
          default -> throw in.error("a tolerance has no entry '" + name + "'");
        }
      } catch (NumberFormatException e) {
        throw in.error("'" + value + "' is no number");
      }
      in.accept(",");
    }
    return out.build();
  }
}
