package dev.lockstep.golden.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.proto.HloProtos;
import dev.lockstep.hlo.proto.xla.HloComputationProto;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.HloModuleProto;
import dev.lockstep.hlo.proto.xla.HloScheduleProto;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.testing.CorpusFiles;
import dev.lockstep.testing.PythonOracle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HLO protos: what XLA writes, and what it makes of ours. */
final class HloProtoTest {
  /** Fields that only text forms name anew: a proto's text is that of XLA in another order. */
  private static final ImmutableSet<String> BESIDE =
      ImmutableSet.of("num_partitions", "replica_count");

  /** Writes a proto beside each text that XLA reads, and the text that XLA prints of it. */
  private static final String MAKE =
      """
      import sys
      from jaxlib import _hlo
      options = _hlo.HloPrintOptions()
      options.print_large_constants = True
      for line in open(sys.argv[1]).read().split('\\n'):
        if not line: continue
        theirs, out = line.split('\\t')
        try:
          with open(theirs, 'rb') as f: data = f.read()
          if theirs.endswith('.pb'): module = _hlo.HloModule.from_serialized_hlo_module_proto(data)
          else: module = _hlo.hlo_module_from_text(data.decode())
          data = module.as_serialized_hlo_module_proto()
        except Exception: continue
        with open(out + '.pb', 'wb') as f: f.write(data)
        module = _hlo.HloModule.from_serialized_hlo_module_proto(data)
        with open(out + '.txt', 'w') as f: f.write(module.to_string(options))
      """;

  /** Says whether XLA gives the same text for two protos. */
  private static final String SAME =
      """
      import sys
      from jaxlib import _hlo
      def text(path):
        with open(path, 'rb') as f:
          return _hlo.HloModule.from_serialized_hlo_module_proto(f.read()).to_string()
      for line in open(sys.argv[1]).read().split('\\n'):
        if not line: continue
        theirs, ours = line.split('\\t')
        expected = text(theirs)
        try: print('same' if text(ours) == expected else 'different')
        except Exception as e: print('broken ' + str(e).replace('\\n', ' ')[:300])
      """;

  static ImmutableList<Path> protos() {
    return CorpusFiles.files("real", ".pb");
  }

  private static Module read(Path file) throws IOException {
    return Texts.read(Source.of(file.toString(), Files.readAllBytes(file)));
  }

  private static HloModuleProto parse(Path file) throws IOException {
    return HloModuleProto.parseFrom(Files.readAllBytes(file));
  }

  /** Returns computations and header of a text as a set: protos list callees in another order. */
  private static ImmutableSet<String> parts(String text) {
    ImmutableSet.Builder<String> out = ImmutableSet.builder();
    for (String part : text.split("\\n\\n+", -1)) {
      String plain = part.strip().replaceAll(" ?stack_frame_id=\\d+", "");
      if (plain.startsWith("HloModule")) {
        for (String name : BESIDE) {
          plain = plain.replaceAll(", " + name + "=\\d+", "");
        }
        plain = plain.replaceAll(", allow_spmd_sharding_propagation_to_\\w+=\\{[a-z,]*\\}", "");
      }
      boolean table = plain.startsWith("File") || plain.matches("(?s)(Function|Stack).*");
      if (!table) {
        out.add(plain.replace(", metadata={}", ""));
      }
    }
    return out.build();
  }

  @ParameterizedTest
  @MethodSource("protos")
  void whatXlaWrote_meansWhatTheTextBesideItMeans(Path proto) throws IOException {
    Path text = Path.of(proto.toString().replaceAll("\\.pb$", ".hlo"));
    assertThat(parts(Texts.print(read(proto)))).isEqualTo(parts(Texts.print(read(text))));
  }

  @ParameterizedTest
  @MethodSource("protos")
  void whatXlaWrote_isWrittenBackAndReadAlike(Path proto) throws IOException {
    Module module = read(proto);
    String text = Texts.print(module);
    byte[] binary = HloProtos.write(module).toByteArray();
    assertThat(Texts.print(Texts.read(Source.of("binary", binary)))).isEqualTo(text);
    assertThat(Texts.print(Texts.read(Source.of("text", HloProtos.writeText(module)))))
        .isEqualTo(text);
  }

