package dev.lockstep.pass;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Module;
import java.util.function.UnaryOperator;

/** A pass that does what a test says. */
record FakePass(String name, UnaryOperator<Module> body) implements Pass {
  static final PassOption<Long> SIZE = PassOption.integer("size", 4, 1, "A size");
  static final PassOption<Boolean> FLAG = PassOption.flag("flag", false, "A flag");
  static final PassOption<String> WORD = PassOption.word("word", "a", "A word", "a", "b");

  /** Returns a pass that changes nothing. */
  static FakePass idle(String name) {
    return new FakePass(name, module -> module);
  }

  /** Returns a pass that counts its runs in a module attribute, up to {@code limit}. */
  static FakePass counting(String name, long limit) {
    return new FakePass(
        name,
        module -> {
          long runs =
              module.attributes().get("runs") instanceof Attribute.Int count ? count.value() : 0;
          return runs == limit
              ? module
              : module.withAttributes(
                  module.attributes().with("runs", Attribute.Int.i64(runs + 1)));
        });
  }

  @Override
  public PassInfo info() {
    return PassInfo.of(name, "Does what a test says", "", SIZE, FLAG, WORD);
  }

  @Override
  public Module run(Module module, PassContext context) {
    context.count("size", context.option(SIZE));
    return body.apply(module);
  }
}
