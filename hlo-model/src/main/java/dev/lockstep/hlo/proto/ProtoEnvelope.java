package dev.lockstep.hlo.proto;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.proto.xla.HloModuleConfigProto;
import dev.lockstep.hlo.proto.xla.HloModuleProto;
import dev.lockstep.hlo.proto.xla.HloModuleProtoWithConfig;
import dev.lockstep.hlo.proto.xla.HloProto;
import dev.lockstep.hlo.proto.xla.HloSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A module out of whatever it was wrapped in: an {@code HloModuleProto} itself, an {@code HloProto}
 * as {@code --xla_dump_hlo_as_proto} writes, an {@code HloModuleProtoWithConfig} as plugins give
 * optimised programs back, or an {@code HloSnapshot}. Which one it is, is not said anywhere; the
 * one that gives a module with computations is taken.
 *
 * @param module the module
 * @param config its configuration, empty when there was none
 */
record ProtoEnvelope(HloModuleProto module, HloModuleConfigProto config) {
  private static final int MAX_DEPTH = 10_000;

  /**
   * Opens {@code source}, binary or text.
   *
   * @throws DiagnosticException if it holds no HLO module
   */
  static ProtoEnvelope open(Source source) {
    return isText(source.bytes()) ? text(source) : binary(source);
  }

  private static boolean isText(byte[] bytes) {
    for (int i = 0; i < Math.min(bytes.length, 512); i++) {
      if (bytes[i] >= 0 && bytes[i] < 9 || bytes[i] > 13 && bytes[i] < 32) {
        return false;
      }
    }
    return true;
  }

  private static ProtoEnvelope binary(Source source) {
    byte[] bytes = source.bytes();
    ProtoEnvelope found = of(parse(HloModuleProto.newBuilder(), bytes));
    if (found == null) {
      found = of(parse(HloModuleProtoWithConfig.newBuilder(), bytes));
    }
    if (found == null) {
      found = of(parse(HloProto.newBuilder(), bytes));
    }
    if (found == null) {
      found = of(parse(HloSnapshot.newBuilder(), bytes));
    }
    if (found == null) {
      throw DiagnosticException.error(
          "hlo-proto",
          "this is no text, and no HLO proto either: no HloModuleProto, HloProto,"
              + " HloModuleProtoWithConfig or HloSnapshot with computations in it",
          ProtoNames.whole(source));
    }
    return found;
  }

  private static @Nullable Message parse(Message.Builder into, byte[] bytes) {
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      in.setRecursionLimit(MAX_DEPTH);
      return into.mergeFrom(in).build();
    } catch (InvalidProtocolBufferException e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable ProtoEnvelope of(@Nullable Message message) {
    HloModuleConfigProto config = HloModuleConfigProto.getDefaultInstance();
    HloModuleProto module = HloModuleProto.getDefaultInstance();
    if (message instanceof HloModuleProto) {
      module = (HloModuleProto) message;
    } else if (message instanceof HloModuleProtoWithConfig) {
      module = ((HloModuleProtoWithConfig) message).getHloModule();
      config = ((HloModuleProtoWithConfig) message).getConfig();
    } else if (message instanceof HloProto) {
      module = ((HloProto) message).getHloModule();
    } else if (message instanceof HloSnapshot) {
      module = ((HloSnapshot) message).getHlo().getHloModule();
    }
    return module.getComputationsCount() == 0 ? null : new ProtoEnvelope(module, config);
  }

  private static ProtoEnvelope text(Source source) {
    String text = new String(source.bytes(), StandardCharsets.UTF_8);
    DiagnosticException first = null;
    for (Message.Builder into :
        new Message.Builder[] {
          HloModuleProto.newBuilder(),
          HloModuleProtoWithConfig.newBuilder(),
          HloProto.newBuilder(),
          HloSnapshot.newBuilder()
        }) {
      try {
        TextFormat.Parser.newBuilder().build().merge(text, into);
        ProtoEnvelope found = of(into.build());
        if (found != null) {
          return found;
        }
      } catch (TextFormat.ParseException e) {
        if (first == null) {
          first = error(source, text, e);
        }
      }
    }
    throw first != null
        ? first
        : DiagnosticException.error(
            "hlo-proto", "this text proto holds no computations", ProtoNames.whole(source));
  }

  private static DiagnosticException error(
      Source source, String text, TextFormat.ParseException e) {
    int offset = 0;
    for (int line = 1; line < e.getLine(); line++) {
      offset = text.indexOf('\n', offset) + 1;
    }
    int begin = Math.min(text.length(), offset + Math.max(0, e.getColumn() - 1));
    int at = text.substring(0, begin).getBytes(StandardCharsets.UTF_8).length;
    String message = String.valueOf(e.getMessage()).replaceFirst("^\\d+:\\d+: ", "");
    return DiagnosticException.error(
        "hlo-proto", message, new Location(source, at, Math.min(source.length(), at + 1)));
  }
}