  /** The instructions of a compiled program are numbered as XLA made them, not as they run. */
  @Test
  void scheduledInstructions_keepTheOrderOfTheirNumbers() throws IOException {
    Module module =
        hlo(
            """
            HloModule m, is_scheduled=true
            ENTRY %main {
              %x = f32[] parameter(0)
              %last = f32[] negate(%x)
              %first = f32[] abs(%x)
              ROOT %sum = f32[] add(%last, %first)
            }
            """);
    HloModuleProto.Builder proto = HloProtos.write(module).toBuilder();
    HloComputationProto.Builder entry = proto.getComputationsBuilder(0);
    long last = entry.getInstructions(1).getId();
    long first = entry.getInstructions(2).getId();
    entry.getInstructionsBuilder(1).setId(first);
    entry.getInstructionsBuilder(2).setId(last);
    entry.getInstructionsBuilder(3).setOperandIds(0, first).setOperandIds(1, last);
    proto
        .getScheduleBuilder()
        .putSequences(
            entry.getId(),
            HloScheduleProto.InstructionSequence.newBuilder()
                .addInstructionIds(entry.getInstructions(0).getId())
                .addInstructionIds(first)
                .addInstructionIds(last)
                .addInstructionIds(entry.getInstructions(3).getId())
                .build());
    Module back = Texts.read(Source.of("m.pb", proto.build().toByteArray()));
    assertThat(reread(back)).isEqualTo(proto.build());
  }

