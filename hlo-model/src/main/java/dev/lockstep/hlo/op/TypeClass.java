package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.lockstep.hlo.type.ElementType.Kind;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.Type;
import java.util.regex.Pattern;

/**
 * Which types an operand or result may have, in the words of the specification's tables of inputs
 * and outputs. Types that are not modelled, such as buffers of HLO, are given the benefit of the
 * doubt; what MLIR calls by a builtin name that no class admits is not.
 */
public final class TypeClass {
  private static final int ANY_RANK = -1;

  private static final ImmutableSet<Extra> ANY_QUANTIZED =
      Sets.immutableEnumSet(Extra.QUANTIZED, Extra.QUANTIZED_PER_AXIS);

  /** Tensors of any elements. */
  public static final TypeClass TENSOR =
      of("tensor", Kind.BOOL, Kind.SIGNED, Kind.UNSIGNED, Kind.FLOAT, Kind.COMPLEX)
          .with(Extra.QUANTIZED);

  /** Tensors of booleans. */
  public static final TypeClass PRED = of("tensor of booleans", Kind.BOOL);

  /** Tensors of integers. */
  public static final TypeClass INT = of("tensor of integers", Kind.SIGNED, Kind.UNSIGNED);

  /** Tensors of booleans or integers. */
  public static final TypeClass PRED_OR_INT =
      of("tensor of booleans or integers", Kind.BOOL, Kind.SIGNED, Kind.UNSIGNED);

  /** Tensors of real numbers. */
  public static final TypeClass FLOAT =
      of("tensor of floating-point numbers", Kind.FLOAT).with(Extra.QUANTIZED);

  /** Tensors of complex numbers. */
  public static final TypeClass COMPLEX = of("tensor of complex numbers", Kind.COMPLEX);

  /** Tensors of real or complex numbers. */
  public static final TypeClass FLOAT_OR_COMPLEX =
      of("tensor of floating-point or complex numbers", Kind.FLOAT, Kind.COMPLEX)
          .with(Extra.QUANTIZED);

  /** Tensors of integers or real numbers. */
  public static final TypeClass INT_OR_FLOAT =
      of("tensor of integers or floating-point numbers", Kind.SIGNED, Kind.UNSIGNED, Kind.FLOAT);

  /** Tensors of booleans, integers or real numbers. */
  public static final TypeClass PRED_INT_OR_FLOAT =
      of(
          "tensor of booleans, integers or floating-point numbers",
          Kind.BOOL,
          Kind.SIGNED,
          Kind.UNSIGNED,
          Kind.FLOAT);

  /** Tensors of numbers. */
  public static final TypeClass NUMBER =
      of("tensor of numbers", Kind.SIGNED, Kind.UNSIGNED, Kind.FLOAT, Kind.COMPLEX)
          .with(Extra.QUANTIZED);

  /** Tensors of numbers that have a sign. */
  public static final TypeClass SIGNED_NUMBER =
      of("tensor of signed numbers", Kind.SIGNED, Kind.FLOAT, Kind.COMPLEX).with(Extra.QUANTIZED);

  /** Tensors of quantised numbers. */
  public static final TypeClass QUANTIZED = of("tensor of quantised numbers").with(Extra.QUANTIZED);

  /** A static vector of sizes. */
  public static final TypeClass SIZES = INT.vector().fixed().orIndex();

  /** Tokens. */
  public static final TypeClass TOKEN = of("token").orToken();

  /** {@code !quant.uniform<i8:f32:0, {...}>}: an axis stands behind both types. */
  private static final Pattern PER_AXIS =
      Pattern.compile("!quant\\.uniform<[iu][0-9]+(?:<[^>]*>)?:\\w+:[0-9]+\\s*,");

  private static final Pattern BUILTIN =
      Pattern.compile(
          "(tensor|vector|memref|complex)<.*|[us]?i[0-9]+|b?f[0-9]+\\w*|index|none|tf32",
          Pattern.DOTALL);

  /** What a class admits or asks for beyond kinds of elements. */
  private enum Extra {
    /** Tensors without a rank too. */
    UNRANKED,
    /** Only static shapes. */
    FIXED,
    /** MLIR's {@code index} as elements too. */
    INDEX,
    /** Tensors quantised with one scale too. */
    QUANTIZED,
    /** Tensors quantised with a scale for each slice too. */
    QUANTIZED_PER_AXIS,
    /** Tokens too. */
    TOKEN,
    /** Tuples, buffers and futures too. */
    OTHERS
  }

