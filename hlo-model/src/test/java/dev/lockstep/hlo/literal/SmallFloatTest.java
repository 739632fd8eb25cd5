package dev.lockstep.hlo.literal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Narrow floats against the tables of ml_dtypes, which XLA and JAX use. */
final class SmallFloatTest {
  @Test
  void everyCode_decodesAsMlDtypes() throws IOException {
    int checked = 0;
    for (List<String> line : lines("decode")) {
      ElementType type = ElementType.valueOf(line.get(1));
      LiteralBuilder builder = new LiteralBuilder(TensorType.of(type, line.size() - 2));
      for (int code = 0; code + 2 < line.size(); code++) {
        builder.setBits(code, code);
      }
      Literal literal = builder.build();
      for (int code = 0; code + 2 < line.size(); code++) {
        assertThat(Double.valueOf(literal.getDouble(code)))
            .as("%s code %s", type, code)
            .isEqualTo(Double.valueOf(line.get(code + 2)));
        checked++;
      }
    }
    assertThat(checked).isEqualTo(16 + 64 + 64 + 8 * 256);
  }

  @Test
  void everyValue_roundsAsMlDtypes() throws IOException {
    int checked = 0;
    for (List<String> line : lines("encode")) {
      ElementType type = ElementType.valueOf(line.get(1));
      for (String pair : line.subList(2, line.size())) {
        int equals = pair.indexOf('=');
        double value = Double.parseDouble(pair.substring(0, equals));
        Literal literal = Literal.scalar(type, value);
        assertThat(literal.getBits(0))
            .as("%s of %s", type, value)
            .isEqualTo(Long.parseLong(pair.substring(equals + 1)));
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(1000);
  }

  private static List<List<String>> lines(String kind) throws IOException {
    List<List<String>> out = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                requireNonNull(SmallFloatTest.class.getResourceAsStream("small_floats.txt")),
                UTF_8))) {
      String line;
      while ((line = reader.readLine()) != null) {
        if (line.startsWith(kind)) {
          out.add(Splitter.on(' ').splitToList(line));
        }
      }
    }
    return out;
  }

  @Test
  void bfloat16_roundsAsTheGeneralRuleDoes() {
    java.util.SplittableRandom random = new java.util.SplittableRandom(7);
    for (int i = 0; i < 200_000; i++) {
      // Numbers around every bf16 and around the middle between two, where rounding twice errs.
      int bits = random.nextInt(0x10000) << 16 | (random.nextBoolean() ? 0x8000 : 0);
      double value = Float.intBitsToFloat(bits);
      double near =
          switch (random.nextInt(4)) {
            case 0 -> Math.nextUp(value);
            case 1 -> Math.nextDown(value);
            case 2 -> value * (1 + random.nextDouble() * 0x1p-20);
            default -> value;
          };
      assertThat(FloatFormat.bfloat16(near) & 0xFFFF)
          .as("%s", near)
          .isEqualTo(FloatFormat.BF16.fromDouble(near) & 0xFFFF);
    }
    for (double value : new double[] {Double.MAX_VALUE, -1e39, Double.MIN_VALUE, -0.0, 0x1p-134}) {
      assertThat(FloatFormat.bfloat16(value) & 0xFFFF)
          .isEqualTo(FloatFormat.BF16.fromDouble(value) & 0xFFFF);
    }
  }
}
