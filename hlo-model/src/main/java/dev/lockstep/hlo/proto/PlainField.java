package dev.lockstep.hlo.proto;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.text.hlo.HloFragments;
import org.jspecify.annotations.Nullable;

/**
 * An attribute of HLO text that one field of a proto holds as it is: {@code index=1} and {@code
 * tuple_index: 1}.
 *
 * @param attribute its name in text
 * @param path the field, and the messages around it from the outermost inwards
 * @param form how its value is written in text
 * @param only the opcodes that have it; empty means all
 * @param always the opcodes whose text has it even when the field has its default value
 */
record PlainField(
    String attribute,
    ImmutableList<FieldDescriptor> path,
    Form form,
    ImmutableSet<String> only,
    ImmutableSet<String> always) {

  /** How a value stands in text. */
  enum Form {
    /** {@code 3}. */
    INT,
    /** {@code 0.001}. */
    REAL,
    /** {@code true}; absent means false. */
    FLAG,
    /** {@code true} or {@code false}; absent means neither. */
    KNOWN_FLAG,
    /** {@code {0,1}}. */
    LONGS,
    /** {@code 3}, of a field that is a list. */
    ONE,
    /** {@code "text"}. */
    QUOTED,
    /** A word as it is, of a string or an enum. */
    WORD,
    /** A word of an enum in lower case. */
    LOWER,
    /** What follows the name of an enum in its word, in lower case. */
    SUFFIX
  }

  /** Returns a field of {@code HloInstructionProto} by the dotted {@code path}. */
  static PlainField of(String attribute, String path, Form form, String only, String always) {
    Descriptor message = HloInstructionProto.getDescriptor();
    ImmutableList.Builder<FieldDescriptor> fields = ImmutableList.builder();
    for (String name : path.split("\\.", -1)) {
      FieldDescriptor field = requireNonNull(message.findFieldByName(name), name);
      fields.add(field);
      message =
          field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
              ? field.getMessageType()
              : message;
    }
    return new PlainField(attribute, fields.build(), form, words(only), words(always));
  }

  private static ImmutableSet<String> words(String text) {
    return text.isEmpty() ? ImmutableSet.of() : ImmutableSet.copyOf(text.split(" ", -1));
  }

  /** Returns whether instructions of {@code opcode} may have the attribute. */
  boolean belongsTo(String opcode) {
    return only.isEmpty() || only.contains(opcode);
  }

  private FieldDescriptor leaf() {
    return path.get(path.size() - 1);
  }

  /** Returns what stands after {@code name=} for {@code proto}, or null when nothing does. */
  @Nullable String text(HloInstructionProto proto) {
    Message message = proto;
    for (FieldDescriptor field : path.subList(0, path.size() - 1)) {
      message = (Message) message.getField(field);
    }
    FieldDescriptor leaf = leaf();
    boolean present =
        leaf.isRepeated() ? message.getRepeatedFieldCount(leaf) > 0 : message.hasField(leaf);
    if (!present && !always.contains(proto.getOpcode())) {
      return null;
    }
    Object value = message.getField(leaf);
    return switch (form) {
      case LONGS -> {
        StringBuilder out = new StringBuilder("{");
        for (Object number : (Iterable<?>) value) {
          out.append(out.length() == 1 ? "" : ",").append(number);
        }
        yield out.append('}').toString();
      }
      case INT, FLAG, REAL -> value.toString();
      case QUOTED -> quoted(value);
      case WORD -> word(value);
      case LOWER -> Ascii.toLowerCase(word(value));
      case KNOWN_FLAG -> Boolean.toString(word(value).endsWith("_TRUE"));
      case ONE -> message.getRepeatedField(leaf, 0).toString();
      case SUFFIX -> Ascii.toLowerCase(word(value).substring(word(value).lastIndexOf('_') + 1));
    };
  }

  private static String word(Object value) {
    return value instanceof EnumValueDescriptor
        ? ((EnumValueDescriptor) value).getName()
        : (String) value;
  }

  private static String quoted(Object value) {
    StringBuilder out = new StringBuilder();
    HloFragments.quoted(
        out,
        value instanceof ByteString
            ? ProtoStrings.attribute((ByteString) value)
            : Attribute.Str.of((String) value));
    return out.toString();
  }

  /** Takes the field out of {@code rest}. */
  void clear(HloInstructionProto.Builder rest) {
    Message.Builder at = rest;
    for (FieldDescriptor field : path.subList(0, path.size() - 1)) {
      if (!at.hasField(field)) {
        return;
      }
      at = at.getFieldBuilder(field);
    }
    at.clearField(leaf());
  }

  /** Sets the field to {@code value}; returns whether the value has a form that the field takes. */
  boolean write(Attribute value, HloInstructionProto.Builder out) {
    FieldDescriptor leaf = leaf();
    if (form == Form.LONGS || form == Form.ONE) {
      Long one = form == Form.ONE ? AttrKeys.asLong(value) : null;
      ImmutableLongArray longs = one == null ? AttrKeys.asLongs(value) : ImmutableLongArray.of(one);
      if (longs == null) {
        return false;
      }
      Message.Builder into = builder(out);
      into.clearField(leaf);
      for (int i = 0; i < longs.length(); i++) {
        into.addRepeatedField(leaf, longs.get(i));
      }
      return true;
    }
    Object converted = converted(value, leaf);
    if (converted == null) {
      return false;
    }
    builder(out).setField(leaf, converted);
    return true;
  }

  private @Nullable Object converted(Attribute value, FieldDescriptor leaf) {
    return switch (form) {
      case INT -> {
        ImmutableLongArray longs = AttrKeys.asLongs(value);
        Long number = AttrKeys.asLong(value);
        if (number == null && longs != null && longs.length() == 1) {
          number = longs.get(0);
        }
        boolean narrow = leaf.getJavaType() == FieldDescriptor.JavaType.INT;
        yield number == null ? null : narrow ? (Object) number.intValue() : number;
      }
      case FLAG ->
          value instanceof Attribute.Bool ? (Object) ((Attribute.Bool) value).value() : null;
      case REAL ->
          value instanceof Attribute.Real
              ? (Object) (float) ((Attribute.Real) value).value()
              : null;
      case QUOTED -> {
        if (!(value instanceof Attribute.Str)) {
          yield null;
        }
        ByteString bytes = ProtoStrings.bytes((Attribute.Str) value);
        yield leaf.getJavaType() == FieldDescriptor.JavaType.BYTE_STRING
            ? bytes
            : bytes.toStringUtf8();
      }
      case LOWER, WORD -> {
        String word = AttrKeys.asWord(value);
        if (word == null || leaf.getJavaType() != FieldDescriptor.JavaType.ENUM) {
          yield word;
        }
        String name = form == Form.LOWER ? Ascii.toUpperCase(word) : word;
        yield leaf.getEnumType().findValueByName(name);
      }
      case KNOWN_FLAG ->
          value instanceof Attribute.Bool
              ? choice(leaf, ((Attribute.Bool) value).value() ? "_TRUE" : "_FALSE")
              : null;
      case SUFFIX -> {
        String word = AttrKeys.asWord(value);
        yield word == null ? null : choice(leaf, "_" + Ascii.toUpperCase(word));
      }
      case LONGS, ONE -> throw new IllegalStateException();
    };
  }

  /** Returns the word of the field's enum that ends with {@code suffix}, or null. */
  private static @Nullable EnumValueDescriptor choice(FieldDescriptor leaf, String suffix) {
    return leaf.getEnumType().getValues().stream()
        .filter(value -> value.getName().endsWith(suffix))
        .findFirst()
        .orElse(null);
  }

  private Message.Builder builder(HloInstructionProto.Builder root) {
    Message.Builder at = root;
    for (FieldDescriptor field : path.subList(0, path.size() - 1)) {
      at = at.getFieldBuilder(field);
    }
    return at;
  }
}
