package dev.lockstep.golden.gloo;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.gloo.CallText.Name;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The program of a record: one text for all ranks, or the text of one rank, which names only its
 * own group, peers and counts.
 */
final class GlooProgram {
  /** Stands for all ranks. */
  static final int ALL = -1;

  private final GlooRecord record;
  private final int rank;
  private final CallText text;
  private final int size;

  private GlooProgram(GlooRecord record, int rank, boolean hlo) {
    this.record = record;
    this.rank = rank;
    this.text = new CallText(hlo);
    this.size = record.groupSize();
  }

  /** Returns the text for {@code rank}, or for {@link #ALL}. */
  static String text(GlooRecord record, int rank, boolean hlo) {
    return written(record, rank, hlo).text.text();
  }

  private static GlooProgram written(GlooRecord record, int rank, boolean hlo) {
    GlooProgram program = new GlooProgram(record, rank, hlo);
    program.write();
    return program;
  }

  /** Returns the arguments of device {@code device} for the text of {@code rank}. */
  static ImmutableList<Datum> arguments(GlooRecord record, int rank, int device) {
    List<TensorType> types = written(record, rank, false).text.parameterTypes();
    JsonNode input = record.input(device);
    boolean list =
        record.op().equals("scatter")
            || record.op().equals("reduce_scatter")
            || record.op().equals("all_to_all");
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (int i = 0; i < types.size(); i++) {
      boolean given = !input.isNull() && (list || i == 0);
      out.add(
          given
              ? GlooRecord.literal(list ? input.get(i) : input, types.get(i))
              : Literal.zeros(types.get(i)));
    }
    return out.build();
  }

  private void write() {
    switch (record.op()) {
      case "all_reduce" -> one("_c10d_functional.all_reduce", reduce(), shape());
      case "reduce" ->
          one("c10d.reduce", "dst = " + record.number("dst") + " : i64, " + reduce(), shape());
      case "broadcast" ->
          one("_c10d_functional.broadcast", "src = " + record.number("src") + " : i64", shape());
      case "all_gather_into_tensor" ->
          one("_c10d_functional.all_gather_into_tensor", "", rows(size));
      case "all_gather_into_tensor_stack" ->
          one("_c10d_functional.all_gather_into_tensor", "concat = false", stacked());
      case "all_gather" -> many("c10d.all_gather", "", 1, size);
      case "gather" -> many("c10d.gather", "dst = " + record.number("dst") + " : i64", 1, size);
      case "scatter" -> many("c10d.scatter", "src = " + record.number("src") + " : i64", size, 1);
      case "reduce_scatter" -> many("c10d.reduce_scatter", reduce(), size, 1);
      case "all_to_all" -> many("c10d.all_to_all", "", size, size);
      case "reduce_scatter_tensor" -> {
        Name x = text.parameter(rows(size));
        text.give(
            call("_c10d_functional.reduce_scatter_tensor", List.of(x), reduce(), shape()).get(0));
      }
      case "all_to_all_single" -> one("_c10d_functional.all_to_all_single", "", shape());
      case "all_to_all_single_uneven" -> uneven();
      case "ring_send_recv" -> ring();
      case "pair_send_recv" -> pair();
      case "batch_isend_irecv_both_ways" -> batches();
      default -> throw new IllegalStateException(record.op());
    }
  }

  private TensorType shape() {
    return TensorType.of(record.element(), record.shape());
  }

  private TensorType rows(int factor) {
    long[] dims = record.shape();
    dims[0] *= factor;
    return TensorType.of(record.element(), dims);
  }

  private TensorType stacked() {
    long[] dims =
        IntStream.concat(IntStream.of(size), Arrays.stream(record.shape()).mapToInt(d -> (int) d))
            .mapToLong(d -> d)
            .toArray();
    return TensorType.of(record.element(), dims);
  }

  private String reduce() {
    return "reduce_op = \"" + record.reduceOp() + "\"";
  }

  private ImmutableList<Name> call(
      String target, List<Name> operands, String more, TensorType... results) {
    return text.call(
        target, operands, groups() + (more.isEmpty() ? "" : ", " + more), List.of(results));
  }

