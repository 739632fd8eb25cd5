package dev.lockstep.golden.fx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.golden.run.CommandRun;
import dev.lockstep.tools.ExitCode;
import org.junit.jupiter.api.Test;

/** What graphs become, and what is said of those that become nothing. */
class FxTextTest {
  private static CommandRun opt(String graph, String... flags) {
    String[] arguments = new String[flags.length + 2];
    arguments[0] = "opt";
    arguments[1] = "-";
    System.arraycopy(flags, 0, arguments, 2, flags.length);
    return CommandRun.of(graph, arguments);
  }

  private static String graph(String parameters, String... lines) {
    StringBuilder out = new StringBuilder("class f(torch.nn.Module):\n    def forward(self, ");
    out.append(parameters).append("):\n");
    for (String line : lines) {
      out.append("        ").append(line).append('\n');
    }
    return out.toString();
  }

  private static void refuses(String graph, String message, String... flags) {
    CommandRun run = opt(graph, flags);
    assertThat(run.err()).contains(message);
    assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void textsThatEndOrCountWrong_areRefused() {
    refuses("class f(torch.nn.Module):\n    def forward(self, x_1: \"f32[4]\"):\n   ", "return");
    refuses(
        graph("x_1: \"f32[4, 99999999999999999999]\"", "return (x_1,)"),
        "'99999999999999999999' is no size");
    refuses(graph("x_1: \"f32[16x 64]\"", "return (x_1,)"), "'16x' is no size");
  }

  @Test
  void graph_becomesOneFunction() {
    CommandRun run =
        opt(
            graph(
                "x_1: \"f32[4]\", y_1: \"i64[2, 4][4, 1]cpu\"",
                "# File: a.py:3 in f, code: return x * y, None, (y,)",
                "mul: \"f32[2, 4]\" = torch.ops.aten.mul.Tensor(x_1, y_1);  x_1 = None",
                "return (mul, None, [y_1])"));
    assertThat(run.out())
        .isEqualTo(
            """
            module @f {
              func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<2x4xi64>) -> (tensor<2x4xf32>, tensor<2x4xi64>) {
                %0 = stablehlo.convert %arg1 : (tensor<2x4xi64>) -> tensor<2x4xf32>
                %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
                %2 = stablehlo.multiply %1, %0 : tensor<2x4xf32>
                return %2, %arg1 : tensor<2x4xf32>, tensor<2x4xi64>
              }
            }
            """);
  }

  @Test
  void operator_thatIsNotKnown_isKeptWithAWarning() {
    String graph =
        graph(
            "x_1: \"f32[4, 2]\"",
            "foo = torch.ops.mylib.foo.default([x_1, None], 3, mode = 'a');  x_1 = None",
            "getitem: \"f32[4]\" = foo[0]",
            "getitem_1: \"i64[2]\" = foo[1];  foo = None",
            "return (getitem, getitem_1)");
    CommandRun run = opt(graph, "--dce");
    assertThat(run.err()).contains("warning[fx-unknown-op]: mylib.foo.default is not known");
    assertThat(run.out())
        .contains("custom_call @mylib.foo.default(%arg0)")
        .contains("arguments = \"([%0, None], 3, mode='a')\"")
        .contains("(tensor<4xf32>, tensor<2xi64>)");
    CommandRun executed = CommandRun.of(graph, "run", "-", "--random", "1");
    assertThat(executed.exit()).isEqualTo(ExitCode.FAILED);
    assertThat(executed.err()).contains("'mylib.foo.default'");
  }

  @Test
  void sizes_areBoundOrRefusedByName() {
    String graph =
        graph(
            "arg0_1: \"Sym(s0)\", arg1_1: \"f32[s0, (s1//2)]\"",
            "mul: \"Sym(2*s0)\" = arg0_1 * 2;  arg0_1 = None",
            "view: \"f32[2*s0, 2]\" = torch.ops.aten.view.default(arg1_1, [mul, 2])",
            "return (view, mul)");
    refuses(
        graph, "the sizes s0, s1 are symbols; say which numbers to take: --bind s0=N --bind s1=N");
    refuses(graph, "the size s1 is a symbol", "--bind", "s0=8");
    CommandRun run = opt(graph, "--bind", "s0=8", "--bind", "s1=8");
    assertThat(run.out()).contains("(%arg0: tensor<8x4xf32>) -> tensor<16x2xf32>");
  }

  @Test
  void input_thatIsWrittenTo_isRefusedOrAliased() {
    String graph =
        graph(
            "x_1: \"f32[4]\", y_1: \"f32[4]\"",
            "add: \"f32[4]\" = torch.ops.aten.add.Tensor(x_1, y_1)",
            "copy_: \"f32[4]\" = torch.ops.aten.copy_.default(x_1, add);  copy_ = None",
            "return ()");
    refuses(graph, "error[fx-mutation]: aten.copy_.default writes to the input 'x_1'");
    CommandRun run = opt(graph, "--mutated-inputs");
    assertThat(run.out())
        .contains("%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}")
        .contains("return %0 : tensor<4xf32>");
  }

  @Test
  void views_seeWhatIsWrittenToTheirBase() {
    CommandRun run =
        CommandRun.of(
            graph(
                "x_1: \"i64[4]\"",
                "mul: \"i64[4]\" = torch.ops.aten.mul.Tensor(x_1, 0)",
                "view: \"i64[2, 2]\" = torch.ops.aten.view.default(mul, [2, 2])",
                "select: \"i64[2]\" = torch.ops.aten.select.int(view, 0, 1)",
                "fill_: \"i64[2]\" = torch.ops.aten.fill_.Scalar(select, 7);  fill_ = None",
                "return (mul, view)"),
            "run",
            "-",
            "--random",
            "1");
    assertThat(run.out()).contains("[0, 0, 7, 7]").doesNotContain("[0, 0, 0, 0]");
  }

  @Test
  void groups_areNamedOrRefused() {
    String graph =
        graph(
            "x_1: \"f32[4]\"",
            "a: \"f32[4]\" = torch.ops._c10d_functional.all_reduce.default(x_1, 'sum', '7')",
            "return a");
    refuses(graph, "the process group '7' is not known; name its ranks in a file for --groups");
  }

  @Test
  void attribute_isAFurtherArgument() {
    CommandRun run =
        opt(
            graph(
                "x_1: \"f32[4]\"",
                "_tensor_constant0: \"f32[]\" = self._tensor_constant0",
                "add: \"f32[4]\" = torch.ops.aten.add.Tensor(x_1, _tensor_constant0)",
                "return add"));
    assertThat(run.err())
        .contains("self._tensor_constant0 are not in the text; they are argument 1");
    assertThat(run.out()).contains("%arg1: tensor<f32>");
  }

  @Test
  void mistakes_arePointedAt() {
    refuses(graph("x_1", "return x_1"), "'x_1' has no type; print the graph with print_readable()");
    refuses(graph("x_1: \"f32[4]\"", "return y_1"), "<stdin>:3:16: error[fx-name]: 'y_1' is not");
    refuses(
        graph("x_1: \"f32[4, 3]\"", "t: \"f32[4, 3]\" = torch.ops.aten.t.default(x_1)", "return t"),
        "<stdin>:3:12: error[fx-type]: the text says tensor<4x3xf32>, but this gives"
            + " tensor<3x4xf32>");
    refuses(
        graph(
            "x_1: \"f32[4, 3]\"",
            "mm: \"f32[4, 3]\" = torch.ops.aten.mm.default(x_1, x_1)",
            "return mm"),
        "cannot multiply tensor<4x3xf32> by tensor<4x3xf32>: 3 columns against 4 rows");
    refuses(
        graph("x_1: \"f32[4]\"", "a = torch.ops.aten.sum.default(x_1, foo = 1)", "return a"),
        "aten.sum.default: has no argument 'foo'");
    refuses(
        graph("x_1: \"f32[4]\"", "a = torch.ops.aten.dropout.default(x_1, 0.5, True)", "return a"),
        "drops values at random");
    refuses(graph("x_1: \"f32[4]\"", "return (x_1"), "error[syntax]: expected");
    refuses(graph("x_1: \"f32[4]\"", "a = x_1"), "the graph 'f' ends without a return");
  }

  @Test
  void collectiveInPlaceOnView_thenWait_isWaitedForInTheWhole() {
    CommandRun run =
        opt(
            graph(
                "x_1: \"f32[4]\"",
                "y: \"f32[4]\" = torch.ops.aten.clone.default(x_1)",
                "v: \"f32[2]\" = torch.ops.aten.slice.Tensor(y, 0, 1, 3)",
                "all_reduce_: \"f32[2]\" = torch.ops._c10d_functional.all_reduce_.default(v, 'sum', '0')",
                "wait: \"f32[2]\" = torch.ops._c10d_functional.wait_tensor.default(all_reduce_)",
                "return y"),
            "--lower-c10d",
            "--replicas",
            "2");
    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).containsOnlyOnce("stablehlo.all_reduce");
  }
}
