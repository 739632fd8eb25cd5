package dev.lockstep.tools.bench;

import dev.lockstep.hlo.ir.Syntax;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes programs of a given number of operations, so that two readers can be timed on one text.
 */
public final class LargeText {
  private static final String TENSOR = "tensor<64x64xf32>";

  private LargeText() {}

  /** Returns a program of about {@code operations} operations that every peer accepts. */
  public static String of(Syntax syntax, int operations) {
    return syntax == Syntax.HLO ? hlo(operations) : stablehlo(operations);
  }

  /** Writes the text to a file, for a peer: arguments SYNTAX COUNT FILE. */
  public static void main(String[] args) throws IOException {
    Files.writeString(Path.of(args[2]), of(Syntax.valueOf(args[0]), Integer.parseInt(args[1])));
  }

  private static String stablehlo(int operations) {
    StringBuilder out = new StringBuilder("module @large {\n");
    out.append("  func.func public @main(%arg0: ").append(TENSOR).append(") -> ");
    out.append(TENSOR).append(" {\n");
    String last = "%arg0";
    int value = 0;
    for (int i = 0; i + 8 <= operations; i += 8) {
      String name = "%" + value++;
      switch (i / 8 % 3) {
        case 0 ->
            out.append("    ")
                .append(name)
                .append(" = \"stablehlo.all_reduce\"(")
                .append(last)
                .append(") <{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({\n")
                .append("    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n")
                .append("      %s = stablehlo.add %a, %b : tensor<f32>\n")
                .append("      stablehlo.return %s : tensor<f32>\n    }) : (")
                .append(TENSOR)
                .append(") -> ")
                .append(TENSOR)
                .append('\n');
        case 1 ->
            out.append("    ")
                .append(name)
                .append(" = stablehlo.dot_general ")
                .append(last)
                .append(", %arg0, contracting_dims = [1] x [0] : (")
                .append(TENSOR)
                .append(", ")
                .append(TENSOR)
                .append(") -> ")
                .append(TENSOR)
                .append('\n');
        default ->
            out.append("    ")
                .append(name)
                .append(" = stablehlo.transpose ")
                .append(last)
                .append(", dims = [1, 0] : (")
                .append(TENSOR)
                .append(") -> ")
                .append(TENSOR)
                .append('\n');
      }
      int plain = i / 8 % 3 == 0 ? 5 : 7;
      last = name;
      for (int j = 0; j < plain; j++) {
        String next = "%" + value++;
        out.append("    ")
            .append(next)
            .append(" = stablehlo.")
            .append(j % 2 == 0 ? "add " : "multiply ")
            .append(last)
            .append(", ")
            .append(name)
            .append(" : ")
            .append(TENSOR)
            .append('\n');
        last = next;
      }
    }
    return out.append("    return ")
        .append(last)
        .append(" : ")
        .append(TENSOR)
        .append("\n  }\n}\n")
        .toString();
  }

  private static String hlo(int operations) {
    StringBuilder out =
        new StringBuilder("HloModule large\n\nsum (a: f32[], b: f32[]) -> f32[] {\n");
    out.append("  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n");
    out.append("  ROOT %t = f32[] add(%a, %b)\n}\n\n");
    out.append("ENTRY %main (x: f32[64,64]) -> f32[64,64] {\n");
    out.append("  %x = f32[64,64]{1,0} parameter(0)\n");
    String last = "%x";
    for (int i = 0; i < operations; i++) {
      String name = "%v." + i;
      out.append(i + 1 == operations ? "  ROOT " : "  ").append(name).append(" = f32[64,64]{1,0} ");
      switch (i % 8) {
        case 0 ->
            out.append("all-reduce(")
                .append(last)
                .append("), replica_groups={{0,1},{2,3}}, to_apply=sum");
        case 1 ->
            out.append("dot(")
                .append(last)
                .append(", %x), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
        case 2 -> out.append("transpose(").append(last).append("), dimensions={1,0}");
        default ->
            out.append(i % 2 == 0 ? "add(" : "multiply(")
                .append(last)
                .append(", %x)")
                .append(", metadata={op_type=\"mul\" op_name=\"jit(step)/mul\" source_line=7}");
      }
      out.append('\n');
      last = name;
    }
    return out.append("}\n").toString();
  }
}
