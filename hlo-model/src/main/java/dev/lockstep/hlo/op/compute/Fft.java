package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.fft}. */
public final class Fft {
  /** FFT, IFFT, RFFT or IRFFT. */
  public static final AttrKey<String> TYPE = AttrKeys.word("fft_type", "fft_type");

  /** Sizes of the transformed dimensions. */
  public static final AttrKey<ImmutableLongArray> LENGTH =
      AttrKeys.longs("fft_length", "fft_length");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.fft")
          .hlo("fft")
          .summary("Fourier transform of the last dimensions")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(TYPE, LENGTH)
          .keyword("fft_type", "type")
          .keyword("fft_length", "length")
          .build();

  private Fft() {}
}
