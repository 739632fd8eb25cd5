package dev.lockstep.tools.verb;

import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/** A verb of the contract whose part is not built yet: it takes any arguments and refuses. */
final class LaterVerb extends Verb {
  private final String name;
  private final String missingPart;

  @Parameters(arity = "0..*", hidden = true)
  private List<String> ignored = new ArrayList<>();

  LaterVerb(String name, String missingPart) {
    this.name = name;
    this.missingPart = missingPart;
  }

  @Override
  protected void extend(CommandSpec verb) {
    verb.parser().unmatchedOptionsArePositionalParams(true);
    verb.usageMessage().description("Not built yet: " + missingPart + ".");
  }

  @Override
  protected boolean readsPrograms() {
    return false;
  }

  @Override
  protected int execute(Session session) {
    throw UsageException.notBuilt(name, missingPart);
  }
}
