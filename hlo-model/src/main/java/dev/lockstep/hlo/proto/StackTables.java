package dev.lockstep.hlo.proto;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.xla.StackFrameIndexProto;
import dev.lockstep.hlo.proto.xla.StackFrameIndexProto.FileLocation;
import dev.lockstep.hlo.proto.xla.StackFrameIndexProto.StackFrame;
import dev.lockstep.hlo.text.hlo.HloFragments;
import java.util.List;

/**
 * The tables of files, functions, places and stack frames. Text counts the parents of frames from
 * one where the proto counts from nought, so that a frame without a parent is its own first.
 */
final class StackTables {
  /** Names of the tables in the order of the text. */
  static final ImmutableList<String> NAMES =
      ImmutableList.of("FileNames", "FunctionNames", "FileLocations", "StackFrames");

  private StackTables() {}

  /** Appends the tables, when there are any. */
  static void append(StringBuilder out, StackFrameIndexProto index) {
    if (index.getFileNamesCount() + index.getFunctionNamesCount() == 0
        && index.getFileLocationsCount() + index.getStackFramesCount() == 0) {
      return;
    }
    names(out, "FileNames", index.getFileNamesList());
    names(out, "FunctionNames", index.getFunctionNamesList());
    out.append("FileLocations\n");
    int number = 0;
    for (FileLocation place : index.getFileLocationsList()) {
      out.append(++number).append(" {file_name_id=").append(place.getFileNameId());
      out.append(" function_name_id=").append(place.getFunctionNameId());
      out.append(" line=").append(place.getLine());
      out.append(" end_line=").append(place.getEndLine());
      out.append(" column=").append(place.getColumn());
      out.append(" end_column=").append(place.getEndColumn()).append("}\n");
    }
    out.append("\nStackFrames\n");
    number = 0;
    for (StackFrame frame : index.getStackFramesList()) {
      out.append(++number).append(" {file_location_id=").append(frame.getFileLocationId());
      out.append(" parent_frame_id=").append(frame.getParentFrameId() + 1).append("}\n");
    }
    out.append("\n\n");
  }

  private static void names(StringBuilder out, String table, List<String> names) {
    out.append(table).append('\n');
    int number = 0;
    for (String name : names) {
      out.append(++number).append(' ');
      HloFragments.quoted(out, Attribute.Str.of(name));
      out.append('\n');
    }
    out.append('\n');
  }

  /** Returns the tables that {@code header} holds as text. */
  static StackFrameIndexProto proto(Attributes header, Location location) {
    StackFrameIndexProto.Builder out = StackFrameIndexProto.newBuilder();
    for (String table : NAMES) {
      Attribute value = header.get(table);
      if (!(value instanceof Attribute.Raw)) {
        continue;
      }
      TextScanner in = new TextScanner(((Attribute.Raw) value).text(), location);
      while (!in.atEnd()) {
        in.integer();
        switch (table) {
          case "FileNames" -> out.addFileNamesBytes(ProtoStrings.bytes(in.string()));
          case "FunctionNames" -> out.addFunctionNamesBytes(ProtoStrings.bytes(in.string()));
          case "FileLocations" -> place(in, out.addFileLocationsBuilder());
          default -> frame(in, out.addStackFramesBuilder());
        }
      }
    }
    return out.build();
  }

  private static void place(TextScanner in, FileLocation.Builder out) {
    in.expect("{");
    while (!in.accept("}")) {
      String name = in.word();
      in.expect("=");
      int value = (int) in.integer();
      switch (name) {
        case "file_name_id" -> out.setFileNameId(value);
        case "function_name_id" -> out.setFunctionNameId(value);
        case "line" -> out.setLine(value);
        case "end_line" -> out.setEndLine(value);
        case "column" -> out.setColumn(value);
        case "end_column" -> out.setEndColumn(value);
        default -> throw in.error("a place has no entry '" + name + "'");
      }
    }
  }

  private static void frame(TextScanner in, StackFrame.Builder out) {
    in.expect("{");
    while (!in.accept("}")) {
      String name = in.word();
      in.expect("=");
      int value = (int) in.integer();
      switch (name) {
        case "file_location_id" -> out.setFileLocationId(value);
        case "parent_frame_id" -> out.setParentFrameId(value - 1);
        default -> throw in.error("a frame has no entry '" + name + "'");
      }
    }
  }
}
