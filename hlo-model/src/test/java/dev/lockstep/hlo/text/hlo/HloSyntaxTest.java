package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Constructs of the syntax, each against what XLA makes of it. */
final class HloSyntaxTest {
  private static final String P = "p = f32[4]{0} parameter(0)";

  @Test
  void header_givesNameCountsAndSchedule() {
    Module module =
        Hlo.read(
            "HloModule m.1, is_scheduled=true, replica_count=2, num_partitions=4\n"
                + "ENTRY e { ROOT p = f32[] parameter(0) }");
    assertThat(module.name()).isEqualTo("m.1");
    assertThat(module.entry()).isEqualTo("e");
    assertThat(module.replicas()).hasValue(2);
    assertThat(module.partitions()).hasValue(4);
    assertThat(HloPrinter.print(module))
        .startsWith(
            "HloModule m.1, is_scheduled=true, entry_computation_layout={(f32[])->f32[]},"
                + " replica_count=2, num_partitions=4\n\nENTRY %e (p: f32[]) -> f32[] {\n");
  }

  @Test
  void absentCounts_areUnknown() {
    Module module = Hlo.entry("ROOT " + P);
    assertThat(module.replicas()).isEmpty();
    assertThat(module.partitions()).isEmpty();
  }

  @Test
  void headerless_isNamedAfterItsEntry() {
    assertThat(Hlo.read("ENTRY main { ROOT p = f32[] parameter(0) }").name())
        .isEqualTo("module_main");
  }

  @Test
  void bareComputation_isTheEntry() {
    Module module = Hlo.read("c {\n ROOT p = f32[] parameter(0)\n}");
    assertThat(module.entry()).isEqualTo("c");
  }

  @Test
  void lastComputation_isTheEntryWhenNoneSaysSo() {
    Module module =
        Hlo.read(
            "HloModule m\na { ROOT p = f32[] parameter(0) }\nb { ROOT p = s32[] parameter(0) }");
    assertThat(module.entry()).isEqualTo("b");
  }

  @Test
  void singleInstruction_getsParameters() {
    Module module = Hlo.read("f32[4] add(f32[4] x, f32[4] %y)");
    assertThat(HloPrinter.print(module))
        .isEqualTo(
            "HloModule _, is_scheduled=true,"
                + " entry_computation_layout={(f32[4]{0}, f32[4]{0})->f32[4]{0}}\n\n"
                + "ENTRY %_ (x: f32[4], y: f32[4]) -> f32[4] {\n"
                + "  %x = f32[4]{0} parameter(0)\n"
                + "  %y = f32[4]{0} parameter(1)\n"
                + "  ROOT %_ = f32[4]{0} add(%x, %y)\n}\n\n");
  }

  @Test
  void root_isTheLastInstructionWhenNoneSaysSo() {
    assertThat(Hlo.root(Hlo.entry(P, "n = f32[4] negate(p)")).result().name()).isEqualTo("n");
    assertThat(Hlo.root(Hlo.entry("ROOT " + P, "n = f32[4] negate(p)")).result().name())
        .isEqualTo("p");
  }

  @Test
  void comments_areSkipped() {
    Module module =
        Hlo.read(
            "// RUN: x\n/* a { */ HloModule m // b\nENTRY e { // c\n"
                + "p = (f32[], /*index=1*/ s32[]) parameter(/*d*/0) } // e\n");
    assertThat(Hlo.root(module).result().type()).isInstanceOf(TupleType.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "f32[]|f32[]",
        "f32[2,3]|f32[2,3]{1,0}",
        "f32[2,3]{0,1}|f32[2,3]{0,1}",
        "bf16[256,64,1]{0,1,2:T(8,128)(2,1)S(1)}|bf16[256,64,1]{0,1,2:T(8,128)(2,1)S(1)}",
        "f32[]{:T(128)S(6)}|f32[]{:T(128)S(6)}",
        "s4[8]{0:E(4)}|s4[8]{0:E(4)}",
        "f32[2,<=3,?]{2,1,0}|f32[2,<=3,?]{2,1,0}",
        "()|()",
        "(f32[2], (s32[], token[]))|(f32[2]{0}, (s32[], token[]))",
        "opaque[]|opaque[]",
        "b(f32[2]{0})|b(f32[2]{0})",
        "(s8[],s8[],s8[],s8[],s8[],s8[])|(s8[], s8[], s8[], s8[], s8[], /*index=5*/s8[])",
        "f8e4m3b11fnuz[1]{0}|f8e4m3b11fnuz[1]{0}",
        "c128[1]{0}|c128[1]{0}"
      })
  void shapes_printAsXlaPrintsThem(String written, String printed) {
    Module module = Hlo.entry("ROOT p = " + written + " parameter(0)");
    assertThat(Hlo.printedRoot(module)).isEqualTo(printed + " parameter(0)");
  }

