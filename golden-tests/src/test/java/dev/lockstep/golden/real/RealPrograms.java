package dev.lockstep.golden.real;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.verify.Verifier;
import dev.lockstep.runtime.values.ValueFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs of others with the values that XLA gave; {@code real/NOTICE.md} says how. */
final class RealPrograms {
  private static final Path FOLDER = Path.of("src/test/resources/real");

  private RealPrograms() {}

  /** Steps of JAX over 8 devices, as {@code .stablehlo.mlir} and {@code .cpu.optimized.hlo}. */
  static ImmutableList<String> jax() {
    return ImmutableList.of("jax/collectives_grad", "jax/llama2l");
  }

  /** Programs of torch_xla that all of 4 ranks run. */
  static ImmutableList<String> torchXla() {
    return ImmutableList.of(
        "torch_xla/all_reduce_groups",
        "torch_xla/all_reduce_sum",
        "torch_xla/all_to_all",
        "torch_xla/all_to_all_array",
        "torch_xla/collective_permute",
        "torch_xla/pg_all_gather",
        "torch_xla/pg_all_gather_into_tensor",
        "torch_xla/pg_all_reduce",
        "torch_xla/pg_all_to_all",
        "torch_xla/pg_broadcast",
        "torch_xla/pg_reduce_scatter",
        "torch_xla/reduce_scatter");
  }

  static Module read(String file) throws IOException {
    Module module = Texts.read(Source.of(file, Files.readAllBytes(FOLDER.resolve(file))));
    Verifier.verify(module);
    return module;
  }

  /** Returns the arguments and results of the program called {@code name}. */
  static ValueFile values(String name) throws IOException {
    return ValueFile.read(FOLDER.resolve(name + ".values.npz"));
  }
}
