package dev.lockstep.hlo.op;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef.Trait;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is around an operation that a rule looks at: its module, and what made its operands. */
public final class Surroundings {
  private final Module module;
  private final Map<Class<?>, Object> knowledge = new HashMap<>();
  private @Nullable Map<Value, Literal> constants;

  /** Creates the surroundings of the operations of {@code module}. */
  public Surroundings(Module module) {
    this.module = module;
  }

  /** Returns the module. */
  public Module module() {
    return module;
  }

  /** Returns whether the module was read from HLO text. */
  public boolean isHlo() {
    return module.syntax() == Syntax.HLO;
  }

  /** Returns what {@code value} always is, when a constant made it, else null. */
  public @Nullable Literal constant(Value value) {
    Map<Value, Literal> known = constants;
    if (known == null) {
      Map<Value, Literal> all = new IdentityHashMap<>();
      module.operations().forEach(top -> top.walk(operation -> collect(operation, all)));
      known = all;
      constants = known;
    }
    return known.get(value);
  }

  /** Returns what rules of a kind know of the module; {@code make} is asked once. */
  public <T> T knowledge(Class<T> kind, Function<Module, T> make) {
    return kind.cast(knowledge.computeIfAbsent(kind, key -> make.apply(module)));
  }

  private static void collect(Operation operation, Map<Value, Literal> out) {
    Attribute value = operation.def().has(Trait.CONSTANT) ? operation.attribute("value") : null;
    if (value instanceof Attribute.Dense && operation.results().size() == 1) {
      out.put(operation.results().get(0), ((Attribute.Dense) value).literal());
    }
  }
}
