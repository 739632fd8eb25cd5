package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Scaled dot-product attention under the names of its kernels; all mean the same. */
final class Attention {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, "
                  + "Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? "
                  + "scale=None, bool enable_gqa=False) -> Tensor",
              Attention::attention),
          AtenOp.of(
              "_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, "
                  + "Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor? "
                  + "dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> (Tensor, "
                  + "Tensor)",
              Attention::math),
          AtenOp.of(
              "_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, "
                  + "Tensor value, float dropout_p=0., bool is_causal=False, *, Tensor? "
                  + "attn_mask=None, float? scale=None) -> (Tensor output, Tensor logsumexp)",
              Attention::onCpu),
          AtenOp.of(
              "_scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor "
                  + "value, Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0., bool "
                  + "is_causal=False, *, float? scale=None) -> (Tensor output, Tensor "
                  + "log_sumexp, Tensor philox_seed, Tensor philox_offset)",
              Attention::efficient),
          AtenOp.of(
              "_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, "
                  + "float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, "
                  + "float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, "
                  + "Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor rng_state, Tensor "
                  + "unused, Tensor debug_attn_mask)",
              Attention::flash),
          AtenOp.of(
              "_scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, "
                  + "Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0., bool "
                  + "is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> "
                  + "(Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, "
                  + "SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor philox_offset, "
                  + "Tensor debug_attn_mask)",
              Attention::flash),
          AtenOp.of(
              "_scaled_dot_product_fused_attention_overrideable(Tensor query, Tensor key, "
                  + "Tensor value, Tensor? attn_bias=None, float dropout_p=0., bool "
                  + "is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> "
                  + "(Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, "
                  + "SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor philox_offset, "
                  + "Tensor debug_attn_mask)",
              Attention::flash),
          AtenOp.of(
              "_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, "
                  + "Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, float "
                  + "dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? scale=None) -> "
                  + "(Tensor grad_query, Tensor grad_key, Tensor grad_value)",
              Attention::backward));

  private Attention() {}

  /** Attention in the type it is computed in. */
  private record Result(Value out, Value weights, Value logsumexp) {}

  private static @Nullable Value mask(AtenCall call) {
    for (String name : ImmutableList.of("attn_mask", "attn_bias")) {
      if (call.schema().parameter(name) != null && call.has(name)) {
        return call.tensor(name);
      }
    }
    return null;
  }

  private static double scale(AtenCall call, Value query) {
    long width = Tensors.dims(query)[Tensors.rank(query) - 1];
    return call.has("scale") ? call.real("scale") : 1 / Math.sqrt((double) width);
  }

  private static void checkDropout(AtenCall call) {
    if (call.real("dropout_p") != 0) {
      throw call.unsupported("drops values at random (dropout_p is not 0)");
    }
  }

  private static Result compute(AtenCall call, Tensors t) {
    checkDropout(call);
    Value q = t.wide(call.tensor("query"));
    Value k = t.wide(call.tensor("key"));
    Value v = t.wide(call.tensor("value"));
    if (call.schema().parameter("enable_gqa") != null && call.flag("enable_gqa")) {
      k = repeated(call, t, k, q);
      v = repeated(call, t, v, q);
    }
    Value scores = scores(call, t, q, k);
    int last = Tensors.rank(scores) - 1;
    Value weights = safe(t, scores, Normalization.softmax(t, scores, last), last);
    Value out = Products.matmul(call, t, weights, v);
    Value sums = Reductions.logSumExp(t, scores, last);
    return new Result(t.convert(out, call.type("query").element()), weights, sums);
  }

  /** Groups of queries share a key. */
  private static Value repeated(AtenCall call, Tensors t, Value value, Value query) {
    int heads = Tensors.rank(value) - 3;
    long own = Tensors.dims(value)[heads];
    long wanted = Tensors.dims(query)[heads];
    if (own == 0 || wanted % own != 0) {
      throw call.error(wanted + " heads of queries cannot share " + own);
    }
    long[] dims = Tensors.dims(value);
    long[] wide = new long[dims.length + 1];
    System.arraycopy(dims, 0, wide, 0, heads + 1);
    wide[heads + 1] = wanted / own;
    System.arraycopy(dims, heads + 1, wide, heads + 2, 2);
    long[] out = dims.clone();
    out[heads] = wanted;
    return t.reshape(t.broadcast(Shapes.withOne(t, value, heads + 1), wide), out);
  }

  private static Value scores(AtenCall call, Tensors t, Value q, Value k) {
    int rank = Tensors.rank(k);
    Value product = Products.matmul(call, t, q, t.swap(k, rank - 2, rank - 1));
    Value scores = t.multiply(product, t.like(product, scale(call, q)));
    Value mask = mask(call);
    if (mask != null) {
      scores =
          Tensors.element(mask).isBool()
              ? t.select(mask, scores, t.like(scores, Double.NEGATIVE_INFINITY))
              : t.add(scores, t.convert(mask, Tensors.element(scores)));
    }
    return call.flag("is_causal") ? causal(t, scores) : scores;
  }

  private static Value causal(Tensors t, Value scores) {
    int rank = Tensors.rank(scores);
    TensorType numbers =
        TensorType.of(ElementType.I64, Arrays.copyOfRange(Tensors.dims(scores), rank - 2, rank));
    Value seen = t.compare("GE", t.iota(numbers, 0), t.iota(numbers, 1));
    return t.select(seen, scores, t.like(scores, Double.NEGATIVE_INFINITY));
  }

  /** Rows that see nothing give zeros. */
  private static Value safe(Tensors t, Value scores, Value weights, int dim) {
    Value masked = t.compare("EQ", scores, t.like(scores, Double.NEGATIVE_INFINITY));
    Value all =
        t.broadcastAlong(t.reduce(ReductionKind.AND, masked, dim), Tensors.type(scores), dim);
    return t.select(all, t.like(weights, 0), weights);
  }

  private static Arg attention(AtenCall call, Tensors t) {
    return Arg.of(compute(call, t).out());
  }

  private static Arg math(AtenCall call, Tensors t) {
    Result result = compute(call, t);
    Value weights = t.convert(result.weights(), call.type("query").element());
    return Arg.items(ImmutableList.of(Arg.of(result.out()), Arg.of(weights)));
  }

  private static Arg onCpu(AtenCall call, Tensors t) {
    Result result = compute(call, t);
    return Arg.items(ImmutableList.of(Arg.of(result.out()), Arg.of(result.logsumexp())));
  }

  private static Arg efficient(AtenCall call, Tensors t) {
    Result result = compute(call, t);
    Value sums = result.logsumexp();
    if (!call.flag("compute_log_sumexp")) {
      long[] dims = Tensors.dims(sums).clone();
      dims[dims.length - 1] = 0;
      sums = t.full(Tensors.type(sums).withDims(dims), 0.0);
    }
    Value none = t.full(TensorType.of(ElementType.I64), 0L);
    return Arg.items(
        ImmutableList.of(Arg.of(result.out()), Arg.of(sums), Arg.of(none), Arg.of(none)));
  }

  private static Arg flash(AtenCall call, Tensors t) {
    if (call.flag("return_debug_mask")) {
      throw call.unsupported("return_debug_mask");
    }
    Result result = compute(call, t);
    TensorType number = TensorType.of(ElementType.I64);
    Arg none = Arg.of(t.full(number, 0L));
    Value q = call.tensor("query");
    Value k = call.tensor("key");
    return Arg.items(
        ImmutableList.of(
            Arg.of(result.out()),
            Arg.of(result.logsumexp()),
            Arg.None.INSTANCE,
            Arg.None.INSTANCE,
            new Arg.Whole(Tensors.dims(q)[Tensors.rank(q) - 2]),
            new Arg.Whole(Tensors.dims(k)[Tensors.rank(k) - 2]),
            none,
            none,
            Arg.of(t.full(Tensors.type(q).withDims(0), 0.0))));
  }

  private static Arg backward(AtenCall call, Tensors t) {
    checkDropout(call);
    Value q = t.wide(call.tensor("query"));
    Value k = t.wide(call.tensor("key"));
    Value v = t.wide(call.tensor("value"));
    Value grad = t.wide(call.tensor("grad_out"));
    int rank = Tensors.rank(q);
    Value scores = scores(call, t, q, k);
    Value weights = safe(t, scores, Normalization.softmax(t, scores, rank - 1), rank - 1);
    Value gradV = Products.matmul(call, t, t.swap(weights, rank - 2, rank - 1), grad);
    Value gradWeights = Products.matmul(call, t, grad, t.swap(v, rank - 2, rank - 1));
    Value joined = t.multiply(gradWeights, weights);
    Value total =
        t.broadcastAlong(Reductions.total(t, joined, rank - 1), Tensors.type(weights), rank - 1);
    Value gradScores = t.subtract(joined, t.multiply(weights, total));
    Value scaled = t.multiply(gradScores, t.like(gradScores, scale(call, q)));
    Value gradQ = Products.matmul(call, t, scaled, k);
    Value gradK = Products.matmul(call, t, t.swap(scaled, rank - 2, rank - 1), q);
    ElementType element = call.type("query").element();
    return Arg.items(
        ImmutableList.of(
            Arg.of(t.convert(gradQ, element)),
            Arg.of(t.convert(gradK, element)),
            Arg.of(t.convert(gradV, element))));
  }
}
