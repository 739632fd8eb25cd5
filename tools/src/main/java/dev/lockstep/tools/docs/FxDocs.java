package dev.lockstep.tools.docs;

import com.google.common.collect.ImmutableList;
import dev.lockstep.lower.fx.aten.Operators;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Writes docs/fx.md: how torch FX graphs are read, and every operator that is known. */
public final class FxDocs {
  private static final String HEADER =
      """
      <!-- Written by `./lockstep docs` from the table of operators; a test fails when stale. -->
      # Torch FX graphs

      Every verb that reads programs takes the graphs of torch as well: what `print_readable()` writes, the text of
      `torch.export`'s exported programs, and the logs of `TORCH_LOGS=graph_code,aot_graphs,post_grad_graphs`, whose prefixes
      (`V0101 12:00:00.000 123 torch/...] [0/0] [__aot_graphs]`, `[rank0]:`) are left out. `gm.code`, `print(graph)` and
      `graph.print_tabular()` are read too. They become StableHLO.

      - **Which graphs.** A log may show one graph several times. Of each compilation the last stage counts: after post-grad
        passes, else AOTAutograd's forward and backward graphs (a joint graph only where nothing else is), else Dynamo's, whose
        calls of Python functions are refused by name. `--ranks` takes files with several graphs, in their order, and one log to
        which several ranks wrote.
      - **Arguments and results.** Arguments are the graph's parameters in order, then what it takes from its module
        (`self.weight`, `self._tensor_constant0`; a warning says which argument each is). Symbolic sizes are bound by
        `--bind s0=8` and are neither arguments nor results. Results are flattened, `None` is left out.
        An input without a type in a text that says types is an object, such as the device mesh of a compiled DTensor
        program; it is handed through and is neither argument nor result.
      - **Types** in the text are checked against what the operators give; strides and devices are not read. `gm.code`,
        `print(graph)` and tables say no types: `--bind 'x_1=f32[4, 8]'` gives an input's, on every rank.
      - **Process groups** are named by `--groups FILE` (`{"0": [0, 1, 2, 3], "1": [0, 2]}`), else by a `groups.json` beside the
        graph; else `'0'` is the world of as many ranks as there are programs. The operators of `c10d` print groups and
        reductions as objects: the same file may say what they are (`{"_torchbind_obj0": [0, 1], "_torchbind_obj1": "max"}`);
        else an object is the one group that is known or the world, and a reduction the sum, with a warning.
      - **Writes.** Operators that write to a tensor of the graph (`add_`, `copy_`, `_foreach_mul_`) are read, through views as
        well. Writing to an input is refused; with `--mutated-inputs` what each such input holds at the end is one more result,
        behind the others, and the argument says so (`tf.aliasing_output`).
      - **Random numbers** are refused or kept as unknown operators: no other program can repeat them.
      - **Unknown operators** are kept as custom calls of their name with a warning, their arguments as text in the config;
        `run` refuses them by name. Operators that run other graphs (`cond`, `while_loop`) are refused.
      - Values are computed as torch does on a CPU: types are promoted by its rules, f16 and bf16 are computed with in f32.
      """;

  private FxDocs() {}

  /** Returns the document. */
  public static String render() {
    StringBuilder out = new StringBuilder(HEADER);
    int count = 0;
    StringBuilder table = new StringBuilder("\n| family | operators |\n|---|---|\n");
    for (Map.Entry<String, ImmutableList<String>> family : Operators.byFamily().entrySet()) {
      TreeMap<String, TreeSet<String>> overloads = new TreeMap<>();
      for (String name : family.getValue()) {
        int point = name.lastIndexOf('.');
        overloads
            .computeIfAbsent(name.substring(0, point), base -> new TreeSet<>())
            .add(name.substring(point + 1));
        count++;
      }
      table.append("| ").append(family.getKey()).append(" | ");
      String separator = "";
      for (Map.Entry<String, TreeSet<String>> each : overloads.entrySet()) {
        String base =
            each.getKey().startsWith("aten.") ? each.getKey().substring(5) : each.getKey();
        table.append(separator).append('`').append(base).append('`');
        if (each.getValue().size() > 1 || !each.getValue().contains("default")) {
          table.append(" (").append(String.join(", ", each.getValue())).append(')');
        }
        separator = ", ";
      }
      table.append(" |\n");
    }
    out.append("\n## Operators\n\n")
        .append(count)
        .append(" overloads are known; names without a namespace are of `aten`, those without an")
        .append(
            " overload `default`. Each is also known\nwith a trailing `_` in its name, where it")
        .append(" writes to its first argument, and each view with `_copy`, which copies it.\n");
    return out.append(table).toString();
  }
}
