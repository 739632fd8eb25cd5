package dev.lockstep.hlo.op;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one op: its names, attributes, rules and meaning. Immutable; one object an op,
 * compared by identity.
 */
public final class OpDef {

  /** Facts that passes ask for. */
  public enum Trait {
    /** Must stay even when nobody uses its results. */
    SIDE_EFFECT,
    /** Several devices meet in it. */
    COLLECTIVE,
    /** Ends a block and gives its operands back. */
    TERMINATOR,
    /** Works on each element by itself. */
    ELEMENTWISE,
    /** Gives the same for swapped operands. */
    COMMUTATIVE,
    /** Gives a compile-time constant. */
    CONSTANT,
    /** Different from one device to another, or from one run to another. */
    DEVICE_DEPENDENT,
    /** Starts or ends an asynchronous operation. */
    ASYNC,
    /** Its regions use no values from around it. */
    ISOLATED,
    /** No definition is known; kept as it was read. */
    UNREGISTERED
  }

  private final String name;
  private final @Nullable String hloName;
  private final String summary;
  private final ImmutableList<AttrKey<?>> attributes;
  private final ImmutableList<String> extraInherent;
  private final ImmutableList<String> bodyAttributes;
  private final ImmutableSet<Trait> traits;
  private final ImmutableList<Constraint> constraints;
  private final Semantics semantics;

  private OpDef(Builder builder) {
    this.name = builder.name;
    this.hloName = builder.hloName;
    this.summary = builder.summary;
    this.attributes = builder.attributes.build();
    this.extraInherent = builder.extraInherent.build();
    this.bodyAttributes = builder.bodyAttributes;
    this.traits = builder.traits.build();
    this.constraints = builder.constraints.build();
    this.semantics = builder.semantics;
  }

  /** Returns a builder for the op that MLIR calls {@code name}, or {@code hlo.x} for HLO only. */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** Returns a definition for an op that nobody defined, in either syntax. */
  public static OpDef unregistered(String name) {
    return named(name)
        .hlo(name)
        .summary("not known to Lockstep")
        .trait(Trait.UNREGISTERED, Trait.SIDE_EFFECT)
        .semantics(new Semantics.Unsupported(name + " is not known to the interpreter"))
        .build();
  }

  /** Returns the full name in MLIR, {@code stablehlo.add}; {@code hlo.x} when only HLO has it. */
  public String name() {
    return name;
  }

  /** Returns the name without its dialect. */
  public String shortName() {
    return name.substring(name.indexOf('.') + 1);
  }

  /** Returns the opcode in HLO text, or null when HLO has none. */
  public @Nullable String hloName() {
    return hloName;
  }

  /** Returns what a text of {@code syntax} calls the op; the MLIR name where HLO has none. */
  public String nameIn(Syntax syntax) {
    return syntax == Syntax.HLO && hloName != null ? hloName : name;
  }

  /** Returns one line that says what the op does. */
  public String summary() {
    return summary;
  }

  /** Returns the inherent attributes. */
  public ImmutableList<AttrKey<?>> attributes() {
    return attributes;
  }

  /**
   * Returns whether MLIR prints the attribute {@code attributeName} among the properties ({@code
   * <{...}>}) of this op rather than in its dictionary.
   */
  public boolean isInherent(String attributeName) {
    for (AttrKey<?> key : attributes) {
      String mlir = key.mlirName();
      int dot = mlir.indexOf('.');
      if ((dot < 0 ? mlir : mlir.substring(0, dot)).equals(attributeName)) {
        return true;
      }
    }
    return extraInherent.contains(attributeName);
  }

  /** Returns the attributes that name the functions which this op runs, in order of bodies. */
  public ImmutableList<String> bodyAttributes() {
    return bodyAttributes;
  }

  /** Returns whether the op has {@code trait}. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Returns whether the op ends a block. */
  public boolean isTerminator() {
    return has(Trait.TERMINATOR);
  }

  /** Returns whether several devices meet in the op. */
  public boolean isCollective() {
    return has(Trait.COLLECTIVE);
  }

  /** Returns all traits. */
  public ImmutableSet<Trait> traits() {
    return traits;
  }

  /** Returns the rules, in the specification's order. */
  public ImmutableList<Constraint> constraints() {
    return constraints;
  }

  /** Returns the diagnostic code of {@code constraint} on this op, {@code all_gather-c1}. */
  public String code(Constraint constraint) {
    return shortName() + "-" + constraint.label().toLowerCase(Locale.ROOT);
  }

