package dev.lockstep.handshake.client;

import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;

/**
 * Where a {@link RankClient} puts what it has to say: to the coordinator on the present connection,
 * and to its own program.
 */
public interface ClientOutput {
  /** A connection is wanted; {@link RankClient#connected} is to be called when it stands. */
  void connect();

  /** To the coordinator: who speaks. */
  void hello(Hello hello);

  /** To the coordinator: what a number of a group means. */
  void defineGroup(int number, RankList group);

  /** To the coordinator: what a number of a program means. */
  void defineProgram(int number, ProgramSummary program, String name);

  /** To the coordinator: what is about to run. */
  void ask(Ask ask);

  /** To the coordinator: a sign of life. */
  void alive(long progress, String doing);

  /** To the coordinator: no more will come. */
  void leave();

  /** To the program: the verdict on a request. */
  void verdict(long sequence, Verdict verdict);

  /** To the program: others were told not to run what this rank runs. */
  void notice(Verdict verdict);

  /** To the program: the coordinator will not have this rank. Nothing is sent any more. */
  void refused(Refusal refusal);

  /** The connection is to be given up; another will be asked for later. */
  void disconnect();
}
