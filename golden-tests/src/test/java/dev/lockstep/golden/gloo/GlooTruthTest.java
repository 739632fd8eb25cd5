package dev.lockstep.golden.gloo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.lower.LowerC10d;
import dev.lockstep.lower.LowerSet;
import dev.lockstep.lower.LoweringContext;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every collective that torch's gloo ran on four ranks, written as a program with torch.distributed
 * calls, lowered and run: it must give what gloo gave.
 */
final class GlooTruthTest {
  static Stream<GlooRecord> records() {
    return GlooRecord.all().stream();
  }

  @Test
  void records_all_are130() {
    assertThat(GlooRecord.all()).hasSize(130);
  }

  @ParameterizedTest
  @MethodSource("records")
  void oneText_stablehlo_givesWhatGlooGave(GlooRecord record) {
    checkOneText(record, false);
  }

  @ParameterizedTest
  @MethodSource("records")
  void oneText_hlo_givesWhatGlooGave(GlooRecord record) {
    checkOneText(record, true);
  }

  private static void checkOneText(GlooRecord record, boolean hlo) {
    String text = GlooProgram.text(record, GlooProgram.ALL, hlo);
    Module module = Texts.read(Source.of(record + (hlo ? ".hlo" : ".mlir"), text));
    LoweringContext context = LoweringContext.of(record.world(), 1);
    Module lowered = LowerC10d.lower(module, context);
    // What was written must also be what it says: print it, read it, and run that.
    Module again = Texts.read(Source.of("lowered", Texts.print(lowered)));
    assertThat(Texts.print(again)).isEqualTo(Texts.print(lowered));
    List<ImmutableList<Datum>> arguments = new ArrayList<>();
    for (int rank = 0; rank < record.world(); rank++) {
      arguments.add(GlooProgram.arguments(record, GlooProgram.ALL, rank));
    }
    check(record, Program.of(again), arguments);
  }

  @ParameterizedTest
  @MethodSource("records")
  void set_stablehlo_givesWhatGlooGaveAndBecomesOneText(GlooRecord record) {
    checkSet(record, false);
  }

  @ParameterizedTest
  @MethodSource("records")
  void set_hlo_givesWhatGlooGaveAndBecomesOneText(GlooRecord record) {
    checkSet(record, true);
  }

  private static void checkSet(GlooRecord record, boolean hlo) {
    List<Module> programs = new ArrayList<>();
    List<ImmutableList<Datum>> arguments = new ArrayList<>();
    for (int rank = 0; rank < record.world(); rank++) {
      String name = record + ".rank" + rank + (hlo ? ".hlo" : ".mlir");
      programs.add(Texts.read(Source.of(name, GlooProgram.text(record, rank, hlo))));
      arguments.add(GlooProgram.arguments(record, rank, rank));
    }
    ImmutableList<Module> lowered = LowerSet.lower(programs, LoweringContext.UNKNOWN);
    check(record, Program.ofRanks(lowered), arguments);
    Set<String> texts = new LinkedHashSet<>();
    lowered.forEach(module -> texts.add(Texts.print(module)));
    // Uneven exchanges have other shapes on every rank, which no one text can have.
    if (!record.op().equals("all_to_all_single_uneven")) {
      assertThat(String.join("\n----\n", texts)).isEqualTo(texts.iterator().next());
    }
  }

  static void check(GlooRecord record, Program program, List<ImmutableList<Datum>> arguments) {
    ImmutableList<ImmutableList<Datum>> results =
        GridInterpreter.run(
            program, new DeviceGrid(record.world(), 1), arguments, InterpreterOptions.DEFAULT);
    for (int rank = 0; rank < record.world(); rank++) {
      JsonNode expected = record.output(rank);
      if (!expected.isNull()) {
        checkRank(record, rank, Flattening.flatten(results.get(rank)), expected);
      }
    }
  }

  private static void checkRank(
      GlooRecord record, int rank, ImmutableList<Literal> got, JsonNode expected) {
    for (int i = 0; i < got.size(); i++) {
      Literal actual = got.get(i);
      JsonNode wanted = got.size() == 1 ? expected : expected.get(i);
      TensorType type = actual.type();
      Literal truth = GlooRecord.literal(wanted, type);
      for (int e = 0; e < actual.count(); e++) {
        String where = record + " rank " + rank + " result " + i + " element " + e;
        if (type.element().isInteger()) {
          assertThat(actual.getLong(e)).as(where).isEqualTo(truth.getLong(e));
        } else {
          double size = Math.abs(truth.getDouble(e));
          double tolerance = type.element() == ElementType.BF16 ? 1e-2 : 1e-6;
          assertThat(actual.getDouble(e))
              .as(where)
              .isCloseTo(truth.getDouble(e), within(tolerance * (1 + size)));
        }
      }
    }
  }
}