  private void one(String target, String more, TensorType result) {
    Name x = text.parameter(shape());
    text.give(call(target, List.of(x), more, result).get(0));
  }

  private void many(String target, String more, int operands, int results) {
    List<Name> names = new ArrayList<>();
    for (int i = 0; i < operands; i++) {
      names.add(text.parameter(shape()));
    }
    TensorType[] types = Collections.nCopies(results, shape()).toArray(new TensorType[0]);
    call(target, names, more, types).forEach(text::give);
  }

  private static int count(int from, int to) {
    return (from + to) % 3;
  }

  private int sent(int me) {
    return IntStream.range(0, size).map(j -> count(me, j)).sum();
  }

  /** Rank i sends (i + j) % 3 rows to rank j, so it also gets that many from rank j. */
  private void uneven() {
    int most = IntStream.range(0, size).map(this::sent).max().orElseThrow();
    int rowCount = rank == ALL ? most : sent(place());
    TensorType type = TensorType.of(record.element(), rowCount, record.number("cols"));
    String own = rank == ALL ? "" : list(j -> count(place(), j), size);
    String counts =
        rank == ALL
            ? "counts = dense<["
                + IntStream.range(0, size)
                    .mapToObj(i -> list(j -> count(i, j), size))
                    .collect(Collectors.joining(", "))
                + "]> : tensor<"
                + size
                + "x"
                + size
                + "xi64>"
            : String.format(
                "recv_counts = dense<%s> : tensor<%dxi64>, send_counts = dense<%s> : tensor<%dxi64>",
                own, size, own, size);
    Name x = text.parameter(type);
    text.give(call("_c10d_functional.all_to_all_single", List.of(x), counts, type).get(0));
  }

  private void ring() {
    Name x = text.parameter(shape());
    Name buffer = text.parameter(shape());
    call("c10d.send", List.of(x), peer(me -> (me + 1) % size));
    text.give(
        call("c10d.recv", List.of(buffer), peer(me -> (me + size - 1) % size), shape()).get(0));
  }

  private void pair() {
    int source = record.number("src");
    int target = record.number("dst");
    Name x = text.parameter(shape());
    Name buffer = text.parameter(shape());
    if (rank == ALL || place() == source) {
      call("c10d.send", List.of(x), peer(me -> me == source ? target : -1));
    }
    if (rank == ALL || place() == target) {
      text.give(
          call("c10d.recv", List.of(buffer), peer(me -> me == target ? source : -1), shape())
              .get(0));
    } else {
      text.give(buffer);
    }
  }

  private void batches() {
    Name x = text.parameter(shape());
    Name a = text.parameter(shape());
    Name b = text.parameter(shape());
    text.give(batch(x, a, 1));
    text.give(batch(x, b, size - 1));
  }

  private Name batch(Name x, Name buffer, int step) {
    IntUnaryOperator next = me -> (me + step) % size;
    IntUnaryOperator previous = me -> (me + size - step) % size;
    String peers =
        rank == ALL
            ? "peers = dense<["
                + list(next, size)
                + ", "
                + list(previous, size)
                + "]> : tensor<2x"
                + size
                + "xi64>"
            : "peers = dense<["
                + next.applyAsInt(place())
                + ", "
                + previous.applyAsInt(place())
                + "]> : tensor<2xi64>";
    return call(
            "c10d.batch_isend_irecv",
            List.of(x, buffer),
            "ops = [\"isend\", \"irecv\"], " + peers + ", tags = dense<0> : tensor<2xi64>",
            shape())
        .get(0);
  }

  private String peer(IntUnaryOperator ofPlace) {
    String value =
        rank == ALL
            ? "dense<" + list(ofPlace, size) + "> : tensor<" + size + "xi64>"
            : ofPlace.applyAsInt(place()) + " : i64";
    return "peer = " + value + ", tag = 0 : i64";
  }

  private int place() {
    return record.groupOf(rank).indexOf(rank);
  }

  private String groups() {
    List<List<Integer>> groups = rank == ALL ? record.groups() : List.of(record.groupOf(rank));
    return String.format("groups = dense<%s> : tensor<%dx%dxi64>", groups, groups.size(), size);
  }

  private static String list(IntUnaryOperator entry, int count) {
    return IntStream.range(0, count)
        .map(entry)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
