package dev.lockstep.hlo.type;

import com.google.common.collect.ImmutableMap;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The element types of tensors, with their names in MLIR and in HLO text.
 *
 * <p>Sources: StableHLO specification "Types"; XLA's {@code primitive_type} names.
 */
public enum ElementType {
  I1("i1", "pred", 1, Kind.BOOL),
  I2("i2", "s2", 2, Kind.SIGNED),
  I4("i4", "s4", 4, Kind.SIGNED),
  I8("i8", "s8", 8, Kind.SIGNED),
  I16("i16", "s16", 16, Kind.SIGNED),
  I32("i32", "s32", 32, Kind.SIGNED),
  I64("i64", "s64", 64, Kind.SIGNED),
  UI2("ui2", "u2", 2, Kind.UNSIGNED),
  UI4("ui4", "u4", 4, Kind.UNSIGNED),
  UI8("ui8", "u8", 8, Kind.UNSIGNED),
  UI16("ui16", "u16", 16, Kind.UNSIGNED),
  UI32("ui32", "u32", 32, Kind.UNSIGNED),
  UI64("ui64", "u64", 64, Kind.UNSIGNED),
  F4E2M1FN("f4E2M1FN", "f4e2m1fn", 4, Kind.FLOAT),
  F6E2M3FN("f6E2M3FN", "f6e2m3fn", 6, Kind.FLOAT),
  F6E3M2FN("f6E3M2FN", "f6e3m2fn", 6, Kind.FLOAT),
  F8E3M4("f8E3M4", "f8e3m4", 8, Kind.FLOAT),
  F8E4M3("f8E4M3", "f8e4m3", 8, Kind.FLOAT),
  F8E4M3FN("f8E4M3FN", "f8e4m3fn", 8, Kind.FLOAT),
  F8E4M3B11FNUZ("f8E4M3B11FNUZ", "f8e4m3b11fnuz", 8, Kind.FLOAT),
  F8E4M3FNUZ("f8E4M3FNUZ", "f8e4m3fnuz", 8, Kind.FLOAT),
  F8E5M2("f8E5M2", "f8e5m2", 8, Kind.FLOAT),
  F8E5M2FNUZ("f8E5M2FNUZ", "f8e5m2fnuz", 8, Kind.FLOAT),
  F8E8M0FNU("f8E8M0FNU", "f8e8m0fnu", 8, Kind.FLOAT),
  BF16("bf16", "bf16", 16, Kind.FLOAT),
  F16("f16", "f16", 16, Kind.FLOAT),
  F32("f32", "f32", 32, Kind.FLOAT),
  F64("f64", "f64", 64, Kind.FLOAT),
  C64("complex<f32>", "c64", 64, Kind.COMPLEX),
  C128("complex<f64>", "c128", 128, Kind.COMPLEX);

  /** The arithmetic families. */
  public enum Kind {
    BOOL,
    SIGNED,
    UNSIGNED,
    FLOAT,
    COMPLEX
  }

  private static final ImmutableMap<String, ElementType> BY_MLIR_NAME;
  private static final ImmutableMap<String, ElementType> BY_HLO_NAME;

  static {
    ImmutableMap.Builder<String, ElementType> mlir = ImmutableMap.builder();
    ImmutableMap.Builder<String, ElementType> hlo = ImmutableMap.builder();
    for (ElementType type : values()) {
      mlir.put(type.mlirName, type);
      hlo.put(type.hloName, type);
    }
    BY_MLIR_NAME = mlir.buildOrThrow();
    BY_HLO_NAME = hlo.buildOrThrow();
  }

  private final String mlirName;
  private final String hloName;
  private final int bits;
  private final Kind kind;

  ElementType(String mlirName, String hloName, int bits, Kind kind) {
    this.mlirName = mlirName;
    this.hloName = hloName;
    this.bits = bits;
    this.kind = kind;
  }

  /** Returns the name in MLIR text, for example {@code ui32} or {@code complex<f32>}. */
  public String mlirName() {
    return mlirName;
  }

  /** Returns the name in HLO text, for example {@code u32}, {@code pred} or {@code c64}. */
  public String hloName() {
    return hloName;
  }

  /** Returns the suffix of value files for types that numpy has no name for: {@code f8e4m3fn}. */
  public String fileSuffix() {
    return hloName.toLowerCase(Locale.ROOT);
  }

  /** Returns the width in bits; both parts together for complex types. */
  public int bits() {
    return bits;
  }

  /** Returns the bytes that an element takes in memory and in messages between devices. */
  public int bytes() {
    return Math.max(1, bits / 8);
  }

  /** Returns the arithmetic family. */
  public Kind kind() {
    return kind;
  }

  /** Returns whether this is {@code i1}. */
  public boolean isBool() {
    return kind == Kind.BOOL;
  }

  /** Returns whether this is a signed or unsigned integer; {@code i1} is not. */
  public boolean isInteger() {
    return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
  }

  /** Returns whether this is an unsigned integer; {@code i1} is not. */
  public boolean isUnsigned() {
    return kind == Kind.UNSIGNED;
  }

  /** Returns whether this is a real floating-point type. */
  public boolean isFloat() {
    return kind == Kind.FLOAT;
  }

  /** Returns whether this is a complex type. */
  public boolean isComplex() {
    return kind == Kind.COMPLEX;
  }

  /** Returns the type of the real part of a complex type, and any other type itself. */
  public ElementType realPart() {
    return switch (this) {
      case C64 -> F32;
      case C128 -> F64;
      default -> this;
    };
  }

  /** Returns the complex type over this type, or null when there is none. */
  public @Nullable ElementType complexOf() {
    return this == F32 ? C64 : this == F64 ? C128 : null;
  }

  /** Returns the type that MLIR text calls {@code name}, or null. */
  public static @Nullable ElementType byMlirName(String name) {
    return BY_MLIR_NAME.get(name);
  }

  /** Returns the type that HLO text calls {@code name}, or null. */
  public static @Nullable ElementType byHloName(String name) {
    return BY_HLO_NAME.get(name);
  }

  @Override
  public String toString() {
    return mlirName;
  }
}
