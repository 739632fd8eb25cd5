package dev.lockstep.hlo.op;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.grid.MeshGroups;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Literal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * StableHLO's groups along axes: {@code #stablehlo.replica_group_mesh_axes<mesh = @m, axes =
 * [#stablehlo.axis_ref<name = "x">]>}. The mesh stands there itself, or its name does, which only
 * the module knows.
 */
public final class MeshAxisGroups {
  private static final String GROUPS = "replica_groups";
  private static final String KIND = "stablehlo.replica_group_mesh_axes";

  private MeshAxisGroups() {}

  /**
   * Returns {@code operation} with groups that name a mesh of {@code module} spelled out; itself
   * when it has none.
   */
  public static Operation spelledOut(Operation operation, Module module) {
    Attribute written = operation.attribute(GROUPS);
    if (!(written instanceof Attribute.Struct)) {
      return operation;
    }
    Attribute mesh = ((Attribute.Struct) written).fields().get("mesh");
    ReplicaGroups groups =
        decode((Attribute.Struct) written, name(mesh) == null ? mesh : find(name(mesh), module));
    return groups == null
        ? operation
        : operation.withAttributes(
            operation.attributes().with(GROUPS, new Attribute.Groups(groups)));
  }

  /** Returns the groups of an attribute that holds its mesh itself, or null. */
  static @Nullable ReplicaGroups decode(Attribute.Struct written) {
    return decode(written, written.fields().get("mesh"));
  }

  private static @Nullable String name(@Nullable Attribute mesh) {
    if (mesh instanceof Attribute.Symbol) {
      return ((Attribute.Symbol) mesh).name();
    }
    return mesh instanceof Attribute.Raw && ((Attribute.Raw) mesh).text().startsWith("@")
        ? ((Attribute.Raw) mesh).text().substring(1)
        : null;
  }

  private static @Nullable Attribute find(@Nullable String name, Module module) {
    for (Operation operation : module.operations()) {
      Attribute symbol = operation.attribute(BuiltinOps.SYM_NAME);
      if (symbol instanceof Attribute.Str && ((Attribute.Str) symbol).value().equals(name)) {
        return operation.attribute("stablehlo.mesh");
      }
    }
    return null;
  }

  private static @Nullable ReplicaGroups decode(
      Attribute.Struct written, @Nullable Attribute mesh) {
    Attributes fields = fields(mesh);
    if (!written.kind().equals(KIND) || fields == null) {
      return null;
    }
    List<String> names = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    long count = 1;
    for (Attribute axis : list(fields.get("axes"))) {
      Attributes of = fields(axis);
      String name = of == null ? null : word(of.get("name"));
      Long size = of == null ? null : number(of.get("size"));
      if (name == null || size == null) {
        return null;
      }
      names.add(name);
      sizes.add(size);
      count *= size;
    }
    long[] ids = ids(fields.get("device_ids"), count);
    List<MeshGroups.Part> parts = new ArrayList<>();
    for (Attribute axis : list(written.fields().get("axes"))) {
      MeshGroups.Part part = part(axis, names, sizes);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    if (ids.length != count) {
      return null;
    }
    return new ReplicaGroups.Lists(MeshGroups.groups(sizes, parts, ids));
  }

  private static MeshGroups.@Nullable Part part(
      Attribute axis, List<String> names, List<Long> sizes) {
    Attributes fields = fields(axis);
    int number = fields == null ? -1 : names.indexOf(word(fields.get("name")));
    if (fields == null || number < 0) {
      return null;
    }
    Attribute sub = fields.get("sub_axis_info");
    if (sub == null) {
      return new MeshGroups.Part(number, 1, sizes.get(number));
    }
    Long before = null;
    Long size = null;
    Attributes of = fields(sub);
    if (of != null) {
      before = number(of.get("pre_size"));
      size = number(of.get("size"));
    } else if (sub instanceof Attribute.Raw) {
      // (1)2
      List<String> numbers =
          Splitter.on(CharMatcher.anyOf("() "))
              .omitEmptyStrings()
              .splitToList(((Attribute.Raw) sub).text());
      if (numbers.size() == 2) {
        before = Longs.tryParse(numbers.get(0));
        size = Longs.tryParse(numbers.get(1));
      }
    }
    return before == null || size == null || sizes.get(number) % (before * size) != 0
        ? null
        : new MeshGroups.Part(number, before, size);
  }

  private static long[] ids(@Nullable Attribute written, long count) {
    if (written instanceof Attribute.Dense) {
      Literal literal = ((Attribute.Dense) written).literal();
      return literal.toLongs();
    }
    if (written instanceof Attribute.Longs) {
      ImmutableLongArray values = ((Attribute.Longs) written).values();
      return values.toArray();
    }
    long[] out = new long[Math.toIntExact(count)];
    for (int i = 0; i < out.length; i++) {
      out[i] = i;
    }
    return out;
  }

  private static @Nullable Attributes fields(@Nullable Attribute attribute) {
    if (attribute instanceof Attribute.Struct) {
      return ((Attribute.Struct) attribute).fields();
    }
    return attribute instanceof Attribute.Dict ? ((Attribute.Dict) attribute).entries() : null;
  }

  private static ImmutableList<Attribute> list(@Nullable Attribute attribute) {
    return attribute instanceof Attribute.Array
        ? ((Attribute.Array) attribute).elements()
        : ImmutableList.of();
  }

  private static @Nullable String word(@Nullable Attribute attribute) {
    return attribute == null ? null : AttrKeys.asWord(attribute);
  }

  private static @Nullable Long number(@Nullable Attribute attribute) {
    return attribute == null ? null : AttrKeys.asLong(attribute);
  }
}
