package dev.lockstep.golden.complete;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.CaseFormat;
import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.GoldenCase;
import dev.lockstep.golden.GoldenCase.Directive;
import dev.lockstep.golden.GoldenCase.Kind;
import dev.lockstep.golden.GoldenFile;
import dev.lockstep.golden.GoldenFiles;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.pass.Pass;
import dev.lockstep.testing.Checkout;
import dev.lockstep.tools.program.AllPasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What else would be a check list: that every part has its cases, under its name. */
final class CompletenessTest {
  private static final String SUFFIX = ".hlot";

  /** Suites of golden files; a file elsewhere would be found by nobody. */
  private static final ImmutableList<String> SUITES =
      ImmutableList.of("errors", "interpret", "lowering", "parse", "passes", "sets", "verify");

  private static ImmutableList<GoldenFile> files(String suite) {
    return GoldenFiles.suite(suite).stream()
        .map(GoldenFile::read)
        .collect(ImmutableList.toImmutableList());
  }

  private static String stem(Path path) {
    String name = path.getFileName().toString();
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
  }

  @Test
  void files_standInASuiteAndEndAsGoldenFilesDo() {
    for (Path path : GoldenFiles.all()) {
      String name = GoldenFiles.root().relativize(path).toString().replace('\\', '/');
      assertThat(name).matches("(" + String.join("|", SUITES) + ")/[a-z0-9_-]+\\.hlot");
    }
  }

  @Test
  void passes_haveAFileOfTheirNameWithACaseThatFiresAndOneThatMustNot() {
    for (Pass pass : AllPasses.registry().all()) {
      String name = pass.info().name();
      String suite = name.startsWith("lower-") ? "lowering" : "passes";
      List<GoldenCase> cases = new ArrayList<>();
      for (GoldenFile file : files(suite)) {
        for (GoldenCase golden : file.cases()) {
          String run = golden.directive(Directive.RUN);
          boolean isOwn = suite.equals("lowering") || stem(file.path()).equals(name);
          if (isOwn && run != null && run.startsWith(name)) {
            cases.add(golden);
          }
        }
      }
      assertThat(cases.stream().anyMatch(c -> c.section(Kind.OUTPUT) != null))
          .as(suite + " has no case in which " + name + " fires")
          .isTrue();
      assertThat(cases.stream().anyMatch(c -> c.section(Kind.UNCHANGED) != null))
          .as(suite + " has no case in which " + name + " must not fire")
          .isTrue();
    }
  }

  @Test
  void passFiles_areOfPassesThatThereAre() {
    Set<String> names =
        AllPasses.registry().all().stream()
            .map(pass -> pass.info().name())
            .collect(Collectors.toSet());
    for (GoldenFile file : files("passes")) {
      assertThat(names).as(file.path() + " is of no pass").contains(stem(file.path()));
    }
  }

  @Test
  void lowerings_haveAFileOfTheirName() throws IOException {
    Path sources = Checkout.root().resolve("lowering/src/main/java/dev/lockstep/lower");
    Set<String> missing = new TreeSet<>();
    try (Stream<Path> all = Files.list(sources)) {
      for (Path path : all.sorted().toList()) {
        String name = path.getFileName().toString();
        // These two are the interface and the walk over a block, not lowerings of a call.
        if (name.endsWith("Lowering.java")
            && !name.equals("CallLowering.java")
            && !name.equals("BlockLowering.java")) {
          String stem = name.substring(0, name.length() - "Lowering.java".length());
          String file = CaseFormat.UPPER_CAMEL.to(CaseFormat.LOWER_HYPHEN, stem) + SUFFIX;
          if (!Files.exists(GoldenFiles.root().resolve("lowering").resolve(file))) {
            missing.add(file);
          }
        }
      }
    }
    assertThat(missing).as("lowerings without a golden file").isEmpty();
  }

  @Test
  void passClasses_areNamedAfterTheirPass() {
    for (Pass pass : AllPasses.registry().all()) {
      String expected =
          CaseFormat.LOWER_HYPHEN.to(CaseFormat.UPPER_CAMEL, pass.info().name()) + "Pass";
      assertThat(pass.getClass().getSimpleName()).isEqualTo(expected);
    }
  }

  @Test
  void passes_areDocumented() {
    for (Pass pass : AllPasses.registry().all()) {
      assertThat(pass.info().summary()).as(pass.info().name()).matches("[A-Z].*[^.]");
      assertThat(pass.info().description()).as(pass.info().name()).isNotBlank();
    }
  }

  @Test
  void cases_expectSomething() {
    for (Path path : GoldenFiles.all()) {
      for (GoldenCase golden : GoldenFile.read(path).cases()) {
        assertThat(golden.sections())
            .as(path.getFileName() + ": " + golden.name() + " expects nothing")
            .isNotEmpty();
      }
    }
  }

  @Test
  void cases_thatExecuteNothingSayWhy() {
    for (Path path : GoldenFiles.all()) {
      for (GoldenCase golden : GoldenFile.read(path).cases()) {
        String reason = golden.directive(Directive.NO_VALUES);
        assertThat(reason == null || !reason.isBlank())
            .as(path.getFileName() + ": " + golden.name() + " does not say why")
            .isTrue();
      }
    }
  }

  @Test
  void constraintLabels_areUniqueWithinTheirOp() {
    for (OpDef def : OpSet.standard().all()) {
      Set<String> seen = new HashSet<>();
      for (Constraint constraint : def.constraints()) {
        assertThat(seen.add(def.code(constraint) + " " + constraint.summary()))
            .as(def.name() + " states " + constraint.label() + " twice")
            .isTrue();
      }
    }
  }

  /** A case is of the constraint whose code it starts with: {@code all_gather_c1_dim_is_a_rank}. */
  @Test
  void verifyCases_areOfConstraintsAndReportThem() {
    TreeSet<String> labels = new TreeSet<>();
    for (OpDef def : OpSet.standard().all()) {
      def.constraints().forEach(constraint -> labels.add(def.code(constraint)));
    }
    for (GoldenFile file : files("verify")) {
      for (GoldenCase golden : file.cases()) {
        String text = golden.section(Kind.DIAGNOSTICS);
        for (String code : labels) {
          boolean isNamed = golden.name().startsWith(code.replace('-', '_') + "_");
          if (isNamed) {
            assertThat(text)
                .as(golden.name() + " does not report what it is named after")
                .isNotNull()
                .contains("[" + code + "]");
          }
        }
      }
    }
  }

  @Test
  void bless_runsTheTestThatBlesses() throws Exception {
    Path script = Checkout.root().resolve("bless");
    assertThat(Files.readString(script))
        .contains("-Dtest=GoldenTest")
        .contains("-Dgolden.bless=true");
  }
}
