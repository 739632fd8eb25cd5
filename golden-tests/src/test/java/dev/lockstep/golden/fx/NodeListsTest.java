package dev.lockstep.golden.fx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.golden.run.CommandRun;
import dev.lockstep.tools.ExitCode;
import org.junit.jupiter.api.Test;

/** Graphs as {@code print(graph)}, {@code print_tabular()} and {@code gm.code} show them. */
class NodeListsTest {
  private static final String READABLE =
      """
      class forward(torch.nn.Module):
          def forward(self, x_1: "f32[4, 2]", mesh, y_1: "f32[2]"):
              add: "f32[4, 2]" = torch.ops.aten.add.Tensor(x_1, y_1)
              sum_1: "f32[2]" = torch.ops.aten.sum.dim_IntList(add, [0], dtype = torch.float32)
              all_reduce: "f32[2]" = torch.ops._c10d_functional.all_reduce.default(sum_1, 'max', '0')
              wait_tensor: "f32[2]" = torch.ops._c10d_functional.wait_tensor.default(all_reduce)
              split = torch.ops.aten.split.Tensor(add, 2)
              getitem: "f32[2, 2]" = split[1]
              return (wait_tensor, [getitem], mesh, None)
      """;

  private static final String CODE =
      """
      def forward(self, x_1, mesh, y_1):
          add = torch.ops.aten.add.Tensor(x_1, y_1);  x_1 = y_1 = None
          sum_1 = torch.ops.aten.sum.dim_IntList(add, [0], dtype = torch.float32)
          all_reduce = torch.ops._c10d_functional.all_reduce.default(sum_1, 'max', '0');  sum_1 = None
          wait_tensor = torch.ops._c10d_functional.wait_tensor.default(all_reduce);  all_reduce = None
          split = torch.ops.aten.split.Tensor(add, 2);  add = None
          getitem = split[1];  split = None
          return (wait_tensor, [getitem], mesh, None)
      """;

  private static final String LIST =
      """
      graph():
          %x_1 : [num_users=1] = placeholder[target=x_1]
          %mesh : [num_users=1] = placeholder[target=mesh]
          %y_1 : [num_users=1] = placeholder[target=y_1]
          %add : [num_users=2] = call_function[target=torch.ops.aten.add.Tensor](args = (%x_1, %y_1), kwargs = {})
          %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%add, [0]), kwargs = {dtype: torch.float32})
          %all_reduce : [num_users=1] = call_function[target=torch.ops._c10d_functional.all_reduce.default](args = (%sum_1, max, 0), kwargs = {})
          %wait_tensor : [#users=1] = call_function[target=torch.ops._c10d_functional.wait_tensor.default](args = (%all_reduce,), kwargs = {})
          %split : [num_users=1] = call_function[target=torch.ops.aten.split.Tensor](args = (%add, 2), kwargs = {})
          %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%split, 1), kwargs = {})
          return (wait_tensor, [getitem], mesh, None)
      """;

  private static final String TABLE =
      """
      opcode         name         target                                args                                         kwargs
      -------------  -----------  ------------------------------------  -------------------------------------------  ------------------------
      placeholder    x_1          x_1                                   ()                                           {}
      placeholder    mesh         mesh                                  ()                                           {}
      placeholder    y_1          y_1                                   ()                                           {}
      call_function  add          aten.add.Tensor                       (x_1, y_1)                                   {}
      call_function  sum_1        aten.sum.dim_IntList                  (add, [0])                                   {'dtype': torch.float32}
      call_function  all_reduce   _c10d_functional.all_reduce.default   (sum_1, 'max', '0')                          {}
      call_function  wait_tensor  _c10d_functional.wait_tensor.default  (all_reduce,)                                {}
      call_function  split        aten.split.Tensor                     (add, 2)                                     {}
      call_function  getitem      <built-in function getitem>           (split, 1)                                   {}
      output         output       output                                ((wait_tensor, [getitem], mesh, None),)      {}
      """;

  private static CommandRun opt(String text, String... flags) {
    String[] arguments = new String[flags.length + 2];
    arguments[0] = "opt";
    arguments[1] = "-";
    System.arraycopy(flags, 0, arguments, 2, flags.length);
    return CommandRun.of(text, arguments);
  }

  private static void refuses(String text, String message, String... flags) {
    CommandRun run = opt(text, flags);
    assertThat(run.err()).contains(message);
    assertThat(run.exit()).isEqualTo(ExitCode.FAILED);
  }

  private static void readsLikeReadable(String text) {
    CommandRun run = opt(text, "--bind", "x_1=f32[4, 2]", "--bind", "y_1=f32[2]");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(opt(READABLE).out());
  }

