package dev.lockstep.tools.handshake;

import dev.lockstep.handshake.grpc.RefusedException;
import dev.lockstep.handshake.grpc.StatusQuery;
import dev.lockstep.handshake.wire.OpenRound;
import dev.lockstep.handshake.wire.StatusReply;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code handshake status}: what a coordinator is doing. */
public final class Asking {
  private static final int SECONDS = 10;

  private Asking() {}

  /** Asks and prints. */
  public static int run(Session session, HandshakeFlags flags, @Nullable Path output)
      throws IOException {
    StatusReply status;
    try {
      status = StatusQuery.ask(flags.coordinator(), flags.transport(), flags.token(), SECONDS);
    } catch (RefusedException refused) {
      session.say(
          "the coordinator at " + flags.coordinator() + " refuses: " + refused.getMessage());
      session.report().put("refused", String.valueOf(refused.getMessage()));
      return ExitCode.PEER;
    } catch (IOException unreachable) {
      throw new EnvironmentException(
          "the coordinator at "
              + flags.coordinator()
              + " does not answer: "
              + JoinFlags.reason(unreachable));
    }
    StringBuilder text = new StringBuilder();
    text.append("job ")
        .append(status.getJob())
        .append(", epoch ")
        .append(status.getEpoch() < 0 ? "none" : Long.toString(status.getEpoch()))
        .append(": ")
        .append(status.getConnected())
        .append(" of ")
        .append(status.getWorld())
        .append(" ranks connected\n");
    if (status.getLostCount() > 0) {
      text.append("left or lost: ").append(status.getLostList()).append('\n');
    }
    if (status.getMissingCount() > 0) {
      text.append("never connected: ").append(status.getMissingList()).append('\n');
    }
    List<Map<String, Object>> rounds = new ArrayList<>();
    for (OpenRound round : status.getRoundsList()) {
      text.append("round ")
          .append(round.getId())
          .append(" waits for ")
          .append(round.getAbsentList())
          .append(" since ")
          .append(round.getWaitedMillis())
          .append(" ms, ")
          .append(round.getLeftMillis())
          .append(" ms left\n");
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("round", round.getId());
      one.put("participants", round.getParticipantsList());
      one.put("absent", round.getAbsentList());
      one.put("waited_ms", round.getWaitedMillis());
      one.put("left_ms", round.getLeftMillis());
      rounds.add(one);
    }
    session.report().put("job", status.getJob());
    session.report().put("world", status.getWorld());
    session.report().put("epoch", status.getEpoch());
    session.report().put("connected", status.getConnected());
    session.report().put("lost", status.getLostList());
    session.report().put("missing", status.getMissingList());
    session.report().put("rounds", rounds);
    if (!session.isJson() || output != null) {
      session.writeResult(output, "text", text.toString());
    }
    return ExitCode.OK;
  }
}
