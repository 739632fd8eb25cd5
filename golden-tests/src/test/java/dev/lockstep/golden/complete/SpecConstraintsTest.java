package dev.lockstep.golden.complete;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.common.base.Splitter;
import com.google.common.io.Resources;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Every constraint of the StableHLO specification is one of its op's definition, or is listed with
 * the reason why not.
 */
final class SpecConstraintsTest {
  private static final String LIST = "spec/stablehlo-constraints.txt";

  @Test
  void constraints_areStatedOrListed() throws IOException {
    Set<String> stated = Set.of();
    Set<String> open = new TreeSet<>();
    Set<String> unstated = new TreeSet<>();
    String op = "";
    for (String line : Resources.readLines(Resources.getResource(LIST), StandardCharsets.UTF_8)) {
      List<String> words = Splitter.on(' ').limit(3).splitToList(line);
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (!line.startsWith("!")) {
        unstated.addAll(open);
        op = words.get(0);
        stated = labels(op);
        open = labels(op, 1, Integer.parseInt(words.get(1)));
        open.removeAll(stated);
        continue;
      }
      List<String> range = Splitter.on('-').splitToList(words.get(1));
      Set<String> excused =
          labels(op, Integer.parseInt(range.get(0)), Integer.parseInt(range.get(range.size() - 1)));
      assertThat(words.get(2)).as(line).isNotBlank();
      assertThat(open).as(op + ": " + line + " excuses what is stated").containsAll(excused);
      open.removeAll(excused);
    }
    unstated.addAll(open);
    assertThat(unstated).isEmpty();
  }

  private static Set<String> labels(String op) {
    Optional<OpDef> def =
        OpSet.standard().all().stream()
            .filter(each -> each.name().equals("stablehlo." + op))
            .findFirst();
    if (def.isEmpty()) {
      return fail("no op is called " + op);
    }
    return def.get().constraints().stream()
        .map(Constraint::label)
        .map(label -> op + " " + label)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> labels(String op, int first, int last) {
    Set<String> out = new TreeSet<>();
    for (int number = first; number <= last; number++) {
      out.add(op + " C" + number);
    }
    return out;
  }
}
