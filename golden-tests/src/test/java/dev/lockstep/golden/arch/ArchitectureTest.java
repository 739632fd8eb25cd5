package dev.lockstep.golden.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.jspecify.annotations.NullMarked;

/** The arrows between the rooms, and habits that bytecode shows. */
@AnalyzeClasses(packages = "dev.lockstep", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String MODEL = "dev.lockstep.hlo..";
  private static final String PASSES = "dev.lockstep.pass..";
  private static final String LOWERING = "dev.lockstep.lower..";
  private static final String RUNTIME = "dev.lockstep.runtime..";
  private static final String HANDSHAKE = "dev.lockstep.handshake..";
  private static final String TOOLS = "dev.lockstep.tools..";

  @ArchTest
  static final ArchRule MODEL_KNOWS_NO_OTHER_ROOM =
      noClasses()
          .that()
          .resideInAPackage(MODEL)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(PASSES, LOWERING, RUNTIME, HANDSHAKE, TOOLS);

  @ArchTest
  static final ArchRule PASSES_KNOW_THE_MODEL_ONLY =
      noClasses()
          .that()
          .resideInAPackage(PASSES)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(LOWERING, RUNTIME, HANDSHAKE, TOOLS);

  @ArchTest
  static final ArchRule LOWERING_KNOWS_NO_RUNTIME_AND_NO_TOOLS =
      noClasses()
          .that()
          .resideInAPackage(LOWERING)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(RUNTIME, HANDSHAKE, TOOLS);

  @ArchTest
  static final ArchRule RUNTIME_KNOWS_THE_MODEL_ONLY =
      noClasses()
          .that()
          .resideInAPackage(RUNTIME)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(PASSES, LOWERING, HANDSHAKE, TOOLS);

  @ArchTest
  static final ArchRule HANDSHAKE_KNOWS_THE_MODEL_AND_PASSES =
      noClasses()
          .that()
          .resideInAPackage(HANDSHAKE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(LOWERING, RUNTIME, TOOLS);

  /** Law 10: time and messages come in, messages go out. */
  @ArchTest
  static final ArchRule PROTOCOL_IS_PURE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.lockstep.handshake.protocol..",
              "dev.lockstep.handshake.coordinator..",
              "dev.lockstep.handshake.client..",
              "dev.lockstep.handshake.simulate..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.net..", "java.nio.channels..", "java.util.concurrent..", "io..")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule ROOMS_ARE_FREE_OF_CYCLES =
      slices().matching("dev.lockstep.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule ONLY_TOOLS_TOUCH_STANDARD_STREAMS =
      noClasses()
          .that()
          .resideOutsideOfPackage(TOOLS)
          .should(com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS);

  @ArchTest
  static final ArchRule ONLY_TOOLS_END_THE_PROCESS =
      noClasses()
          .that()
          .resideOutsideOfPackage(TOOLS)
          .should()
          .callMethod(System.class, "exit", int.class);

  @ArchTest
  static final ArchRule NOBODY_USES_JAVA_LOGGING =
      noClasses()
          .that()
          // It silences what gRPC logs.
          .doNotHaveFullyQualifiedName("dev.lockstep.handshake.grpc.GrpcNoise")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.logging..");

  @ArchTest
  static final ArchRule PACKAGES_ARE_NULL_MARKED =
      ArchRuleDefinition.classes()
          .that()
          .haveSimpleNameNotEndingWith("package-info")
          // What protoc writes.
          .and()
          .resideOutsideOfPackages("dev.lockstep.handshake.wire", "dev.lockstep.hlo.proto.xla")
          .should(
              new ArchCondition<JavaClass>("be in a package that is @NullMarked") {
                @Override
                public void check(JavaClass item, ConditionEvents events) {
                  if (!item.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(
                        SimpleConditionEvent.violated(item, item.getPackageName() + " is not"));
                  }
                }
              });

  private ArchitectureTest() {}
}