  @Test
  void boundedDimensions_keepTheirBounds() {
    TensorType type =
        (TensorType) Hlo.root(Hlo.entry("ROOT p = f32[2,<=3,?] parameter(0)")).result().type();
    assertThat(type.dims())
        .isEqualTo(ImmutableLongArray.of(2, TensorType.DYNAMIC, TensorType.DYNAMIC));
    assertThat(type.bounds())
        .isEqualTo(ImmutableLongArray.of(TensorType.DYNAMIC, 3, TensorType.DYNAMIC));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|{}",
        "{{0,1},{2,3}}|{{0,1},{2,3}}",
        "{ {0, 1}, {2} }|{{0,1},{2}}",
        "[2,4]<=[8]|[2,4]<=[8]",
        "[2,4]<=[4,2]T(1,0)|[2,4]<=[4,2]T(1,0)",
        "mesh['a'=2,'b'=2] {'b'}|mesh['a'=2,'b'=2] {'b'}"
      })
  void replicaGroups_keepTheirForm(String written, String printed) {
    Module module =
        Hlo.entry(P, "ROOT g = f32[8] all-gather(p), dimensions={0}, replica_groups=" + written);
    assertThat(Hlo.printedRoot(module))
        .isEqualTo("f32[8]{0} all-gather(%p), replica_groups=" + printed + ", dimensions={0}");
  }

  @Test
  void meshGroups_runAlongTheirAxes() {
    assertThat(meshGroups("mesh['a'=2,'b'=3] {'b'}")).containsExactly("[0, 1, 2]", "[3, 4, 5]");
    assertThat(meshGroups("mesh['a'=2,'b'=3] {'a'}")).containsExactly("[0, 3]", "[1, 4]", "[2, 5]");
    assertThat(meshGroups("mesh['a'=2,'b'=4] {'b':(1)2}"))
        .containsExactly("[0, 2]", "[1, 3]", "[4, 6]", "[5, 7]");
    assertThat(meshGroups("mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)) {'b'}"))
        .containsExactly("[0, 2]", "[1, 3]");
    assertThat(meshGroups("mesh['a'=2], device_ids=(1,0) {'a'}")).containsExactly("[1, 0]");
  }

  private static ImmutableList<String> meshGroups(String form) {
    Operation root =
        Hlo.root(
            Hlo.entry(P, "ROOT g = f32[8] all-gather(p), dimensions={0}, replica_groups=" + form));
    ReplicaGroups groups =
        ((Attribute.Groups) requireNonNull(root.attributes().get("replica_groups"))).groups();
    return groups.lists().stream().map(Object::toString).collect(ImmutableList.toImmutableList());
  }

  @Test
  void attributes_areWrittenInXlasOrder() {
    Module module =
        Hlo.read(
            "HloModule m\nadd { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                + "ROOT c = f32[] add(a, b) }\nENTRY e {\n"
                + P
                + "\nROOT r = f32[4] all-reduce(p), to_apply=add, use_global_device_ids=true,"
                + " metadata={op_name=\"n\"}, replica_groups={{0,1}}, channel_id=3 }");
    assertThat(Hlo.printedRoot(module))
        .isEqualTo(
            "f32[4]{0} all-reduce(%p), channel_id=3, replica_groups={{0,1}},"
                + " use_global_device_ids=true, to_apply=%add, metadata={op_name=\"n\"}");
    assertThat(Bodies.callees(Hlo.root(module))).containsExactly("add");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "f32[2] slice(p), slice={[0:4:2]}|f32[2]{0} slice(%p), slice={[0:4:2]}",
        "f32[2] slice(p), slice={[0:2:1]}|f32[2]{0} slice(%p), slice={[0:2]}",
        "f32[6] pad(p, z), padding=1_1|f32[6]{0} pad(%p, %z), padding=1_1",
        "f32[9] pad(p, z), padding=1_1_1|f32[9]{0} pad(%p, %z), padding=1_1_1",
        "f32[3] reduce-window(p, z), window={pad=0_0 stride=1 size=2}, to_apply=add"
            + "|f32[3]{0} reduce-window(%p, %z), window={size=2}, to_apply=%add",
        "f32[4] copy(p), metadata={source_line=3, op_name=\"a\"}"
            + "|f32[4]{0} copy(%p), metadata={op_name=\"a\" source_line=3}",
        "f32[4] copy(p), frontend_attributes={a=\"b\",c={\"d\":[1]}}"
            + "|f32[4]{0} copy(%p), frontend_attributes={a=\"b\",c={\"d\":[1]}}",
        "f32[4] copy(p), sharding={devices=[2,2]<=[4] last_tile_dims={manual, replicated}}"
            + "|f32[4]{0} copy(%p),"
            + " sharding={devices=[2,2]<=[4] last_tile_dims={manual, replicated}}",
        "f32[4] copy(p), control-predecessors={z}|f32[4]{0} copy(%p), control-predecessors={%z}",
        "f32[4] custom-call(p), custom_call_target=\"a\\\"b\", backend_config={\"k\":\"}\"}"
            + "|f32[4]{0} custom-call(%p), custom_call_target=\"a\\\"b\","
            + " backend_config={\"k\":\"}\"}",
        "f32[4] custom-call(p), custom_call_target=\"a\","
            + " backend_config={src = 1 : i64, by = array<i64: 1>}"
            + "|f32[4]{0} custom-call(%p), custom_call_target=\"a\","
            + " backend_config={src = 1 : i64, by = array<i64: 1>}",
        "f32[4] custom-call(p), output_to_operand_aliasing={{}:(0,{})}, custom_call_target=\"a\""
            + "|f32[4]{0} custom-call(%p), custom_call_target=\"a\","
            + " output_to_operand_aliasing={{}: (0, {})}",
        "f32[4] copy(p), not_known={x y}|f32[4]{0} copy(%p), not_known={x y}",
        "s32[4] iota(), iota_dimension=0|s32[4]{0} iota(), iota_dimension=0",
        "f32[4] collective-permute(p), source_target_pairs={{0,1}, {1,0}}"
            + "|f32[4]{0} collective-permute(%p), source_target_pairs={{0,1},{1,0}}"
      })
  void instructions_printAsXlaPrintsThem(String written, String printed) {
    Module module =
        Hlo.read(
            "HloModule m\nadd { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                + "ROOT c = f32[] add(a, b) }\nENTRY e {\n"
                + P
                + "\nz = f32[] constant(0)\nROOT r = "
                + written
                + "\n}");
    assertThat(Hlo.printedRoot(module)).isEqualTo(printed);
  }

  @Test
  void nestedOperands_becomeInstructions() {
    Module module = Hlo.entry("ROOT r = f32[4] negate(f32[4] sqrt(f32[4] parameter(0)))");
    Function entry = module.entryFunction().orElseThrow();
    assertThat(entry.body().operations()).hasSize(3);
    assertThat(Hlo.printedRoot(module)).isEqualTo("f32[4]{0} negate(%sqrt.anon)");
  }

  @Test
  void inlineBodies_becomeComputations() {
    Module module =
        Hlo.entry(
            P,
            "i = f32[] constant(0)",
            "ROOT r = f32[] reduce(p, i), dimensions={0}, to_apply={ p = f32[] parameter(0)",
            " b = f32[] parameter(1)",
            " ROOT s = f32[] add(p, b) }");
    assertThat(Hlo.printedRoot(module))
        .isEqualTo("f32[] reduce(%p, %i), dimensions={0}, to_apply=%_");
    assertThat(module.function("_").orElseThrow().body().operations()).hasSize(3);
  }

  @Test
  void compactTupleAccess_becomesGetTupleElement() {
    Module module =
        Hlo.entry(
            "p = (f32[4], (s32[], f32[4])) parameter(0)", "ROOT r = f32[4] add(%p#0, %p#1#1)");
    assertThat(Hlo.printedRoot(module)).isEqualTo("f32[4]{0} add(%p_0, %p_1_1)");
  }

  @Test
  void asyncSugar_wrapsAComputationAndPrintsAsSugar() {
    Module module =
        Hlo.entry(
            P,
            "s = ((f32[4]), f32[4], u32[]) custom-call-start(p), custom_call_target=\"f\","
                + " async_execution_thread=\"t\", metadata={op_name=\"n\"}",
            "u = ((f32[4]), f32[4], u32[]) custom-call-update(s)",
            "ROOT d = f32[4] custom-call-done(u)");
    Function entry = module.entryFunction().orElseThrow();
    Operation start = entry.body().operations().get(1);
    assertThat(start.def().hloName()).isEqualTo("async-start");
    assertThat(Bodies.of(start, module).get(0).root()).isNotNull();
    assertThat(HloPrinter.print(module))
        .contains(
            "custom-call-start(%p), async_execution_thread=\"t\", custom_call_target=\"f\","
                + " metadata={op_name=\"n\"}\n",
            "custom-call-update(%s)\n", "custom-call-done(%u)\n")
        .doesNotContain("async_computation");
    assertThat(Hlo.printedRoot(module)).isEqualTo("f32[4]{0} custom-call-done(%u)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "add(p, p)|f32[4]{0}",
        "compare(p, p), direction=LT|pred[4]{0}",
        "tuple(p, z)|(f32[4]{0}, f32[])",
        "reduce(p, z), dimensions={0}, to_apply=add|f32[]",
        "concatenate(p, p), dimensions={0}|f32[8]{0}",
        "dot(q, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}|f32[2,2]{1,0}",
        "transpose(q), dimensions={1,0}|f32[3,2]{0,1}",
        "pad(q, z), padding=1_0x0_0_1|f32[3,5]{1,0}",
        "replica-id()|u32[]",
        "complex(p, p)|c64[4]{0}",
        "call(z, z), to_apply=add|f32[]",
        "fft(p), fft_type=RFFT, fft_length={4}|c64[3]{0}",
        "reduce-window(q, z), window={size=2x2}, to_apply=add|f32[1,2]{1,0}"
      })
  void omittedShapes_areInferred(String written, String shape) {
    Module module =
        Hlo.read(
            "HloModule m\nadd { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
                + "ROOT c = add(a, b) }\nENTRY e {\n"
                + P
                + "\nz = f32[] constant(0)\nq = f32[2,3] parameter(1)\nROOT r = "
                + written
                + "\n}");
    assertThat(Hlo.printedRoot(module)).startsWith(shape + " ");
  }

  @Test
  void elidedLiteral_warnsAndIsKept() {
    DiagnosticSink sink = new DiagnosticSink();
    Module module =
        HloReader.read(
            Source.of("t", "HloModule m\nENTRY e { ROOT c = f32[99] constant({...}) }"), sink);
    assertThat(sink.hasErrors()).isFalse();
    assertThat(sink.diagnostics()).hasSize(1);
    assertThat(Hlo.printedRoot(module)).isEqualTo("f32[99]{0} constant({...})");
  }

  @Test
  void operandShapes_areWrittenOnRequest() {
    Module module = Hlo.entry(P, "ROOT n = f32[4] negate(f32[4]{0} %p)");
    assertThat(HloPrinter.print(module, true)).contains("negate(f32[4]{0} %p)");
    assertThat(HloPrinter.print(module)).contains("negate(%p)");
  }

  @Test
  void asynchronousChainThroughATuple_isNotWrittenAsSugar() {
    String text =
        "HloModule m, entry_computation_layout={(f32[4]{0})->f32[4]{0}}\n\n"
            + "%w (p: f32[4]) -> f32[4] {\n  %p = f32[4]{0} parameter(0)\n"
            + "  ROOT %r = f32[4]{0} negate(%p)\n}\n\n"
            + "ENTRY %e (x: f32[4]) -> f32[4] {\n  %x = f32[4]{0} parameter(0)\n"
            + "  %s = ((f32[4]{0}), f32[4]{0}) async-start(%x), calls=%w\n"
            + "  %t = (((f32[4]{0}), f32[4]{0})) tuple(%s)\n"
            + "  %g = ((f32[4]{0}), f32[4]{0}) get-tuple-element(%t), index=0\n"
            + "  ROOT %d = f32[4]{0} async-done(%g), calls=%w\n}\n\n";
    assertThat(HloPrinter.print(Hlo.read(text))).isEqualTo(text);
  }

  @Test
  void tables_areKept() {
    String text =
        "HloModule m, entry_computation_layout={(f32[])->f32[]}\n\n"
            + "FileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\n"
            + "FileLocations\n1 {file_name_id=1 function_name_id=1 line=1}\n\n"
            + "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n\n"
            + "ENTRY %e (p: f32[]) -> f32[] {\n  ROOT %p = f32[] parameter(0)\n}\n\n";
    assertThat(HloPrinter.print(Hlo.read(text))).isEqualTo(text);
  }
}
