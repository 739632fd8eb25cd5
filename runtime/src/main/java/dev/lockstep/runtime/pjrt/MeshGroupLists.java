package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.MeshAxisGroups;

/**
 * StableHLO with groups along the axes of a mesh written out as lists. PJRT 0.81 reads no axes, and
 * 0.115 not every way to write a mesh. Lists mean the same to all, so they are written for all, and
 * what runs does not hang on a plugin's age.
 */
final class MeshGroupLists {
  private static final String GROUPS = "replica_groups";

  private MeshGroupLists() {}

  /** Returns {@code module} with lists; the same object when it has none of those groups. */
  static Module of(Module module) {
    if (module.syntax() == Syntax.HLO) {
      return module;
    }
    return withoutMeshes(
        Rewriter.rewrite(
            module,
            (operation, builder) -> {
              Operation spelled = MeshAxisGroups.spelledOut(operation, module);
              if (spelled == operation
                  || !(spelled.attribute(GROUPS) instanceof Attribute.Groups groups)) {
                return null;
              }
              builder.add(
                  spelled.withAttributes(
                      spelled.attributes().with(GROUPS, builder.groups(groups.groups()))));
              return spelled.results();
            }));
  }

  /** Meshes that are StableHLO's and not Shardy's named groups only. */
  private static Module withoutMeshes(Module module) {
    ImmutableList<Operation> rest =
        module.operations().stream()
            .filter(
                operation ->
                    operation.attribute("stablehlo.mesh") == null
                        || operation.attribute("mesh") != null)
            .collect(ImmutableList.toImmutableList());
    return rest.size() == module.operations().size() ? module : module.withOperations(rest);
  }
}
