package dev.lockstep.lower.fx.aten;

import dev.lockstep.hlo.diag.Diagnostic;
import java.util.Locale;

/**
 * What process groups and reductions stand for. torch prints both as objects of the module, {@code
 * self._torchbind_obj0}: the table of groups may say what an object stands for; else a group is the
 * only one that is known or the world, and a reduction is the sum, with warnings.
 */
final class C10dObjects {
  /** Diagnostic code: the text does not say what an object stands for. */
  static final String OBJECT = "fx-object";

  private C10dObjects() {}

  /** Returns the name of the group of the call. */
  static String group(AtenCall call) {
    Arg group = call.arg("process_group");
    if (group instanceof Arg.Text text) {
      return text.value();
    }
    GroupTable table = call.context().groups();
    String name = group instanceof Arg.Word word ? word.text() : "";
    if (table.groups().containsKey(name)) {
      return name;
    }
    long known = table.groups().keySet().stream().filter(key -> !key.startsWith("_")).count();
    if (known > 1 && !name.isEmpty() && table.groups().containsKey(GroupTable.WORLD)) {
      warn(
          call,
          String.format(
              "the text does not say which process group %s is; the world is taken. A file for"
                  + " --groups may name its ranks: {\"%s\": [0, 1]}",
              group.describe(), name));
      return GroupTable.WORLD;
    }
    if (name.isEmpty() || known > 1) {
      throw call.error(
          String.format(
              "the text does not say which process group %s is; name its ranks in a file for"
                  + " --groups: {\"%s\": [0, 1]}",
              group.describe(), name));
    }
    return known == 1
        ? table.groups().keySet().stream()
            .filter(key -> !key.startsWith("_"))
            .findFirst()
            .orElse("0")
        : GroupTable.WORLD;
  }

  /** Returns the name of the reduction of the call, in small letters. */
  static String reduction(AtenCall call) {
    Arg reduction = call.arg("reduce_op");
    if (reduction instanceof Arg.Text text) {
      return text.value().toLowerCase(Locale.ROOT);
    }
    String name = reduction instanceof Arg.Word word ? word.text() : "";
    String known = call.context().groups().reductions().get(name);
    if (known != null) {
      return known.toLowerCase(Locale.ROOT);
    }
    if (name.contains("ReduceOp.") || name.contains("RedOpType.")) {
      return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }
    warn(
        call,
        String.format(
            "the text does not say which reduction %s is; the sum is taken. A file for"
                + " --groups may name it: {\"%s\": \"max\"}",
            reduction.describe(), name));
    return "sum";
  }

  private static void warn(AtenCall call, String message) {
    call.context().sink().report(Diagnostic.warning(OBJECT, message, call.location()));
  }
}
