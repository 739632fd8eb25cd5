package dev.lockstep.handshake.scenario;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.ClientOutput;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.client.RankClient;
import dev.lockstep.handshake.coordinator.Coordinator;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.coordinator.CoordinatorOutput;
import dev.lockstep.handshake.coordinator.Link;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.simulate.Scripts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A coordinator and its ranks at one table: what one says the other hears at once. */
final class Table implements CoordinatorOutput {
  static final Hello.Versions VERSIONS = new Hello.Versions(1, "lockstep-fp1", "test", "");

  final Coordinator coordinator;
  final List<Rank> ranks = new ArrayList<>();
  private final Map<Link, Rank> links = new HashMap<>();
  private final ArrayDeque<Runnable> onTheWay = new ArrayDeque<>();
  long now = 1;

  /** How often the coordinator has answered. */
  int answers;

  Table(int world, Stage stage) {
    this(CoordinatorOptions.of("job", world), stage);
  }

  Table(CoordinatorOptions options, Stage stage) {
    coordinator = new Coordinator(options, this, CoordinatorListener.NONE);
    for (int rank = 0; rank < options.world(); rank++) {
      ranks.add(new Rank(this, client(rank, options.world(), stage)));
    }
  }

  static ClientOptions client(int rank, int world, Stage stage) {
    return ClientOptions.of("job", "", 0, rank, world, 100L + rank, stage, VERSIONS);
  }

  static Program program(String text, RankList all, String... calls) {
    ImmutableList.Builder<Scripts.Call> list = ImmutableList.builder();
    ImmutableList.Builder<String> regions = ImmutableList.builder();
    regions.add(text);
    for (String call : calls) {
      list.add(new Scripts.Call(all, call));
      regions.add("");
    }
    return Scripts.program(text, all, list.build(), regions.build(), "");
  }

  Rank rank(int rank) {
    return ranks.get(rank);
  }

  void settle() {
    while (!onTheWay.isEmpty()) {
      onTheWay.remove().run();
    }
  }

  /** Lets time pass in small steps, as a clock does. */
  void pass(Duration time) {
    long end = now + time.toNanos();
    while (now < end) {
      now = Math.min(end, now + Duration.ofMillis(250).toNanos());
      coordinator.tick(now);
      ranks.forEach(rank -> rank.tick());
      settle();
    }
  }

  void later(Runnable what) {
    onTheWay.add(what);
  }

  void opened(Link link, Rank rank) {
    links.put(link, rank);
  }

  private void tell(Link link, java.util.function.Consumer<Rank> what) {
    Rank rank = links.get(link);
    if (rank != null && rank.link == link) {
      later(() -> what.accept(rank));
    }
  }

  @Override
  public void welcome(Link link, Hello hello, long nextSequence) {
    tell(link, node -> node.client.heard(nextSequence, now));
  }

  @Override
  public void refuse(Link link, int rank, long incarnation, Refusal refusal) {
    tell(link, node -> node.client.refused(refusal, now));
  }

  @Override
  public void answer(Link link, int rank, long sequence, Verdict verdict) {
    answers++;
    tell(link, node -> node.client.answered(sequence, verdict, now));
  }

  @Override
  public void heard(Link link, int rank, long nextSequence) {
    tell(link, node -> node.client.heard(nextSequence, now));
  }

  @Override
  public void notice(Link link, int rank, Verdict verdict) {
    tell(link, node -> node.client.noticed(verdict, now));
  }

  /** One rank, whose verdicts are kept in the order they came. */
  static final class Rank implements ClientOutput {
    private final Table table;
    final ClientOptions options;
    final RankClient client;
    final Map<Long, Verdict> verdicts = new HashMap<>();
    final List<Verdict> notices = new ArrayList<>();
    @Nullable Refusal refusal;
    @Nullable Link link;
    private boolean dead;

    Rank(Table table, ClientOptions options) {
      this.table = table;
      this.options = options;
      this.client = new RankClient(options, this, table.now);
    }

    /** Asks, and returns the number of the request; its verdict may be there already. */
    long run(Program program) {
      tick();
      long sequence = client.run(program, table.now);
      table.settle();
      return sequence;
    }

    void eager(Program calls) {
      tick();
      client.eager(calls, table.now);
      table.settle();
    }

    @Nullable Verdict verdict(long sequence) {
      return verdicts.get(sequence);
    }

    void tick() {
      if (!dead) {
        client.tick(table.now);
        table.settle();
      }
    }

    /** The process ends and its connection with it. */
    void die() {
      dead = true;
      cut();
    }

    /** The process hangs: its connection stays, and nothing comes over it. */
    void hang() {
      dead = true;
    }

    void cut() {
      Link lost = link;
      link = null;
      if (lost != null) {
        table.coordinator.disconnected(lost, table.now);
        client.disconnected("", table.now);
      }
      table.settle();
    }

    @Override
    public void connect() {
      Link opened = table.coordinator.connected("rank " + options.rank());
      link = opened;
      table.opened(opened, this);
      client.connected(table.now);
    }

    private void say(java.util.function.BiConsumer<Coordinator, Link> what) {
      Link to = link;
      if (to != null) {
        table.later(() -> what.accept(table.coordinator, to));
      }
    }

    @Override
    public void hello(Hello hello) {
      say((coordinator, to) -> coordinator.hello(to, hello, table.now));
    }

    @Override
    public void defineGroup(int number, RankList group) {
      say((coordinator, to) -> coordinator.defineGroup(to, number, group));
    }

    @Override
    public void defineProgram(int number, ProgramSummary program, String name) {
      say((coordinator, to) -> coordinator.defineProgram(to, number, program, name));
    }

    @Override
    public void ask(Ask ask) {
      say((coordinator, to) -> coordinator.ask(to, options.rank(), ask, table.now));
    }

    @Override
    public void alive(long progress, String doing) {
      say((coordinator, to) -> coordinator.alive(to, options.rank(), progress, doing, table.now));
    }

    @Override
    public void leave() {
      say((coordinator, to) -> coordinator.leave(to, options.rank(), table.now));
    }

    @Override
    public void verdict(long sequence, Verdict verdict) {
      verdicts.put(sequence, verdict);
    }

    @Override
    public void notice(Verdict verdict) {
      notices.add(verdict);
    }

    @Override
    public void refused(Refusal why) {
      refusal = why;
    }

    @Override
    public void disconnect() {
      Link open = link;
      link = null;
      if (open != null) {
        table.later(() -> table.coordinator.disconnected(open, table.now));
      }
    }
  }
}
