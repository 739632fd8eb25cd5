package dev.lockstep.golden.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.verify.Verifier;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.values.Tolerance;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.runtime.values.ValueWriter;
import dev.lockstep.testing.PythonOracle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What single ops give, against XLA's CPU client; {@code -Doracle.rounds=N} tries more of them. */
class XlaOpsTest {
  private static final int ROUNDS = Integer.getInteger("oracle.rounds", 1);
  private static final long SEED = Long.getLong("oracle.seed", 11);

  /** Compiles and runs every program of a folder and writes the first result beside it. */
  private static final String RUN_ALL =
      """
      import glob, sys
      import jax, ml_dtypes, numpy as np
      jax.config.update('jax_enable_x64', True)
      from jaxlib import _jax
      from jax._src.interpreters import mlir
      from jax._src.lib.mlir import ir
      devices = _jax.DeviceList(tuple(jax.devices('cpu')[:1]))
      client = jax.devices('cpu')[0].client
      for path in sorted(glob.glob(sys.argv[1] + '/*.mlir')):
        stem = path[:-5]
        box = np.load(stem + '.in.npz')
        arguments = []
        for i in range(len(box.files)):
          key = 'in%d' % i
          if key + '.bf16' in box.files: arguments.append(box[key + '.bf16'].view(ml_dtypes.bfloat16))
          else: arguments.append(box[key])
        with mlir.make_ir_context():
          code = mlir.module_to_bytecode(ir.Module.parse(open(path).read()))
        options = _jax.CompileOptions()
        program = client.compile_and_load(code, devices, options)
        given = program.execute_sharded([jax.device_put(a) for a in arguments])
        result = np.asarray(given.disassemble_into_single_device_arrays()[0][0])
        key = 'out0'
        if result.dtype == ml_dtypes.bfloat16: result, key = result.view(np.uint16), 'out0.bf16'
        np.savez(stem + '.out.npz', **{key: result})
      print('done')
      """;

  private static Literal argument(TensorType type, SplittableRandom random) {
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; i < type.count(); i++) {
      switch (type.element().kind()) {
        case BOOL -> out.setBoolean(i, random.nextBoolean());
        case SIGNED -> out.setLong(i, random.nextInt(-9, 10));
        case UNSIGNED -> out.setLong(i, random.nextInt(0, 20));
        case FLOAT -> out.setDouble(i, random.nextInt(-40, 41) / 8.0);
        case COMPLEX -> out.setComplex(i, random.nextInt(-9, 10), random.nextInt(-9, 10));
      }
    }
    return out.build();
  }

  private static Tolerance tolerance(Literal value) {
    // XLA's own approximations of functions in f32 and below, and other orders of sums.
    return switch (value.element()) {
      case F64 -> new Tolerance(1e-11, 1e-12);
      case F32 -> new Tolerance(2e-5, 2e-5);
      case F16 -> new Tolerance(4e-3, 4e-3);
      case BF16 -> new Tolerance(2e-2, 2e-2);
      default -> Tolerance.EXACT;
    };
  }

  @Test
  void opsGiveWhatXlaGives(@TempDir Path folder) throws IOException {
    PythonOracle oracle = PythonOracle.require();
    List<String> texts = new OpPrograms(SEED).all(ROUNDS);
    SplittableRandom random = new SplittableRandom(SEED);
    List<Literal> ours = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      String stem = String.format("%05d", i);
      Files.writeString(folder.resolve(stem + ".mlir"), texts.get(i));
      Module module = Texts.read(Source.of(stem, texts.get(i)));
      Verifier.verify(module);
      Program program = Program.of(module);
      List<ImmutableList<Datum>> arguments =
          Flattening.supplied(
              program, new DeviceGrid(1, 1), (index, device, type) -> argument(type, random));
      Map<String, Literal> named = new LinkedHashMap<>();
      ImmutableList<Literal> flat = Flattening.flatten(arguments.get(0));
      for (int a = 0; a < flat.size(); a++) {
        named.put("in" + a, flat.get(a));
      }
      try (OutputStream out = Files.newOutputStream(folder.resolve(stem + ".in.npz"))) {
        ValueWriter.writeNpz(out, named);
      }
      ours.add(
          Flattening.flatten(
                  GridInterpreter.run(
                          program, new DeviceGrid(1, 1), arguments, InterpreterOptions.DEFAULT)
                      .get(0))
              .get(0));
    }
    assertThat(oracle.run(RUN_ALL, folder.toString())).contains("done");
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      ValueFile file = ValueFile.read(folder.resolve(String.format("%05d.out.npz", i)));
      Literal mine = ours.get(i);
      Literal theirs = file.find("out0", mine.type()).orElseThrow();
      OptionalInt at = tolerance(mine).firstDifference(theirs, mine);
      if (at.isPresent()) {
        differences.add(
            String.format(
                "element %d is %s, XLA's %s, in%n%s", at.getAsInt(), mine, theirs, texts.get(i)));
      }
    }
    assertThat(differences).as("%d of %d", differences.size(), texts.size()).isEmpty();
  }
}
