package dev.lockstep.hlo.flat;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.ModuleAliases;
import dev.lockstep.hlo.proto.ModuleAliases.Alias;
import dev.lockstep.hlo.proto.ModuleAliases.Donor;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.Collections;
import java.util.List;

/** What the header of a module says of the entry's parameters and results, said of their leaves. */
final class Headers {
  private static final String ALIAS = "input_output_alias";
  private static final String DONOR = "buffer_donor";
  private static final String LAYOUT = "entry_computation_layout";
  private static final String TO_PARAMETERS = "allow_spmd_sharding_propagation_to_parameters";
  private static final String TO_OUTPUT = "allow_spmd_sharding_propagation_to_output";
  private static final String MHLO_ALIAS = "mhlo.input_output_alias";
  private static final String MHLO_SHARDINGS = "mhlo.spmd_parameters_shardings";

  /** Layouts and prefetches by the place of a tuple's element; XLA chooses anew. */
  private static final ImmutableList<String> DROPPED =
      ImmutableList.of(
          "mhlo.cross_program_prefetches",
          "mhlo.xla_entry_computation_parameter_layouts",
          "mhlo.xla_entry_computation_parameter_tiles",
          "mhlo.xla_entry_computation_result_layout",
          "mhlo.xla_entry_computation_result_tiles");

  private final Numbering parameters;
  private final Numbering results;

  /** Whether the flat program gives a tuple, so that results are named {@code {i}}. */
  private final boolean givesTuple;

  Headers(Numbering parameters, Numbering results, boolean givesTuple) {
    this.parameters = parameters;
    this.results = results;
    this.givesTuple = givesTuple;
  }

  /** Returns an HLO header for the flat program. */
  Attributes hlo(Attributes header, Location location) {
    Attributes out = header;
    if (out.get(ALIAS) instanceof Attribute.Raw raw) {
      ImmutableList.Builder<Alias> aliases = ImmutableList.builder();
      for (Alias alias : ModuleAliases.aliases(raw.text(), location)) {
        aliases.addAll(flat(alias));
      }
      out = set(out, ALIAS, ModuleAliases.text(aliases.build()));
    }
    if (out.get(DONOR) instanceof Attribute.Raw raw) {
      ImmutableList.Builder<Donor> donors = ImmutableList.builder();
      for (Donor donor : ModuleAliases.donors(raw.text(), location)) {
        for (int leaf : parameters.below(donor.parameter(), donor.path()).asList()) {
          donors.add(new Donor(leaf, ImmutableList.of()));
        }
      }
      out = set(out, DONOR, ModuleAliases.donorText(donors.build()));
    }
    if (out.get(LAYOUT) instanceof Attribute.TypeOf written
        && written.type() instanceof FunctionType layout) {
      out = out.with(LAYOUT, new Attribute.TypeOf(flat(layout)));
    }
    out = flags(out, TO_PARAMETERS, parameters);
    return results.values() == 1 ? out : flags(out, TO_OUTPUT, results);
  }

  private static Attributes set(Attributes header, String name, String text) {
    return text.isEmpty()
        ? header.without(name)
        : header.with(name, new Attribute.Raw("{ " + text + " }"));
  }

  private ImmutableList<Alias> flat(Alias alias) {
    List<Long> path = alias.output();
    ImmutableIntArray outputs =
        results.values() == 1
            ? results.below(0, alias.output())
            : path.isEmpty()
                ? ImmutableIntArray.of()
                : results.below(path.get(0), alias.output().subList(1, path.size()));
    ImmutableIntArray inputs = parameters.below(alias.parameter(), alias.path());
    ImmutableList.Builder<Alias> out = ImmutableList.builder();
    for (int i = 0; outputs.length() == inputs.length() && i < inputs.length(); i++) {
      ImmutableList<Long> output =
          givesTuple ? ImmutableList.of((long) outputs.get(i)) : ImmutableList.of();
      out.add(new Alias(output, inputs.get(i), ImmutableList.of(), alias.isMust()));
    }
    return out.build();
  }

  private FunctionType flat(FunctionType layout) {
    ImmutableList<Type> given = Numbering.of(layout.results()).types();
    return new FunctionType(
        Numbering.of(layout.inputs()).types(),
        givesTuple ? ImmutableList.of(new TupleType(given)) : given);
  }

  /** One flag for all, or one a parameter, becomes one a leaf. */
  private static Attributes flags(Attributes header, String name, Numbering numbering) {
    if (header.get(name) instanceof Attribute.Raw raw) {
      List<String> flags = LeafAttributes.flags(raw);
      if (flags.size() > 1 && flags.size() == numbering.values()) {
        ImmutableList.Builder<String> out = ImmutableList.builder();
        for (int i = 0; i < flags.size(); i++) {
          out.addAll(
              Collections.nCopies(numbering.start(i + 1) - numbering.start(i), flags.get(i)));
        }
        return header.with(name, new Attribute.Raw("{" + Joiner.on(',').join(out.build()) + "}"));
      }
    }
    return header;
  }

  /** Returns the attributes of a StableHLO module for the flat program. */
  Attributes mlir(Attributes attributes) {
    Attributes out = attributes;
    for (String name : DROPPED) {
      out = out.without(name);
    }
    if (out.get(MHLO_ALIAS) instanceof Attribute.Array array) {
      ImmutableList.Builder<Attribute> aliases = ImmutableList.builder();
      array.elements().forEach(alias -> aliases.addAll(MhloAliases.flat(alias, this::flat)));
      out = out.with(MHLO_ALIAS, new Attribute.Array(aliases.build()));
    }
    if (out.get(MHLO_SHARDINGS) instanceof Attribute.Array array
        && array.elements().size() == parameters.values()) {
      ImmutableList.Builder<Attribute> shardings = ImmutableList.builder();
      for (int i = 0; i < parameters.values(); i++) {
        LeafAttributes.of(
                Attributes.of("mhlo.sharding", array.elements().get(i)), parameters.leaves(i))
            .forEach(each -> shardings.add(each.value(0)));
      }
      out = out.with(MHLO_SHARDINGS, new Attribute.Array(shardings.build()));
    }
    return out;
  }
}