  @Test
  void everyText_becomesTheProtoThatXlaWouldWrite(@TempDir Path folder) throws IOException {
    PythonOracle oracle = PythonOracle.require();
    List<Path> inputs = new ArrayList<>(protos());
    inputs.addAll(CorpusFiles.files("real", ".hlo"));
    inputs.addAll(CorpusFiles.files("xla", ".hlo"));
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < inputs.size(); i++) {
      list.append(inputs.get(i)).append('\t').append(folder.resolve("p" + i)).append('\n');
    }
    Path pairs = folder.resolve("pairs.txt");
    Files.writeString(pairs, list);
    oracle.run(MAKE, pairs.toString());
    List<String> made = new ArrayList<>();
    StringBuilder again = new StringBuilder();
    for (int i = 0; i < inputs.size(); i++) {
      Path theirs = folder.resolve("p" + i + ".pb");
      if (!Files.exists(theirs)) {
        continue;
      }
      String name = inputs.get(i).toString();
      Module module = read(theirs);
      // XLA prints no metadata without a name, and MLIR's dictionaries as they were typed.
      if (!name.endsWith("compute_cost_test.hlo") && !name.endsWith("custom_call.hlo")) {
        String expected = Files.readString(folder.resolve("p" + i + ".txt"));
        assertThat(parts(Texts.print(module))).as(name).isEqualTo(parts(expected));
      }
      Path ours = folder.resolve("p" + i + ".ours.pb");
      Files.write(ours, HloProtos.write(module).toByteArray());
      again.append(theirs).append('\t').append(ours).append('\n');
      made.add(name);
    }
    assertThat(made).hasSizeGreaterThan(150);
    Files.writeString(pairs, again);
    ImmutableList<String> verdicts =
        oracle.run(SAME, pairs.toString()).lines().collect(ImmutableList.toImmutableList());
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < made.size(); i++) {
      if (!verdicts.get(i).equals("same") && !made.get(i).endsWith("custom_call.hlo")) {
        wrong.add(made.get(i) + ": " + verdicts.get(i));
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void unknownFields_surviveAtEveryLevel() throws IOException {
    HloModuleProto known = parse(protos().get(0));
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(1234, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
            .build();
    HloModuleProto.Builder more = known.toBuilder().setUnknownFields(unknown);
    more.getComputationsBuilder(0).setUnknownFields(unknown);
    HloInstructionProto.Builder instruction =
        more.getComputationsBuilder(0).getInstructionsBuilder(0).setUnknownFields(unknown);
    instruction.getShapeBuilder().setUnknownFields(unknown);
    instruction.getMetadataBuilder().setUnknownFields(unknown);
    Module module = Texts.read(Source.of("more.pb", more.build().toByteArray()));
    HloModuleProto back = reread(module);
    assertThat(back.getUnknownFields()).isEqualTo(unknown);
    assertThat(back.getComputations(0).getUnknownFields()).isEqualTo(unknown);
    HloInstructionProto same = back.getComputations(0).getInstructions(0);
    assertThat(same.getUnknownFields()).isEqualTo(unknown);
    assertThat(same.getShape().getUnknownFields()).isEqualTo(unknown);
    assertThat(same.getMetadata().getUnknownFields()).isEqualTo(unknown);
    assertThat(Texts.print(module)).doesNotContain("proto.rest");
  }

  /** Each text is as XLA prints it, so it must come back as it is. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%r = f32[4]{0} negate(%p), sharding={mesh['x'=2,'y'=2], [{'x', 'y', ?}], unreduced={'y':(1)2}}",
        "%r = f32[4]{0} negate(%p), sharding={mesh['x'=2], replicated}",
        "%r = f32[4]{0} negate(%p), sharding={mesh['x'=2,'y'=3], manual}",
        "%r = f32[4]{0} negate(%p), sharding={maximal_mesh[device_id=3]}",
        "%r = f32[4]{0} negate(%p), origin={{\"a\" {1,0}}}",
        "%r = (f32[4]{0}, f32[4]{0}) tuple(%p, %p), origin={({\"a\"}, {})}",
        "%r = f32[4]{0} negate(%p), metadata={op_name=\"n\" metadata_payload=\"x\"}",
        "%r = f32[4]{0} domain(%p), domain={kind=\"sharding\", entry={maximal device=0}, exit={maximal device=1}}",
        "%r = f32[2,2]{1,0} reshape(%p), inferred_dimension=1",
      })
  void whatXlaPrints_survives(String instruction) {
    String text =
        "HloModule m, entry_computation_layout={(f32[4]{0})->"
            + instruction.replaceAll("^%r = (\\(.*?\\)|\\S+) .*", "$1")
            + "}\n\nENTRY %main (p: f32[4]) -> "
            + instruction
                .replaceAll("^%r = (\\(.*?\\)|\\S+) .*", "$1")
                .replaceAll("\\{[0-9,]*\\}", "")
            + " {\n  %p = f32[4]{0} parameter(0)\n  ROOT "
            + instruction
            + "\n}\n";
    Module module = hlo(text);
    byte[] proto = HloProtos.write(module).toByteArray();
    assertThat(Texts.print(Texts.read(Source.of("m.pb", proto))).strip()).isEqualTo(text.strip());
  }

  @Test
  void chainsOfAnotherThread_nameItEverywhere() throws IOException {
    Module module =
        hlo(
            """
            HloModule m
            ENTRY %main {
              %x = f32[2] parameter(0)
              %s = ((f32[2]), f32[2], u32[]) negate-start(%x), async_execution_thread="host"
              ROOT %d = f32[2] negate-done(%s)
            }
            """);
    HloModuleProto proto = HloProtos.write(module);
    HloComputationProto entry = proto.getComputations(proto.getComputationsCount() - 1);
    assertThat(entry.getInstructions(2).getAsyncExecutionThread()).isEqualTo("host");
  }

  @Test
  void channelZero_becomesAnotherNumber() throws IOException {
    Module module =
        hlo(
            """
            HloModule m
            ENTRY %main {
              %x = f32[2] parameter(0)
              %a = f32[2] collective-permute(%x), channel_id=0, source_target_pairs={{0,1}}
              ROOT %b = f32[2] collective-permute(%a), channel_id=4, source_target_pairs={{0,1}}
            }
            """);
    HloComputationProto entry = HloProtos.write(module).getComputations(0);
    assertThat(entry.getInstructions(1).getChannelId()).isEqualTo(Integer.MAX_VALUE);
    assertThat(entry.getInstructions(2).getChannelId()).isEqualTo(4);
  }

  private static Module hlo(String text) {
    return Texts.read(Source.of("m.hlo", text));
  }

  private static HloModuleProto reread(Module module) throws InvalidProtocolBufferException {
    return HloModuleProto.parseFrom(HloProtos.write(module).toByteArray());
  }

  @Test
  void whatIsNoProto_isRefused() {
    assertThat(refusal(new byte[] {1, 2, 3, 4, 0, 0})).contains("no HLO proto either");
    assertThat(
            refusal(
                "name: \"x\"\ncomputations { instructions { nme: 3 } }"
                    .getBytes(StandardCharsets.UTF_8)))
        .contains("nme");
  }

  private static String refusal(byte[] bytes) {
    try {
      Texts.read(Source.of("input", bytes));
      return "";
    } catch (DiagnosticException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
