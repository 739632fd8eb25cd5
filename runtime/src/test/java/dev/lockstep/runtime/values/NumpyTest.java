package dev.lockstep.runtime.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.testing.PythonOracle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files against numpy itself. */
final class NumpyTest {
  @TempDir private Path folder;

  @Test
  void read_whatNumpyWrites_inEveryLayout() throws IOException {
    for (String save : new String[] {"np.savez", "np.savez_compressed"}) {
      Path file = folder.resolve(save + ".npz");
      PythonOracle.require()
          .run(
              """
              import sys, numpy as np
              a = np.arange(6, dtype='f4').reshape(2, 3)
              %s(sys.argv[1], in0=np.asfortranarray(a), in1=a.astype('>f8'),
                 in2=np.array([True, False]), in3=np.array([-8, 7], 'i1'),
                 in4=np.array(3 - 2j, 'c8'), in5=np.zeros((0, 3), 'i8'), name=np.array('text'),
                 **{'in6.dev2.bf16': np.array([0x3f80], 'u2')})
              """
                  .formatted(save),
              file.toString());

      ValueFile values = ValueFile.read(file);

      Literal in0 = values.argument(0, 0, TensorType.of(ElementType.F32, 2, 3));
      assertThat((float[]) in0.storage()).containsExactly(0, 1, 2, 3, 4, 5);
      Literal in1 = values.argument(1, 0, TensorType.of(ElementType.F64, 2, 3));
      assertThat((double[]) in1.storage()).containsExactly(0, 1, 2, 3, 4, 5);
      Literal in2 = values.argument(2, 0, TensorType.of(ElementType.I1, 2));
      assertThat(in2.toLongs()).containsExactly(1, 0);
      Literal in3 = values.argument(3, 0, TensorType.of(ElementType.I4, 2));
      assertThat(in3.toLongs()).containsExactly(-8, 7);
      Literal in4 = values.argument(4, 0, TensorType.of(ElementType.C64));
      assertThat(in4.getImaginary(0)).isEqualTo(-2);
      assertThat(values.argument(5, 0, TensorType.of(ElementType.I64, 0, 3)).count()).isZero();
      Literal in6 = values.argument(6, 2, TensorType.of(ElementType.BF16, 1));
      assertThat(in6.getDouble(0)).isEqualTo(1);
      assertThat(values.unused()).containsExactly("name");
      assertThatThrownBy(() -> values.argument(3, 0, TensorType.of(ElementType.I2, 2)))
          .hasMessageContaining("'in3' holds -8, which i2 cannot (element 0)");
    }
  }

  @Test
  void write_isWhatNumpyReads() throws IOException {
    Path file = folder.resolve("x.npz");
    try (OutputStream out = Files.newOutputStream(file)) {
      ValueWriter.writeNpz(
          out,
          ImmutableMap.of(
              "out0.dev0",
              Literal.of(TensorType.of(ElementType.F32, 1, 2), new float[] {1.5f, -0.0f}),
              "out1.dev0",
              Literal.scalar(ElementType.BF16, 1.0),
              "out2.dev0",
              Literal.of(TensorType.of(ElementType.I4, 2), new byte[] {-8, 7})));
    }

    String seen =
        PythonOracle.require()
            .run(
                """
                import sys, numpy as np
                for k, v in np.load(sys.argv[1]).items(): print(k, v.dtype, v.shape, v.tolist())
                """,
                file.toString());

    assertThat(seen)
        .isEqualTo(
            """
            out0.dev0 float32 (1, 2) [[1.5, -0.0]]
            out1.dev0.bf16 uint16 () 16256
            out2.dev0 int8 (2,) [-8, 7]
            """);
  }
}