  /** Returns what the op computes. */
  public Semantics semantics() {
    return semantics;
  }

  /** Returns what {@code operation}, which is one of this op, computes. */
  public Semantics semantics(Operation operation) {
    return semantics instanceof Semantics.ByOperation
        ? ((Semantics.ByOperation) semantics).of(operation)
        : semantics;
  }

  @Override
  public String toString() {
    return name;
  }

  /** Collects the parts of a definition. */
  public static final class Builder {
    private final String name;
    private @Nullable String hloName;
    private String summary = "";
    private final ImmutableList.Builder<AttrKey<?>> attributes = ImmutableList.builder();
    private final ImmutableList.Builder<String> extraInherent = ImmutableList.builder();
    private ImmutableList<String> bodyAttributes = ImmutableList.of();
    private final ImmutableSet.Builder<Trait> traits = ImmutableSet.builder();
    private final ImmutableList.Builder<Constraint> constraints = ImmutableList.builder();
    private Semantics semantics = new Semantics.Unsupported("it has no interpretation");

    private Builder(String name) {
      this.name = requireNonNull(name);
    }

    /** Sets the opcode in HLO text. */
    public Builder hlo(String opcode) {
      this.hloName = opcode;
      return this;
    }

    /** Sets the one-line summary: capital letter, no full stop. */
    public Builder summary(String text) {
      this.summary = text;
      return this;
    }

    /** Adds inherent attributes. */
    public Builder attributes(AttrKey<?>... keys) {
      attributes.add(keys);
      return this;
    }

    /** Adds names of inherent attributes that need no key. */
    public Builder inherent(String... names) {
      extraInherent.add(names);
      return this;
    }

    /** Sets the attributes that name the functions which the op runs, in order of bodies. */
    public Builder bodies(String... attributeNames) {
      this.bodyAttributes = ImmutableList.copyOf(attributeNames);
      return this;
    }

    /** Adds traits. */
    public Builder trait(Trait... added) {
      traits.add(added);
      return this;
    }

    /** Adds a rule under the specification's label. */
    public Builder constraint(String label, String rule, Constraint.Check check) {
      constraints.add(new Constraint(label, rule, check));
      return this;
    }

    /**
     * Says which operands the op takes, one class each; they are the specification's inputs I1 and
     * so on.
     */
    public Builder takes(TypeClass... classes) {
      constraints.add(OperandRules.count(classes.length));
      return takesFirst(1, classes);
    }

    /**
     * Says of which classes the first operands are, when there may be others behind them.
     *
     * @param input the number of the first among the specification's inputs
     */
    public Builder takesFirst(int input, TypeClass... classes) {
      for (int i = 0; i < classes.length; i++) {
        constraints.add(OperandRules.operand("I" + (input + i), i, classes[i]));
      }
      return this;
    }

    /** Says that all operands are of one class; they are the specification's input I1. */
    public Builder takesAll(TypeClass each) {
      constraints.add(OperandRules.operands("I1", each));
      return this;
    }

    /** Says which results the op gives, one class each. */
    public Builder gives(TypeClass... classes) {
      constraints.add(OperandRules.results(classes));
      return this;
    }

    /** Says that all results are of one class. */
    public Builder givesAll(TypeClass each) {
      constraints.add(OperandRules.allResults(each));
      return this;
    }

    /** Adds rules that several ops share. */
    public Builder constraints(ImmutableList<Constraint> rules) {
      constraints.addAll(rules);
      return this;
    }

    /** Adds a rule that looks at the module too under the specification's label. */
    public Builder moduleConstraint(String label, String rule, Constraint.ModuleCheck check) {
      constraints.add(new Constraint(label, rule, check));
      return this;
    }

    /** Adds a rule about the op's bodies under the specification's label. */
    public Builder bodyConstraint(String label, String rule, Constraint.BodyCheck check) {
      constraints.add(new Constraint(label, rule, check));
      return this;
    }

    /** Sets what the op computes. */
    public Builder semantics(Semantics meaning) {
      this.semantics = meaning;
      return this;
    }

    /** Sets a meaning on one device; spares callers a cast of their lambda. */
    public Builder local(Semantics.Local meaning) {
      return semantics(meaning);
    }

    /** Sets a meaning that runs bodies; spares callers a cast of their lambda. */
    public Builder regional(Semantics.Regional meaning) {
      return semantics(meaning);
    }

    /** Returns the definition. */
    public OpDef build() {
      checkArgument(!name.isEmpty(), "an op needs a name");
      return new OpDef(this);
    }
  }
}
