package dev.lockstep.golden.gloo;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.lower.LowerC10d;
import dev.lockstep.lower.LoweringContext;
import dev.lockstep.runtime.pjrt.CompiledProgram;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtTopology;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What gloo ran on four ranks, lowered and compiled ahead of time for eight TPUs. */
final class GlooOnTpuTest {
  /** TPUs reduce numbers of 64 bits by sums only. */
  private static final Pattern NOT_REDUCED =
      Pattern.compile("\\d+_\\w+_(?:float64|int64)_(?:product|min|max)_g\\d\\.(?:mlir|hlo)");

  @Test
  void records_compileForATopology() {
    String plugin = System.getenv("LOCKSTEP_PJRT_TPU");
    assumeTrue(
        plugin != null && !plugin.isEmpty(),
        "no libtpu: name its libtpu.so in LOCKSTEP_PJRT_TPU; .ci/run does not install it");
    Set<String> expected = new TreeSet<>();
    Map<String, String> refused = new TreeMap<>();
    try (PjrtTopology topology =
        PjrtTopology.create(
            PjrtPlugin.loadAhead(Path.of(requireNonNull(plugin))), "v5e:2x4", Map.of())) {
      assertThat(topology.devices()).hasSize(8);
      for (GlooRecord record : GlooRecord.all()) {
        for (boolean hlo : new boolean[] {false, true}) {
          String name = record + (hlo ? ".hlo" : ".mlir");
          if (NOT_REDUCED.matcher(name).matches()) {
            expected.add(name);
          }
          Module module =
              LowerC10d.lower(
                  Texts.read(Source.of(name, GlooProgram.text(record, GlooProgram.ALL, hlo))),
                  LoweringContext.of(record.world(), 1));
          try (CompiledProgram compiled =
              topology.compile(module, new DeviceGrid(record.world(), 1))) {
            assertThat(compiled.optimized().entryFunction()).as(name).isPresent();
            assertThat(compiled.memory().get("output_size_in_bytes")).as(name).isNotNegative();
          } catch (DiagnosticException e) {
            refused.put(name, e.diagnostics().get(0).code());
          } catch (PjrtException e) {
            refused.put(name, e.code() + ": " + e.getMessage());
          }
        }
      }
    }
    assertThat(refused.keySet()).as(refused.toString()).isEqualTo(expected);
    assertThat(refused.values()).containsOnly("pjrt-reduction");
  }
}
