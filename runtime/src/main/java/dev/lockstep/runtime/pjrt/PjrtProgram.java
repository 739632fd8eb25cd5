package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.flat.FlatEntry;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.proto.HloProtos;
import dev.lockstep.hlo.text.Texts;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A program in a format that plugins compile.
 *
 * @param format {@code mlir} for StableHLO, text or bytecode, {@code hlo} for an HLO proto
 * @param code the program, not to be changed
 * @param usesShardy whether {@code sdy} says how it is partitioned
 */
public record PjrtProgram(String format, byte[] code, boolean usesShardy) {
  private static final String GROUPS = "replica_groups";

  /**
   * Returns {@code given} as plugins take it: StableHLO as text, HLO as a proto, over tensors.
   *
   * @throws DiagnosticException if it is HLO that no proto holds, or that XLA has partitioned
   *     already: to compile that again can end the process
   */
  public static PjrtProgram of(Module given) {
    Module module = MeshGroupLists.of(FlatEntry.of(given).module());
    if (module.syntax() == Syntax.HLO) {
      return new PjrtProgram(
          "hlo", HloProtos.write(plain(module)).toByteArray(), usesShardy(module));
    }
    String text = Texts.print(module);
    return new PjrtProgram("mlir", text.getBytes(StandardCharsets.UTF_8), text.contains("sdy."));
  }

  /**
   * Returns {@code module} as a plugin of {@code platform} takes it.
   *
   * @throws DiagnosticException as {@link #of(Module)}, or if such plugins are known not to compile
   *     it
   */
  static PjrtProgram of(Module module, String platform) {
    if (platform.equals("tpu")) {
      TpuLimits.check(module);
    }
    return of(platform.equals("cpu") ? CpuForm.of(module) : module);
  }

  /** Returns whether HLO keeps shardings of Shardy, which then has to partition it. */
  private static boolean usesShardy(Module module) {
    boolean[] found = {isShardys(module.attributes())};
    module.walk(operation -> found[0] |= isShardys(operation.attributes()));
    return found[0];
  }

  private static boolean isShardys(Attributes attributes) {
    return attributes.get("frontend_attributes") instanceof Attribute.Dict dict
        && (dict.entries().has("xla.sdy.meshes") || dict.entries().has("xla.sdy.sharding"));
  }

  /** Returns {@code module} without its schedule and with groups that every plugin reads. */
  private static Module plain(Module module) {
    boolean scheduled = module.attributes().get("is_scheduled") == Attribute.Bool.TRUE;
    if (scheduled && module.partitions().orElse(1) > 1) {
      throw DiagnosticException.error(
          "pjrt-partitioned",
          "XLA has partitioned and scheduled this program already and does not compile it again;"
              + " run partitions-to-replicas on it first",
          module.location());
    }
    return module
        .withAttributes(module.attributes().without("is_scheduled"))
        .mapFunctions(PjrtProgram::plain);
  }

  private static Function plain(Function function) {
    Block body = function.body();
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    Operation root = body.root();
    for (Operation operation : body.operations()) {
      Operation now = operation.withAttributes(expanded(operation.attributes()));
      out.add(now);
      root = operation == body.root() ? now : root;
    }
    return function.withBody(body.withOperations(out.build(), root));
  }

  private static Attributes expanded(Attributes attributes) {
    @Nullable Attribute groups = attributes.get(GROUPS);
    return groups instanceof Attribute.Groups
        ? attributes.with(
            GROUPS,
            new Attribute.Groups(
                new ReplicaGroups.Lists(((Attribute.Groups) groups).groups().lists())))
        : attributes;
  }
}