  private final String what;
  private final ImmutableSet<Kind> kinds;
  private final int rank;
  private final ImmutableSet<Extra> extras;

  private TypeClass(String what, ImmutableSet<Kind> kinds, int rank, ImmutableSet<Extra> extras) {
    this.what = what;
    this.kinds = kinds;
    this.rank = rank;
    this.extras = extras;
  }

  private static TypeClass of(String what, Kind... kinds) {
    return new TypeClass(
        what, Sets.immutableEnumSet(ImmutableSet.copyOf(kinds)), ANY_RANK, ImmutableSet.of());
  }

  private TypeClass with(Extra extra) {
    return with(what, extra);
  }

  private TypeClass with(String newWhat, Extra extra) {
    return new TypeClass(
        newWhat, kinds, rank, ImmutableSet.<Extra>builder().addAll(extras).add(extra).build());
  }

  /** Returns the scalars among these tensors. */
  public TypeClass scalar() {
    return new TypeClass("scalar " + what, kinds, 0, extras);
  }

  /** Returns the vectors among these tensors. */
  public TypeClass vector() {
    return ofRank(1);
  }

  /** Returns those of these tensors that have {@code newRank} dimensions. */
  public TypeClass ofRank(int newRank) {
    return new TypeClass(newRank + "-dimensional " + what, kinds, newRank, extras);
  }

  /** Returns those of these tensors all of whose sizes are known. */
  public TypeClass fixed() {
    return with("static " + what, Extra.FIXED);
  }

  /** Returns these tensors and those without a rank, which CHLO knows. */
  public TypeClass orUnranked() {
    return with(what, Extra.UNRANKED);
  }

  /** Returns these tensors and those of MLIR's {@code index}. */
  public TypeClass orIndex() {
    return with(what, Extra.INDEX);
  }

  /** Returns these tensors and those quantised with one scale. */
  public TypeClass orQuantized() {
    return with(Extra.QUANTIZED);
  }

  /** Returns these tensors and those quantised with a scale for each slice. */
  public TypeClass orPerAxis() {
    return with(Extra.QUANTIZED).with(Extra.QUANTIZED_PER_AXIS);
  }

  /** Returns those of these tensors that are not quantised. */
  public TypeClass plain() {
    return new TypeClass(
        what, kinds, rank, Sets.immutableEnumSet(Sets.difference(extras, ANY_QUANTIZED)));
  }

  /** Returns these types and tokens. */
  public TypeClass orToken() {
    return with(kinds.isEmpty() ? what : what + " or token", Extra.TOKEN);
  }

  /** Returns whether {@code type} is one of these. */
  public boolean admits(Type type) {
    if (type instanceof TensorType) {
      TensorType tensor = (TensorType) type;
      return kinds.contains(tensor.element().kind())
          && (rank == ANY_RANK || tensor.rank() == rank)
          && (tensor.isStatic() || !extras.contains(Extra.FIXED));
    }
    if (type instanceof TokenType) {
      return extras.contains(Extra.TOKEN) || extras.contains(Extra.OTHERS);
    }
    return type instanceof OpaqueType
        ? admits(((OpaqueType) type).text())
        : extras.contains(Extra.OTHERS);
  }

  private boolean admits(String text) {
    if (!BUILTIN.matcher(text).matches()) {
      // Another dialect's type, or one that only HLO has.
      return extras.contains(Extra.OTHERS) || text.indexOf('!') != 0;
    }
    if (!text.startsWith("tensor<")) {
      return extras.contains(Extra.OTHERS) && text.startsWith("memref<");
    }
    if (text.startsWith("tensor<*")) {
      return extras.contains(Extra.UNRANKED);
    }
    if (text.endsWith("index>")) {
      int dims = (int) text.chars().filter(c -> c == 'x').count() - 1;
      return extras.contains(Extra.INDEX)
          && (rank == ANY_RANK || dims == rank)
          && !(extras.contains(Extra.FIXED) && text.contains("?"));
    }
    return PER_AXIS.matcher(text).find()
        ? extras.contains(Extra.QUANTIZED_PER_AXIS)
        : text.contains("!quant.") && extras.contains(Extra.QUANTIZED);
  }

  @Override
  public String toString() {
    return what;
  }
}
