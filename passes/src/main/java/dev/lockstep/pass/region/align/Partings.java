package dev.lockstep.pass.region.align;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Says where programs part, with the place on each side. */
final class Partings {
  /** What to do about programs that no table makes equal. */
  static final String SPLIT =
      "; ops cannot be made equal by data: split the programs around them (lockstep split)";

  /** What is wrong with ranks that talk in different orders. */
  private static final String ORDER =
      "; ranks must issue the same calls in the same order (verify --ranks says who waits)";

  private final ProgramClasses classes;
  private final ImmutableList<Definitions> definitions;

  Partings(ProgramClasses classes, ImmutableList<Definitions> definitions) {
    this.classes = classes;
    this.definitions = definitions;
  }

  /** Returns the error that what the ranks have at one place differs. */
  DiagnosticException differ(String code, List<String> words, List<Location> places) {
    return differ(code, words, places, "");
  }

  DiagnosticException differ(
      String code, List<String> words, List<Location> places, String advice) {
    Map<String, List<Integer>> sides = new LinkedHashMap<>();
    for (int k = 0; k < words.size(); k++) {
      sides.computeIfAbsent(words.get(k), key -> new ArrayList<>()).add(k);
    }
    List<String> parts = new ArrayList<>();
    sides.forEach((word, numbers) -> parts.add(classes.ranks(numbers) + ": " + word));
    int most = 4;
    String message =
        "the programs part here: "
            + String.join("; ", parts.subList(0, Math.min(most, parts.size())))
            + (parts.size() > most ? "; and " + (parts.size() - most) + " more" : "")
            + advice;
    Diagnostic diagnostic = Diagnostic.error(code, message, places.get(0));
    for (Map.Entry<String, List<Integer>> side : Iterables.skip(sides.entrySet(), 1)) {
      if (diagnostic.notes().size() < most) {
        int first = side.getValue().get(0);
        diagnostic =
            diagnostic.withNote(classes.ranks(side.getValue()) + ": here", places.get(first));
      }
    }
    return new DiagnosticException(diagnostic);
  }

  /** Returns the error that operations which should correspond are different ones. */
  DiagnosticException operations(List<@Nullable Operation> operations, Location nowhere) {
    List<String> words = new ArrayList<>();
    List<Location> places = new ArrayList<>();
    for (int k = 0; k < operations.size(); k++) {
      Operation operation = operations.get(k);
      words.add(operation == null ? "nothing more" : name(operation, k));
      places.add(
          operation != null
              ? operation.location()
              : nowhere.isKnown() ? nowhere : definitions.get(k).module().location());
    }
    String extra = extra(operations);
    return differ(
        extra == null ? "repair-ops" : "repair-extra-op",
        words,
        places,
        (extra == null ? "" : "; " + extra) + (communicate(operations) ? ORDER : SPLIT));
  }

  /** Returns the error that values which should correspond come from different places. */
  DiagnosticException values(ImmutableList<Value> values, List<Location> uses) {
    List<@Nullable Operation> definers = definers(values);
    if (definers.stream().allMatch(it -> it != null)
        && definers.stream().map(it -> Definitions.kind(requireNonNull(it))).distinct().count()
            > 1) {
      return operations(definers, uses.get(0));
    }
    List<String> words = new ArrayList<>();
    List<Location> places = new ArrayList<>();
    for (int k = 0; k < values.size(); k++) {
      Operation definer = definers.get(k);
      words.add(
          definer == null ? "an argument, " + values.get(k) : "a result of " + name(definer, k));
      places.add(uses.get(k));
    }
    if (words.stream().distinct().count() == 1) {
      words.replaceAll(word -> "another " + word.replaceFirst("^an? ", ""));
      words.set(0, words.get(0).replaceFirst("^another ", "one "));
    }
    return differ("repair-operand", words, places, SPLIT);
  }

  private static boolean communicate(List<@Nullable Operation> operations) {
    return operations.stream()
        .anyMatch(
            it ->
                it != null
                    && (it.def().isCollective()
                        || Definitions.kind(it) instanceof String target
                            && (target.startsWith("_c10d_functional")
                                || target.startsWith("c10d."))));
  }

  private List<@Nullable Operation> definers(ImmutableList<Value> values) {
    List<@Nullable Operation> out = new ArrayList<>();
    for (int k = 0; k < values.size(); k++) {
      out.add(definitions.get(k).definer(values.get(k)));
    }
    return out;
  }

  private String name(Operation operation, int number) {
    Syntax syntax = definitions.get(number).module().syntax();
    Object kind = Definitions.kind(operation);
    return kind instanceof String target ? target : operation.def().nameIn(syntax);
  }

  /** Returns which ranks have one operation more, when taking it away makes all equal. */
  private @Nullable String extra(List<@Nullable Operation> operations) {
    Function<Integer, @Nullable Operation> at = operations::get;
    Operation first = at.apply(0);
    if (first == null) {
      return null;
    }
    for (int k = 1; k < operations.size(); k++) {
      Operation other = operations.get(k);
      if (other == null || other.def() == first.def()) {
        continue;
      }
      if (isBehind(first, 0, other)) {
        return "one op more on " + classes.ranks(same(operations, first)) + ", " + name(first, 0);
      }
      if (isBehind(other, k, first)) {
        return "one op more on " + classes.ranks(same(operations, other)) + ", " + name(other, k);
      }
    }
    return null;
  }

  private static List<Integer> same(List<@Nullable Operation> operations, Operation model) {
    List<Integer> out = new ArrayList<>();
    for (int k = 0; k < operations.size(); k++) {
      Operation operation = operations.get(k);
      if (operation != null && operation.def() == model.def()) {
        out.add(k);
      }
    }
    return out;
  }

  /** Returns whether an operand of {@code operation} is what {@code other} is. */
  private boolean isBehind(Operation operation, int number, Operation other) {
    for (Value operand : operation.operands()) {
      Operation before = definitions.get(number).definer(operand);
      if (before != null && before.def() == other.def()) {
        return true;
      }
    }
    return false;
  }
}
