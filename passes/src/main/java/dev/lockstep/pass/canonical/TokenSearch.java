package dev.lockstep.pass.canonical;

import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.control.GetTupleElement;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Reshape;
import dev.lockstep.hlo.op.data.Slice;
import dev.lockstep.hlo.op.elementwise.Add;
import dev.lockstep.hlo.op.elementwise.Convert;
import dev.lockstep.hlo.op.elementwise.Multiply;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the parameters of the entry function that are pytorch/xla's token: f32 scalars that are
 * used as the token is and in no other way, and that meet a collective's result in a product or
 * stand last in an all-reduce of several. A scalar whose reduced value is given back, such as a
 * loss, is none; nor is one that is only added to a collective's operand, such as a bias.
 */
final class TokenSearch {
  /** What makes a scalar of a collective's result, for the token to be multiplied with. */
  private static final ImmutableSet<OpDef> TAKES_ELEMENT =
      ImmutableSet.of(GetTupleElement.DEF, Slice.DEF, Reshape.DEF, Convert.DEF);

  private final Map<Value, List<Operation>> users = new IdentityHashMap<>();
  private final Map<Value, Operation> definitions = new IdentityHashMap<>();
  private final Set<Value> returned = Collections.newSetFromMap(new IdentityHashMap<>());

  private TokenSearch(Block body) {
    collect(body);
    returned.addAll(body.returned());
  }

  /** Returns the tokens among the parameters of the entry function of {@code module}. */
  static List<Value> tokens(Module module) {
    List<Value> out = new ArrayList<>();
    Function entry = module.entryFunction().orElse(null);
    if (entry == null) {
      return out;
    }
    TokenSearch search = new TokenSearch(entry.body());
    for (Value parameter : entry.parameters()) {
      if (isScalar(parameter.type()) && search.isToken(parameter)) {
        out.add(parameter);
      }
    }
    return out;
  }

  private static boolean isScalar(Type type) {
    return type instanceof TensorType tensor
        && tensor.element() == ElementType.F32
        && tensor.rank() == 0;
  }

  private void collect(Block block) {
    for (Operation operation : block.operations()) {
      operation.results().forEach(result -> definitions.put(result, operation));
      for (Value operand : operation.operands()) {
        users.computeIfAbsent(operand, value -> new ArrayList<>()).add(operation);
      }
      for (Region region : operation.regions()) {
        region.blocks().forEach(this::collect);
      }
    }
  }

  private boolean isToken(Value parameter) {
    Set<Value> chain = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Value> work = new ArrayDeque<>();
    chain.add(parameter);
    work.add(parameter);
    boolean proven = false;
    while (!work.isEmpty()) {
      Value value = work.remove();
      if (returned.contains(value)) {
        return false;
      }
      for (Operation user : users.getOrDefault(value, List.of())) {
        List<Value> next = new ArrayList<>();
        if (user.is(Convert.DEF) || user.is(Reshape.DEF) || user.is(BroadcastInDim.DEF)) {
          next.add(user.result());
        } else if (user.is(Multiply.DEF) && isElementOfCollective(other(user, value))) {
          proven = true;
          next.add(user.result());
        } else if (isLastOfSum(user, value)) {
          proven = true;
          addReduced(user, next);
        } else if (!user.is(Add.DEF) || !feedsCollective(user)) {
          return false;
        }
        for (Value each : next) {
          if (chain.add(each)) {
            work.add(each);
          }
        }
      }
    }
    return proven;
  }

  private static Value other(Operation binary, Value value) {
    return binary.operand(binary.operand(0) == value ? 1 : 0);
  }

  private boolean isElementOfCollective(Value value) {
    Value at = value;
    while (true) {
      Operation definition = definitions.get(at);
      if (definition == null) {
        return false;
      }
      if (definition.def().isCollective()) {
        return true;
      }
      if (!TAKES_ELEMENT.contains(definition.def())) {
        return false;
      }
      at = definition.operand(0);
    }
  }

  private static boolean isLastOfSum(Operation user, Value value) {
    int last = user.operands().size() - 1;
    return user.is(AllReduce.DEF) && last >= 1 && user.operands().indexOf(value) == last;
  }

  private void addReduced(Operation sum, List<Value> into) {
    int last = sum.operands().size() - 1;
    if (sum.results().size() > 1) {
      into.add(sum.results().get(last));
      return;
    }
    if (returned.contains(sum.result())) {
      // The whole tuple is given back, the reduced scalar in it: that makes it no token.
      into.addAll(returned);
    }
    for (Operation user : users.getOrDefault(sum.result(), List.of())) {
      if (!user.is(GetTupleElement.DEF)) {
        into.addAll(returned);
      } else if (GetTupleElement.INDEX.get(user) == last) {
        into.add(user.result());
      }
    }
  }

  private boolean feedsCollective(Operation sum) {
    return users.getOrDefault(sum.result(), List.of()).stream()
        .anyMatch(user -> user.def().isCollective());
  }
}
