package dev.lockstep.pass.instrument;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassInstrument;
import dev.lockstep.pass.Pipeline;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** Prints the module before and after passes, as {@code --print-ir-*} ask. */
public final class PrintIr implements PassInstrument {
  /** In a set of names: every pass. */
  public static final String EVERY = "*";

  private final ImmutableSet<String> before;
  private final ImmutableSet<String> after;
  private final boolean afterChange;
  private final Function<Module, String> printer;
  private final Consumer<String> out;
  private String label = "";

  /**
   * Creates a printer.
   *
   * @param before names of passes to print before, or {@link #EVERY}
   * @param after names of passes to print after, or {@link #EVERY}
   * @param afterChange whether to print after each pass that changed something
   * @param printer writes modules
   * @param out receives whole lines
   */
  public PrintIr(
      ImmutableSet<String> before,
      ImmutableSet<String> after,
      boolean afterChange,
      Function<Module, String> printer,
      Consumer<String> out) {
    this.before = requireNonNull(before);
    this.after = requireNonNull(after);
    this.afterChange = afterChange;
    this.printer = requireNonNull(printer);
    this.out = requireNonNull(out);
  }

  @Override
  public void program(String newLabel) {
    label = " (" + newLabel + ")";
  }

  @Override
  public void before(int index, Pipeline.Single step, Module module) {
    if (matches(before, step)) {
      print("before", index, step, module);
    }
  }

  @Override
  public void after(
      int index,
      Pipeline.Single step,
      Module input,
      Module output,
      long nanos,
      Map<String, Long> statistics) {
    if (matches(after, step) || afterChange && input != output) {
      print("after", index, step, output);
    }
  }

  private static boolean matches(ImmutableSet<String> names, Pipeline.Single step) {
    return names.contains(EVERY) || names.contains(step.pass().info().name());
  }

  private void print(String when, int index, Pipeline.Single step, Module module) {
    String text = printer.apply(module);
    out.accept(
        "// ---- "
            + index
            + ": "
            + when
            + " "
            + step
            + label
            + "\n"
            + text
            + (text.endsWith("\n") ? "" : "\n"));
  }
}
