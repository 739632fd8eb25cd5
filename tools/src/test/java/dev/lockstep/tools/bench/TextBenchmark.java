package dev.lockstep.tools.bench;

import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.text.Texts;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Time to read and to print a program of 100,000 operations in either syntax, on one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 8, time = 1)
@Measurement(iterations = 8, time = 1)
@Fork(
    value = 1,
    jvmArgs = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch", "-XX:+UseParallelGC"})
public class TextBenchmark {
  /** The syntax. */
  @Param({"STABLEHLO", "HLO"})
  public String syntax = "";

  /** The number of operations. */
  @Param({"100000"})
  public int operations;

  private Source source = Source.UNKNOWN;
  private Module module = Texts.read(Source.of("empty", "module {\n}\n"));

  /** Makes the text once. */
  @Setup
  public void makeText() {
    source = Source.of("large", LargeText.of(Syntax.valueOf(syntax), operations));
    module = Texts.read(source);
  }

  /** Reads the text. */
  @Benchmark
  public Module read() {
    return Texts.read(source);
  }

  /** Prints the program. */
  @Benchmark
  public String print() {
    return Texts.print(module);
  }
}