  @Test
  void readable_objectsThatAreHandedThrough_areNoArguments() {
    assertThat(opt(READABLE).out())
        .contains("@main(%arg0: tensor<4x2xf32>, %arg1: tensor<2xf32>)")
        .contains("-> (tensor<2xf32>, tensor<2x2xf32>)");
  }

  @Test
  void readable_objectsThatAreUsed_areNamed() {
    refuses(
        READABLE.replace("add.Tensor(x_1, y_1)", "add.Tensor(x_1, mesh)"),
        "the object 'mesh', whose type the text does not say");
  }

  @Test
  void code_withTypesFromFlags_readsLikeReadable() {
    readsLikeReadable(CODE);
  }

  @Test
  void list_withTypesFromFlags_readsLikeReadable() {
    readsLikeReadable(LIST);
  }

  @Test
  void table_withTypesFromFlags_readsLikeReadable() {
    readsLikeReadable(TABLE);
  }

  @Test
  void listInLog_isFound() {
    StringBuilder log = new StringBuilder();
    LIST.lines()
        .forEach(
            line ->
                log.append("V0101 12:00:00.000 7 torch/a.py:3] [0/0] [__aot_graphs] ")
                    .append(line)
                    .append('\n'));
    readsLikeReadable(log.toString());
  }

  @Test
  void missingTypes_saysHowToGiveThem() {
    refuses(LIST, "<stdin>:2:6: error[fx-type]: 'x_1' has no type", "--bind", "z=f32[2]");
    refuses(TABLE, "or say its type: --bind 'x_1=f32[4, 8]'");
    refuses(CODE, "or say its type: --bind 'x_1=f32[4, 8]'");
  }

  @Test
  void wrongBinding_isRefused() {
    assertThat(opt(LIST, "--bind", "x_1=float").err())
        .contains("--bind x_1=float: must be a size, or a type such as f32[4, 8]");
  }

  @Test
  void pythonsOperators_areThoseOfReadable() {
    String list =
        """
        graph():
            %x : [num_users=2] = placeholder[target=x]
            %mul : [num_users=1] = call_function[target=operator.mul](args = (%x, 2), kwargs = {})
            %neg : [num_users=1] = call_function[target=operator.neg](args = (%mul,), kwargs = {})
            %getitem : [num_users=1] = call_function[target=operator.getitem](args = (%neg, (slice(None, 2, None), Ellipsis, None)), kwargs = {})
            %relu : [num_users=1] = call_function[target=torch.nn.functional.relu](args = (%getitem,), kwargs = {inplace: False})
            %view : [num_users=1] = call_method[target=view](args = (%relu, -1), kwargs = {})
            %full : [num_users=1] = call_function[target=torch.ops.aten.full.default](args = ([2], -inf), kwargs = {dtype: torch.float32, device: cuda:0, pin_memory: False})
            %cat : [num_users=1] = call_function[target=torch.cat](args = ([%view, %full],), kwargs = {dim: 0})
            return cat
        """;
    String readable =
        """
        class forward(torch.nn.Module):
            def forward(self, x: "f32[4]"):
                mul = x * 2
                neg = -mul
                getitem = neg[(slice(None, 2, None), Ellipsis, None)]
                relu = torch.nn.functional.relu(getitem, inplace = False)
                view = relu.view(-1)
                full = torch.ops.aten.full.default([2], -inf, dtype = torch.float32, pin_memory = False)
                cat = torch.cat([view, full], dim = 0)
                return cat
        """;
    CommandRun run = opt(list, "--bind", "x=f32[4]");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("tensor<4xf32>").isEqualTo(opt(readable).out());
  }

  @Test
  void wrongLines_arePointedAt() {
    refuses(LIST.replace("%split : ", "%split "), "<stdin>:9:5: error[syntax]: expected a node");
    refuses(
        LIST.replace("    return (wait_tensor, [getitem], mesh, None)\n", ""), "without a return");
    refuses(
        LIST.replace("(%add, 2)", "(%add, $)"),
        "<stdin>:9:94: error[syntax]: expected ')', got '$'");
    refuses(
        TABLE.replaceFirst("(?m)^---.*\n", ""),
        "<stdin>:2:1: error[syntax]: expected the rule that shows the columns");
    refuses(
        LIST.replace("%split, 1", "%nothing, 1"),
        "error[fx-name]: 'nothing' is not defined",
        "--bind",
        "x_1=f32[4, 2]",
        "--bind",
        "y_1=f32[2]");
  }
}
