"""Prints torch FX graphs of many functions and what torch computes with them.

Usage: python torch_fx_oracle.py OUT_DIR [NAME ...]     (torch 2.13, CPU)
Writes NAME.fx.txt (the graph as torch prints it) and NAME.values.npz (in<i>, out<i>.dev0). A case is traced in one of these
ways, which differ in the operators that they leave: make (make_fx as it is), core (make_fx with the core ATen
decompositions), fw/bw (what AOTAutograd gives to a compiler for forward and backward), export (the text of an exported
program), exported (the same, decomposed), dynamo (as Dynamo captures it, with Python's functions and operators).
"""
import os
import re
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch._decomp import core_aten_decompositions
from torch._functorch.aot_autograd import aot_function, aot_module
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._pytree import tree_flatten

OUT = ""
WANTED = []
NAMED = {torch.bfloat16: ("bf16", torch.int16, np.uint16), torch.float8_e4m3fn: ("f8e4m3fn", torch.int8, np.uint8),
         torch.float8_e5m2: ("f8e5m2", torch.int8, np.uint8)}


def key_and_array(key, tensor):
    tensor = tensor.detach().cpu().contiguous()
    if tensor.is_conj():
        tensor = tensor.resolve_conj()
    if tensor.dtype in NAMED:
        suffix, bits, raw = NAMED[tensor.dtype]
        return f"{key}.{suffix}", tensor.view(bits).numpy().view(raw)
    return key, tensor.numpy()


def save(name, text, inputs, outputs):
    values = {}
    i = 0
    for tensor in inputs:
        if isinstance(tensor, torch.Tensor):
            key, array = key_and_array(f"in{i}", tensor)
            values[key] = array
            i += 1
    i = 0
    for tensor in tree_flatten(outputs)[0]:
        if isinstance(tensor, torch.Tensor):
            key, array = key_and_array(f"out{i}.dev0", tensor)
            values[key] = array
            i += 1
    # Where torch and this file lie on the machine says nothing about the graph.
    text = re.sub(r"# File: \S*/(site-packages/|(?=torch_fx_oracle))", r"# File: \1", text)
    with open(f"{OUT}/{name}.fx.txt", "w") as file:
        file.write("\n".join(line.rstrip() for line in text.strip("\n").split("\n")) + "\n")
    np.savez_compressed(f"{OUT}/{name}.values.npz", **values)


def copies(args):
    return [a.detach().clone().requires_grad_(a.requires_grad) if isinstance(a, torch.Tensor) else a for a in args]


def readable(gm):
    return gm.print_readable(print_output=False, include_stride=False, include_device=False)


def case(name, function, *args, how="make"):
    """Traces one case and writes it."""
    if WANTED and not any(w == name or w.endswith("*") and name.startswith(w[:-1]) for w in WANTED):
        return
    try:
        trace(name, function, args, how)
    except Exception as e:
        print(f"{name}: {type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")


def constants(gm):
    """Tensors that the graph takes from its module, in the order of the text."""
    names = dict.fromkeys(node.target for node in gm.graph.nodes if node.op == "get_attr")
    return [getattr(gm, name) for name in names]


def trace(name, function, args, how):
    torch.manual_seed(0)
    if how in ("make", "core"):
        table = core_aten_decompositions() if how == "core" else None
        gm = make_fx(function, decomposition_table=table)(*copies(args))
        save(name, readable(gm), list(args) + constants(gm), function(*copies(args)))
    elif how in ("fw", "bw", "core_fw", "core_bw"):
        recorded = {}

        def compiler(which):
            def compile_graph(gm, example):
                text = readable(gm)

                def run(*values):
                    values = list(values[0]) if len(values) == 1 and isinstance(values[0], (list, tuple)) else list(values)
                    kept = copies(values)
                    result = gm(*values)
                    recorded[which] = (text, kept, [r.detach().clone() if isinstance(r, torch.Tensor) else None for r in result])
                    return result
                run._boxed_call = False
                return run
            return compile_graph
        table = core_aten_decompositions() if how.startswith("core") else None
        make = aot_module if isinstance(function, nn.Module) else aot_function
        compiled = make(function, fw_compiler=compiler("fw"), bw_compiler=compiler("bw"), decompositions=table)
        out = compiled(*copies(args))
        if how.endswith("bw"):
            total = sum((o.float() * torch.linspace(0.5, 1.5, o.numel()).reshape(o.shape)).sum()
                        for o in tree_flatten(out)[0] if isinstance(o, torch.Tensor) and o.requires_grad)
            total.backward()
        save(name, *recorded[how[-2:]])
    elif how == "dynamo":
        seen = []

        def backend(gm, example):
            seen.append(gm)

            def run(*values):
                kept = copies(values)
                result = gm(*values)
                save(name, readable(gm), kept, result)
                return result
            return run
        torch._dynamo.reset()
        torch.compile(function, backend=backend, fullgraph=True)(*copies(args))
    elif how in ("export", "exported"):
        module = function if isinstance(function, nn.Module) else Wrapped(function)
        module.eval()
        program = torch.export.export(module, tuple(args))
        if how == "exported":
            program = program.run_decompositions()
        inputs = []
        user = iter(args)
        for spec in program.graph_signature.input_specs:
            kind = spec.kind.name
            if kind == "PARAMETER":
                inputs.append(program.state_dict[spec.target])
            elif kind == "BUFFER":
                inputs.append(program.state_dict[spec.target] if spec.target in program.state_dict else program.constants[spec.target])
            elif kind == "CONSTANT_TENSOR":
                inputs.append(program.constants[spec.target])
            else:
                inputs.append(next(user))
        save(name, str(program), inputs, module(*args))
    else:
        raise ValueError(how)


class Wrapped(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def f(*shape, seed=1, dtype=torch.float32, grad=False, scale=1.0):
    """Numbers between -1 and 1 that need no random generator."""
    n = int(np.prod(shape)) if shape else 1
    values = ((np.arange(n) * 37 + seed * 101) % 199 - 99) / 99.0 * scale
    return torch.tensor(values.reshape(shape), dtype=dtype).requires_grad_(grad)


def i(*shape, high=8, seed=1, dtype=torch.int64):
    n = int(np.prod(shape)) if shape else 1
    return torch.tensor(((np.arange(n) * 29 + seed * 13) % high).reshape(shape), dtype=dtype)


def b(*shape, seed=1):
    return i(*shape, high=3, seed=seed) == 0


# --- models --------------------------------------------------------------------------------------------------------------


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(f(dim, seed=3) + 1)
        self.eps = eps

    def forward(self, x):
        h = x.float()
        return (h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x) * self.weight


def rope_tables(seq, dim):
    inverse = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
    angles = torch.outer(torch.arange(seq).float(), inverse)
    return torch.cat((angles, angles), -1).cos(), torch.cat((angles, angles), -1).sin()


def rotate_half(x):
    a, c = x.chunk(2, dim=-1)
    return torch.cat((-c, a), dim=-1)


class Attention(nn.Module):
    def __init__(self, dim, heads, kv_heads, fused):
        super().__init__()
        self.heads, self.kv_heads, self.head, self.fused = heads, kv_heads, dim // heads, fused
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, kv_heads * self.head, bias=False)
        self.wv = nn.Linear(dim, kv_heads * self.head, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        batch, seq, dim = x.shape
        q = self.wq(x).view(batch, seq, self.heads, self.head).transpose(1, 2)
        k = self.wk(x).view(batch, seq, self.kv_heads, self.head).transpose(1, 2)
        v = self.wv(x).view(batch, seq, self.kv_heads, self.head).transpose(1, 2)
        cos, sin = (table.to(x.dtype) for table in rope_tables(seq, self.head))
        q = q * cos + rotate_half(q) * sin
        k = k * cos + rotate_half(k) * sin
        k = k.repeat_interleave(self.heads // self.kv_heads, dim=1)
        v = v.repeat_interleave(self.heads // self.kv_heads, dim=1)
        if self.fused:
            o = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = q @ k.transpose(-2, -1) / self.head ** 0.5
            mask = torch.full((seq, seq), float("-inf"), dtype=x.dtype).triu(1)
            o = (scores + mask).softmax(-1) @ v
        return self.wo(o.transpose(1, 2).reshape(batch, seq, dim))


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.w1, self.w2, self.w3 = (nn.Linear(dim, hidden, bias=False), nn.Linear(hidden, dim, bias=False),
                                     nn.Linear(dim, hidden, bias=False))

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, dim=16, heads=4, kv_heads=2, fused=True):
        super().__init__()
        self.attention, self.mlp = Attention(dim, heads, kv_heads, fused), SwiGLU(dim, 32)
        self.n1, self.n2 = RMSNorm(dim), RMSNorm(dim)

    def forward(self, x):
        h = x + self.attention(self.n1(x))
        return h + self.mlp(self.n2(h))


class GptBlock(nn.Module):
    def __init__(self, dim=16, heads=2):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)
        self.drop = nn.Dropout(0.1)
        self.register_buffer("mask", torch.ones(8, 8).tril().view(1, 1, 8, 8))

    def forward(self, x):
        batch, seq, dim = x.shape
        q, k, v = self.qkv(self.n1(x)).split(dim, dim=2)
        q, k, v = (t.view(batch, seq, self.heads, dim // self.heads).transpose(1, 2) for t in (q, k, v))
        a = (q @ k.transpose(-2, -1)) * (1.0 / (dim // self.heads) ** 0.5)
        a = a.masked_fill(self.mask[:, :, :seq, :seq] == 0, float("-inf"))
        a = self.drop(F.softmax(a, dim=-1))
        x = x + self.drop(self.proj((a @ v).transpose(1, 2).contiguous().view(batch, seq, dim)))
        return x + self.drop(self.down(F.gelu(self.up(self.n2(x)), approximate="tanh")))


class LanguageModel(nn.Module):
    def __init__(self, vocab=32, dim=16):
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocab, dim), nn.Embedding(8, dim)
        self.block, self.norm, self.head = GptBlock(dim), nn.LayerNorm(dim), nn.Linear(dim, vocab, bias=False)

    def forward(self, tokens, targets):
        h = self.tokens(tokens) + self.places(torch.arange(tokens.shape[1]))
        logits = self.head(self.norm(self.block(h)))
        return F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-100)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False)
        self.n1 = nn.BatchNorm2d(8)
        self.c2 = nn.Conv2d(8, 8, 3, padding=1, groups=4)
        self.fc = nn.Linear(8, 5)
        self.n1.running_mean.copy_(f(8, seed=5) * 0.1)
        self.n1.running_var.copy_(f(8, seed=6).abs() + 0.5)

    def forward(self, x):
        h = F.relu(self.n1(self.c1(x)))
        h = F.max_pool2d(h, 2)
        h = h + F.relu6(self.c2(h))
        return self.fc(F.adaptive_avg_pool2d(h, 1).flatten(1))


class MoE(nn.Module):
    def __init__(self, dim=8, experts=4, k=2):
        super().__init__()
        self.k, self.experts = k, experts
        self.gate = nn.Linear(dim, experts, bias=False)
        self.w1 = nn.Parameter(f(experts, dim, 12, seed=7) * 0.5)
        self.w2 = nn.Parameter(f(experts, 12, dim, seed=8) * 0.5)

    def forward(self, x):
        scores = self.gate(x).softmax(-1)
        weights, chosen = scores.topk(self.k, dim=-1)
        weights = weights / weights.sum(-1, keepdim=True)
        flat = chosen.flatten()
        order = flat.argsort(stable=True)
        rows = x[order // self.k]
        w1 = self.w1[flat[order]]
        w2 = self.w2[flat[order]]
        h = torch.bmm(F.silu(torch.bmm(rows.unsqueeze(1), w1)), w2).squeeze(1)
        h = h * weights.flatten()[order].unsqueeze(-1)
        counts = torch.zeros(self.experts).scatter_add(0, flat, torch.ones_like(flat, dtype=torch.float32))
        load = F.one_hot(chosen, self.experts).sum((0, 1))
        return torch.zeros_like(x).index_add(0, order // self.k, h), counts, load, scores.mean(0)


def init(module):
    with torch.no_grad():
        for seed, (_, p) in enumerate(module.named_parameters()):
            p.copy_(f(*p.shape, seed=seed + 2) * (0.3 if p.dim() > 1 else 1.0) + (1.0 if p.dim() == 1 and seed % 2 else 0.0))
    return module


def models():
    block, gpt, lm = init(Block()), init(GptBlock()), init(LanguageModel())
    plain = init(Block(fused=False))
    x = f(2, 8, 16, grad=True)
    case("llama_block", block, x, how="export")
    case("llama_block_decomposed", block, x, how="exported")
    case("llama_block_plain", plain, x, how="export")
    case("llama_block_forward", plain, x, how="fw")
    case("llama_block_backward", plain, x, how="bw")
    case("llama_block_core_backward", plain, x, how="core_bw")
    case("gpt_block", gpt, x, how="export")
    case("gpt_block_decomposed", gpt, x, how="exported")
    gpt.eval()
    case("gpt_block_forward", gpt, x, how="core_fw")
    case("gpt_block_backward", gpt, x, how="core_bw")
    case("gpt_block_plain_backward", gpt, x, how="bw")
    tokens, targets = i(2, 8, high=32), i(2, 8, high=32, seed=4)
    targets[0, 2] = -100
    lm.eval()
    case("language_model", lm, tokens, targets, how="export")
    case("language_model_decomposed", lm, tokens, targets, how="exported")
    case("language_model_forward", lm, tokens, targets, how="fw")
    case("language_model_backward", lm, tokens, targets, how="bw")
    case("language_model_core_forward", lm, tokens, targets, how="core_fw")
    case("language_model_core_backward", lm, tokens, targets, how="core_bw")
    conv = init(ConvNet()).eval()
    image = f(2, 3, 16, 16)
    case("conv_net", conv, image, how="export")
    case("conv_net_decomposed", conv, image, how="exported")
    case("conv_net_forward", conv, image, how="core_fw")
    case("conv_net_backward", conv, image, how="core_bw")
    training = init(ConvNet()).train()
    case("conv_net_training", training, image, how="core_fw")
    case("conv_net_training_backward", training, image, how="core_bw")
    case("moe", init(MoE()), f(6, 8), how="export")
    case("moe_decomposed", init(MoE()), f(6, 8), how="exported")
    case("moe_backward", init(MoE()), f(6, 8), how="core_bw")
    bf = init(Block(fused=False)).bfloat16()
    case("llama_block_bf16", bf, f(1, 4, 16, dtype=torch.bfloat16), how="exported")


def closed(update, make):
    return lambda p, q, g, h: update(p, q, g, h, make)


def dynamo():
    x = f(2, 8, 16)
    gpt, lm = init(GptBlock()).eval(), init(LanguageModel()).eval()
    tokens, targets = i(2, 8, high=32), i(2, 8, high=32, seed=4)
    case("dynamo_llama_block", init(Block(fused=False)), x, how="dynamo")
    case("dynamo_llama_block_fused", init(Block()), x, how="dynamo")
    case("dynamo_gpt_block", gpt, x, how="dynamo")
    case("dynamo_language_model", lm, tokens, targets, how="dynamo")
    case("dynamo_conv_net", init(ConvNet()).eval(), f(2, 3, 16, 16), how="dynamo")
    case("dynamo_moe", init(MoE()), f(6, 8), how="dynamo")
    case("dynamo_operators", lambda x, y, n: [x + y, x - 1, 2 - x, 1 / (x + 3), x / y.exp(), x * 2, -x, x ** 2, 2 ** x, x @ y.T, x > 0, 0.5 <= x, (x > 0) & (y > 0), ~(x > 0), x[0], x[:, 1:3], x[None, ..., -1], x[n % 3], x.sum(1),
                                              x.view(4, 3), x.reshape(-1), x.permute(1, 0), x.transpose(0, 1), x.float(), x.to(torch.float64), x.half(), x.mean(dim=-1, keepdim=True), torch.cat([x, y], dim=1), torch.stack([x, y]), x.t(), n // 2, n % 3,
                                              x.masked_fill(x > 0, -1.0), torch.where(x > 0, x, y), x.softmax(dim=-1), torch.arange(4) + n[:4], x.clamp(min=0), x.expand(2, 3, 4), x.repeat(2, 1), x.max(dim=1)[0], x.chunk(2, dim=1)[1], x.size(0) * x, x.unsqueeze(0).squeeze(0)],
         f(3, 4), f(3, 4, seed=5), i(6), how="dynamo")


def optimisers():
    p, g, m, v = f(4, 3), f(4, 3, seed=2), f(4, 3, seed=3) * 0.1, f(4, 3, seed=4).abs() * 0.01
    step = torch.tensor(3.0)

    def adamw(p, g, m, v, step):
        step = step + 1
        p = p * (1 - 1e-3 * 0.01)
        m = torch.lerp(m, g, 1 - 0.9)
        v = v * 0.999 + (1 - 0.999) * g * g
        c1, c2 = 1 - 0.9 ** step, 1 - 0.999 ** step
        return torch.addcdiv(p, m, (v.sqrt() / c2.sqrt()).add(1e-8), value=-1e-3) / c1, m, v, step
    case("adamw_by_hand", adamw, p, g, m, v, step)
    for name, make in (("sgd", lambda ps: torch.optim.SGD(ps, lr=0.1, momentum=0.9, weight_decay=0.01)),
                       ("adam", lambda ps: torch.optim.Adam(ps, lr=0.01, capturable=False, foreach=False)),
                       ("adamw", lambda ps: torch.optim.AdamW(ps, lr=0.01, foreach=False)),
                       ("adam_foreach", lambda ps: torch.optim.Adam(ps, lr=0.01, foreach=True, capturable=False)),
                       ("adamw_foreach", lambda ps: torch.optim.AdamW(ps, lr=0.01, foreach=True)),
                       ("sgd_foreach", lambda ps: torch.optim.SGD(ps, lr=0.1, momentum=0.9, nesterov=True, foreach=True)),
                       ("rmsprop", lambda ps: torch.optim.RMSprop(ps, lr=0.01, foreach=False)),
                       ("adagrad", lambda ps: torch.optim.Adagrad(ps, lr=0.01, foreach=False))):
        def update(p, q, g, h, make):
            a, c = nn.Parameter(p.detach().clone()), nn.Parameter(q.detach().clone())
            a.grad, c.grad = g.clone(), h.clone()
            optimiser = make([a, c])
            optimiser.step()
            return a.detach(), c.detach()
        args = (p, f(5, seed=9), g, f(5, seed=8))
        case("optimiser_" + name, torch.func.functionalize(closed(update, make)), *args)
    grads = [g, f(5, seed=8)]

    def clip(g, h):
        total = torch.linalg.vector_norm(torch.stack(torch._foreach_norm([g, h])))
        scale = torch.clamp(1.0 / (total + 1e-6), max=1.0)
        return torch._foreach_mul([g, h], scale)
    case("clip_grad_norm", clip, *grads)

    def each(a, c, x, y):
        s = torch._foreach_add([a, c], [x, y], alpha=2)
        s = torch._foreach_mul(s, 0.5)
        s = torch._foreach_addcmul(s, [x, y], [x, y], value=0.1)
        s = torch._foreach_addcdiv(s, [x, y], torch._foreach_add(torch._foreach_abs([a, c]), 1.0), value=0.3)
        s = torch._foreach_lerp(s, [x, y], 0.25)
        return s + torch._foreach_sqrt(torch._foreach_abs(s)) + torch._foreach_sub(s, 1.0) + torch._foreach_neg([a, c])
    case("foreach", each, p, f(5, seed=9), g, f(5, seed=8))


# --- single operators ----------------------------------------------------------------------------------------------------


def operators():
    x, y, p = f(3, 4), f(3, 4, seed=5), f(3, 4).abs() + 0.1
    special = torch.tensor([0.0, -0.0, 1.5, -1.5, 2.5, -2.5, float("inf"), float("-inf"), float("nan"), 0.4999, 1e-30, -7.25])
    unary = ("abs acos asin atan ceil cos cosh deg2rad erf erfc exp exp2 expm1 floor frac isfinite isinf isnan isneginf "
             "isposinf logical_not neg reciprocal relu round rsqrt sgn sigmoid sign signbit sin sinc sinh sqrt square tan tanh "
             "trunc asinh log log10 log1p log2 lgamma digamma erfinv rad2deg nan_to_num positive logit").split()
    case("unary", lambda x, p, s: [getattr(torch, u)(p if u in ("log", "lgamma", "digamma", "rsqrt", "log2", "log10", "sqrt", "log1p", "logit") else x)
                                   for u in unary], x, p, special)
    edge = "abs ceil floor frac isfinite isinf isnan isneginf isposinf logical_not neg reciprocal relu round sgn sigmoid sign signbit square tanh trunc nan_to_num exp".split()
    case("unary_special", lambda s: [getattr(torch, u)(s) for u in edge], special)
    n = torch.tensor([-7, -2, -1, 0, 1, 2, 5, 7])
    case("unary_integers", lambda n: [getattr(torch, u)(n) for u in "abs bitwise_not ceil exp floor isnan isfinite logical_not neg relu round sgn sigmoid sign signbit sin square trunc reciprocal".split()], n)
    case("unary_bf16", lambda x: [getattr(torch, u)(x) for u in "abs cos erf exp log1p neg reciprocal relu rsqrt sigmoid sin sqrt square tanh".split()] + [F.gelu(x), F.silu(x)], (f(3, 4).abs() + 0.1).bfloat16())
    case("activations", lambda x: [F.gelu(x), F.gelu(x, approximate="tanh"), F.silu(x), F.mish(x), F.softplus(x), F.softplus(x, 2, 0.5),
                                   F.logsigmoid(x), F.leaky_relu(x), F.elu(x), F.selu(x), F.celu(x, 0.7), F.hardsigmoid(x * 4),
                                   F.hardswish(x * 4), F.hardtanh(x, -0.3, 0.4), F.relu6(x * 9), F.softsign(x), F.threshold(x, 0.1, 20),
                                   F.glu(x), F.prelu(x, torch.tensor([0.3])), F.tanhshrink(x), F.hardshrink(x), F.softshrink(x)], x)
    z = torch.tensor([1.0, -2.0, 0.0, 3.5, float("nan"), float("inf")])
    w = torch.tensor([2.0, 3.0, 0.0, -1.5, 1.0, 2.0])
    binary = "add sub mul div atan2 hypot maximum minimum fmax fmin fmod remainder floor_divide logaddexp copysign xlogy eq ne lt le gt ge logical_and logical_or logical_xor pow true_divide".split()
    case("binary", lambda x, y: [getattr(torch, u)(x, y) for u in binary], x, y)
    case("binary_special", lambda x, y: [getattr(torch, u)(x, y) for u in binary], z, w)
    k, m = torch.tensor([7, -7, 7, -7, 0, 5]), torch.tensor([2, 2, -2, -2, 3, -3])
    case("binary_integers", lambda x, y: [getattr(torch, u)(x, y) for u in "add sub mul div floor_divide fmod remainder maximum minimum bitwise_and bitwise_or bitwise_xor eq lt gt logical_and".split()]
         + [torch.div(x, y, rounding_mode="trunc"), torch.div(x, y, rounding_mode="floor"), x << 2, x >> 1, torch.pow(x, 2), x ** 3], k, m)
    case("promotion", lambda x, n, h, t, d: [x + n, n + 1.5, n * 2, n / 2, h + 1.5, h + x, h + n, t + 1, t + 1.0, t & (n > 0), t * x, d + x, x + d[0], n + x[0],
                                             n.int() + n, n.to(torch.uint8) + n.to(torch.int8), t + t, 2 - n, 1.5 - h, torch.add(x, n, alpha=2), n // 2, n % 3,
                                             x > n, h == 1, x * torch.tensor(2), n * torch.tensor(2.5), 2 ** n.abs(), x ** 2, x ** 0.5, 2.0 ** x],
         f(4), torch.tensor([1, -2, 3, 4]), f(4).half(), torch.tensor([True, False, True, True]), f(4).double())
    case("scalars", lambda x: [x + 1, 1 + x, x - 2, 2 - x, x * 3, x / 4, 5 / x, x ** 2, x ** 3, x ** -1, x ** 0.5, x ** 1.7, x % 0.3, x // 0.3, torch.rsub(x, 1, alpha=2)], p)
    case("where_clamp", lambda x, y, c: [torch.where(c, x, y), torch.where(c, x, 0.0), torch.where(c, 1.0, y), x.masked_fill(c, -1e9), x.masked_fill(c, torch.tensor(2.0)),
                                         x.clamp(-0.2, 0.3), x.clamp(min=0), x.clamp(max=0.1), torch.clamp(x, y, y + 0.5), torch.lerp(x, y, 0.3), torch.lerp(x, y, x), torch.addcmul(x, y, y, value=0.5),
                                         torch.addcdiv(x, y, y.abs() + 1, value=2), torch.isclose(x, x + 1e-9), torch.heaviside(x, y)], x, y, b(3, 4))
    case("reductions", lambda x, n, c: [x.sum(), x.sum(1), x.sum((0, 1), keepdim=True), x.mean(), x.mean(0), x.mean((-1,), keepdim=True), x.prod(), x.prod(1), x.amax(1), x.amin((0, 1)),
                                        x.max(), x.min(), x.var(), x.var(1), x.var(1, correction=0), x.std(0), torch.var_mean(x, 1), x.logsumexp(1), n.sum(), n.sum(0), n.prod(), c.sum(), c.any(), c.all(1),
                                        c.any(0, keepdim=True), x.any(), x.norm(), x.norm(dim=1), x.norm(1, dim=0), torch.linalg.vector_norm(x, float("inf")), torch.count_nonzero(n), torch.count_nonzero(n, 1),
                                        x.nansum(), x.double().sum(), x.sum(dtype=torch.float64), n.sum(dtype=torch.int32)], x, i(3, 4), b(3, 4))
    case("reductions_bf16", lambda x: [x.sum(), x.mean(1), x.var(1), x.softmax(-1), x.norm(), x.amax(0), x.cumsum(1), x.prod(1)], x.bfloat16())
    case("argreductions", lambda x, n: [x.argmax(), x.argmax(1), x.argmin(0, keepdim=True), x.max(1), x.min(0, keepdim=True), n.argmax(1), x.sort(1), x.sort(0, descending=True), x.argsort(1),
                                        torch.sort(n, dim=1, stable=True), x.topk(2), x.topk(3, 0, largest=False), torch.kthvalue(x, 2, 1), x.median(), x.median(1), x.cummax(1), x.cummin(0), torch.aminmax(x, dim=1), n.max(1)], x, i(3, 4, high=20))
    case("cumulative", lambda x, n: [x.cumsum(0), x.cumsum(-1), n.cumsum(1), x.cumprod(1), torch.logcumsumexp(x, 1), (n > 2).cumsum(1), torch.diff(x)], x, i(3, 4))
    case("softmax", lambda x, n: [x.softmax(-1), x.softmax(0), x.log_softmax(1), torch.softmax(x, 1, dtype=torch.float64), x.half().softmax(1), F.softmin(x, 1)], x, i(3, 4))
    q = f(2, 3, 4)
    case("views", lambda q: [q.view(6, 4), q.reshape(-1), q.view(2, -1), q.permute(2, 0, 1), q.transpose(0, 2), q.transpose(-1, -2), q.t() if q.dim() == 2 else q[0].t(), q.unsqueeze(0), q.unsqueeze(-1), q[:, :1].squeeze(1),
                             q.flatten(1), q.flatten(), q.unflatten(2, (2, 2)), q.expand(3, 2, 3, 4), q[:1].expand(5, -1, -1), q.repeat(2, 1, 1, 3), q.tile(2), q.flip(0, 2), q.roll(1, 2), q.roll(3), q.rot90(1, (0, 1)),
                             q.movedim(0, 2), q.swapaxes(0, 1), torch.cat([q, q * 2], 1), torch.stack([q, q], -1), torch.hstack([q, q]), q.T if q.dim() == 2 else q.mT, q.ravel(), q.contiguous(), q.clone(), q.detach(), q.broadcast_to(2, 2, 3, 4),
                             q.repeat_interleave(2, 1), torch.atleast_3d(q[0]), q.view(torch.int32), q.movedim((0, 1), (1, 2))], q)
    case("slices", lambda q: [q[0], q[:, 1], q[..., -1], q[:, 1:], q[:, :-1], q[:, ::2], q[..., 1:3], q.select(1, 2), q.narrow(2, 1, 2), q.split(2, 2), q.split([1, 2], 1), q.chunk(2, 2), q.unbind(0), q.tensor_split(2, 2),
                              q.diagonal(0, 1, 2), q[0].diagonal(), torch.diag(q[0, 0]), torch.diag_embed(q[0]), q[0].triu(), q[0].tril(-1), q.triu(1), q[None, :, None], q.unfold(2, 2, 1), q.as_strided((2, 2), (4, 1), 1), q[1, 2, 3]], q)
    j, idx = i(5, high=3), torch.tensor([[0, 2], [1, 1]])
    case("indexing", lambda q, j, idx, c: [q[:, j], q[j % 2, j], q[:, :, idx], q[j % 2, :, j], q.index_select(1, j), q.gather(1, idx[:, :, None].expand(2, 2, 4)), torch.take(q, idx), q[idx % 2, idx], q[-1, j],
                                           torch.take_along_dim(q, q.argsort(1), 1), F.embedding(idx, q[0]), q[:, j][:, None], q[idx % 2]], q, j, idx, torch.tensor([True, False, True]))
    src = f(2, 2, 4, seed=9)
    case("scatters", lambda q, idx, src, j: [q.scatter(1, idx[:, :, None].expand(2, 2, 4), src), q.scatter_add(1, idx[:, :, None].expand(2, 2, 4), src), q.scatter(1, idx[:, :, None].expand(2, 2, 4), 7.0),
                                             q.scatter_reduce(1, idx[:, :, None].expand(2, 2, 4), src, "amax"), q.scatter_reduce(1, idx[:, :, None].expand(2, 2, 4), src, "prod"), q.scatter_reduce(1, idx[:, :, None].expand(2, 2, 4), src, "mean"),
                                             q.scatter_reduce(1, idx[:, :, None].expand(2, 2, 4), src, "sum", include_self=False), q.index_add(1, idx[0], src), q.index_copy(1, idx[0], src), q.index_fill(1, idx[0], 3.0),
                                             q.index_put((torch.tensor([0, 1]), torch.tensor([2, 0])), torch.tensor(5.0)), q.index_put((torch.tensor([0, 0]), torch.tensor([2, 2])), src[0], accumulate=True),
                                             torch.slice_scatter(q, src, 1, 0, 2), torch.select_scatter(q, src[:, 0], 1, 2), torch.diagonal_scatter(q[0], f(3, seed=3)), q.masked_scatter(q > 0, src.repeat(2, 2, 2)), q.put(torch.tensor([1, 3]), torch.tensor([8.0, 9.0])),
                                             torch.bincount(j, minlength=4)], q, idx, src, j)
    case("creation", lambda x: [torch.zeros(2, 3), torch.ones(3, dtype=torch.int32), torch.full((2, 2), 7), torch.full((2,), 0.5), torch.arange(5), torch.arange(1, 10, 3), torch.arange(0, 1, 0.25), torch.linspace(0, 1, 5), torch.eye(3), torch.eye(2, 3),
                                torch.zeros_like(x), torch.ones_like(x), torch.full_like(x, 2), torch.empty(2, 2).fill_(1.5), x.new_zeros(2), x.new_ones(3), x.new_full((2,), 4.0), torch.tensor([1.0, 2.0]), torch.tensor(3), 
                                torch.tril_indices(3, 3), torch.triu_indices(3, 3, 1), torch.ones(3, 3).tril(), torch.ones(3, 3).triu(1), torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"), x.new_tensor([1, 2])], x)
    case("casts", lambda x, n, c: [x.half(), x.bfloat16(), x.double(), (x * 5).int(), (x * 5).long(), n.float(), n.bool(), c.float(), c.long(), x.to(torch.float16).float(), (x * 100).to(torch.int8), n.to(torch.uint8), x.type_as(n), x.to(n.device), x.bool(), x.bfloat16().float()], x, i(3, 4), b(3, 4))
    case("float8", lambda x: [x.to(torch.float8_e4m3fn).float(), x.to(torch.float8_e5m2).bfloat16()], x)
    a, c2, v = f(3, 4), f(4, 5, seed=2), f(4, seed=3)
    ba, bb = f(2, 3, 4), f(2, 4, 5, seed=2)
    case("products", lambda a, c, v, ba, bb: [a @ c, ba @ bb, a @ v, v @ v, v @ c, ba @ c, a @ bb, torch.mv(a, v), torch.dot(v, v), torch.outer(v, v), torch.addmm(f(5), a, c), torch.addmm(f(3, 5), a, c, beta=0.5, alpha=2),
                                              torch.baddbmm(f(2, 3, 5), ba, bb), F.linear(a, c.t(), f(5)), F.linear(ba, c.t()), torch.einsum("ij,jk->ik", a, c), torch.einsum("bij,bjk->bik", ba, bb), torch.einsum("bij,bjk->b", ba, bb),
                                              torch.einsum("ij->ji", a), torch.bmm(ba, bb), torch.chain_matmul(a, c) if False else torch.linalg.multi_dot([a, c]), torch.tensordot(a, c, 1), torch.inner(v, v), torch.kron(a, a), torch.addmv(f(3), a, v)], a, c2, v, ba, bb)
    case("einsum_core", lambda ba, bb: [torch.einsum("bij,bjk->bik", ba, bb), torch.einsum("bhqd,bhkd->bhqk", f(2, 2, 3, 4), f(2, 2, 5, 4))], ba, bb, how="core")
    case("products_low", lambda a, c: [a @ c, F.linear(a, c.t()), torch.addmm(c[0], a, c)], a.bfloat16(), c2.bfloat16())
    case("products_integers", lambda a, c: [a @ c], i(3, 4), i(4, 5))
    qh, kh, vh = f(2, 2, 4, 8), f(2, 2, 6, 8, seed=2), f(2, 2, 6, 8, seed=3)
    mask = b(4, 6)
    mask[:, 0] = True
    for how in ("make", "core"):
        case("attention_" + how, lambda q, k, v, m: [F.scaled_dot_product_attention(q, k, v), F.scaled_dot_product_attention(q, k, v, m), F.scaled_dot_product_attention(q, k, v, f(4, 6)), F.scaled_dot_product_attention(q, q, q, is_causal=True),
                                                     F.scaled_dot_product_attention(q, k, v, scale=0.3)], qh, kh, vh, mask, how=how)
    case("attention_export", lambda q, k, v: [F.scaled_dot_product_attention(q, k, v, is_causal=True), F.scaled_dot_product_attention(q.repeat(1, 2, 1, 1), k, v, enable_gqa=True)], qh, kh, vh, how="export")
    case("attention_backward", lambda q, k, v: F.scaled_dot_product_attention(q, k, v), qh.clone().requires_grad_(), kh.clone().requires_grad_(), vh.clone().requires_grad_(), how="bw")
    img = f(2, 4, 6, 6)
    case("normalisation", lambda x, img: [F.layer_norm(x, (4,), f(4), f(4, seed=2)), F.layer_norm(x, (3, 4)), F.rms_norm(x, (4,), f(4)), F.group_norm(img, 2, f(4), f(4, seed=2)), F.batch_norm(img, f(4), f(4).abs() + 1, f(4), f(4, seed=2)),
                                          F.instance_norm(img), F.normalize(x, dim=1), F.local_response_norm(img, 2), F.cosine_similarity(x, x + 1)], x, img)
    case("normalisation_core", lambda x, img: [F.layer_norm(x, (4,), f(4), f(4, seed=2)), F.rms_norm(x, (4,), f(4)), F.group_norm(img, 2, f(4), f(4, seed=2)), F.batch_norm(img, f(4), f(4).abs() + 1, f(4), f(4, seed=2))], x, img, how="core")
    case("normalisation_export", lambda x, img: [F.layer_norm(x, (4,)), F.rms_norm(x, (4,), f(4)), F.group_norm(img, 2), F.batch_norm(img, f(4), f(4).abs() + 1)], x, img, how="export")
    case("convolutions", lambda img: [F.conv2d(img, f(3, 4, 3, 3), f(3)), F.conv2d(img, f(3, 4, 3, 3), stride=2, padding=1), F.conv2d(img, f(4, 1, 3, 3), groups=4, padding=1), F.conv2d(img, f(3, 4, 2, 2), dilation=2), F.conv_transpose2d(img, f(4, 3, 3, 3), f(3), stride=2, padding=1, output_padding=1),
                                      F.conv1d(img[:, :, 0], f(2, 4, 3)), F.conv3d(img[:, None], f(2, 1, 1, 3, 3)), F.conv_transpose1d(img[:, :, 0], f(4, 2, 3)), F.conv2d(img, f(3, 4, 3, 3), padding="same")], img)
    case("convolutions_export", lambda img: [F.conv2d(img, f(3, 4, 3, 3), f(3)), F.conv1d(img[:, :, 0], f(2, 4, 3), padding=1), F.conv2d(img, f(3, 4, 3, 3), padding="same"), F.conv_transpose2d(img, f(4, 3, 3, 3))], img, how="export")
    case("pooling", lambda img: [F.max_pool2d(img, 2), F.max_pool2d(img, 3, 2, 1), F.avg_pool2d(img, 2), F.avg_pool2d(img, 3, 2, 1), F.avg_pool2d(img, 3, 2, 1, count_include_pad=False), F.adaptive_avg_pool2d(img, 1), F.adaptive_avg_pool2d(img, 3), F.max_pool1d(img[0], 2), F.avg_pool1d(img[0], 2),
                                 F.max_pool2d(img, 2, return_indices=True)], img)
    case("resizing", lambda img: [F.interpolate(img, scale_factor=2), F.interpolate(img, (3, 3)), F.pad(img, (1, 2, 0, 1)), F.pad(img, (1, 1), value=2.0), F.pad(img, (-1, 1)), F.pad(img, (1, 1, 1, 1), mode="reflect"), F.pad(img, (2, 1, 1, 0), mode="replicate"), F.pixel_shuffle(img, 2), F.pixel_unshuffle(img, 2)], img)
    target, labels = f(3, 4, seed=7), i(3, high=4)
    case("losses", lambda x, t, y: [F.mse_loss(x, t), F.l1_loss(x, t), F.smooth_l1_loss(x, t), F.huber_loss(x, t, delta=0.3), F.cross_entropy(x, y), F.cross_entropy(x, y, reduction="none"), F.cross_entropy(x, y, label_smoothing=0.1), F.cross_entropy(x, y, weight=f(4).abs() + 0.1),
                                    F.cross_entropy(x, t.softmax(1)), F.nll_loss(x.log_softmax(1), y, reduction="sum"), F.binary_cross_entropy(x.sigmoid(), t.sigmoid()), F.binary_cross_entropy_with_logits(x, t.sigmoid()), F.kl_div(x.log_softmax(1), t.softmax(1), reduction="batchmean"),
                                    F.mse_loss(x, t, reduction="none"), F.cross_entropy(x, y, ignore_index=1), F.hinge_embedding_loss(x, t.sign()), F.poisson_nll_loss(x, t.abs()), F.soft_margin_loss(x, t.sign())], x, target, labels)
    case("losses_export", lambda x, t, y: [F.cross_entropy(x, y), F.mse_loss(x, t), F.binary_cross_entropy_with_logits(x, t.sigmoid()), F.nll_loss(x.log_softmax(1), y), F.cross_entropy(x, y, label_smoothing=0.1)], x, target, labels, how="export")
    g = x.clone().requires_grad_()
    acts = (F.gelu, F.silu, F.relu, torch.sigmoid, torch.tanh, F.leaky_relu, F.elu, F.softplus, F.hardswish, F.hardsigmoid, F.logsigmoid, F.mish, F.hardtanh, lambda t: F.gelu(t, approximate="tanh"), lambda t: F.glu(t))
    case("activation_backwards", lambda x: [a(x) for a in acts], g, how="bw")
    case("activation_core_backwards", lambda x: [a(x) for a in acts], g, how="core_bw")
    case("norm_backwards", lambda x: [F.layer_norm(x, (4,), f(4), f(4, seed=2)), F.rms_norm(x, (4,), f(4)), x.softmax(1), x.log_softmax(1), F.normalize(x), x.norm(), x.std(1)], g, how="bw")
    case("loss_backwards", lambda x, target, labels: [F.mse_loss(x, target), F.cross_entropy(x, labels), F.l1_loss(x, target), F.smooth_l1_loss(x, target), F.binary_cross_entropy_with_logits(x, target.sigmoid())], g, target, labels, how="bw")
    gi = img.clone().requires_grad_()
    case("pool_backwards", lambda img: [F.max_pool2d(img, 2), F.avg_pool2d(img, 2), F.adaptive_avg_pool2d(img, 1), F.conv2d(img, f(3, 4, 3, 3), padding=1), F.group_norm(img, 2), F.interpolate(img, scale_factor=2), F.pad(img, (1, 1))], gi, how="bw")
    case("shape_backwards", lambda x: [x[1], x[:, 1:3], x.gather(1, i(3, 2, high=4)), x.index_select(0, i(4, high=3)), x[i(5, high=3)], x.cumsum(1), x.repeat(2, 1), x.expand(2, 3, 4), x.max(1)[0], x.sort(1)[0], x.topk(2)[0], x.unfold(1, 2, 1), x.prod(1), x.flip(0), x.roll(1, 0), x.amax(1), x.diagonal(), x.tril()], g, how="bw")
    case("complex", lambda x, y: [torch.view_as_real(torch.view_as_complex(x.reshape(3, 2, 2)) * torch.view_as_complex(y.reshape(3, 2, 2))), torch.complex(x, y).abs(), torch.polar(x.abs(), y), torch.complex(x, y).conj().imag, torch.complex(x, y) + 1], x, y)
    case("in_place", inplace, x, y)
    case("symbolic_like", lambda x: [x.view(x.shape[0] * 2, -1), x.new_zeros(x.size(0)), x.sum() / x.numel()], x)
    case("masks", lambda n: [torch.arange(n.size(1))[None, :] < n[:, :1], torch.ones(4, 4, dtype=torch.bool).tril(), torch.arange(4)[:, None] - torch.arange(4)[None] <= 0, torch.isin(n, torch.tensor([1, 3])), torch.bucketize(n.float(), torch.tensor([1.5, 3.5])), torch.searchsorted(torch.tensor([1.5, 3.5]), n.float())], i(3, 4))
    case("dropout_eval", lambda x: [F.dropout(x, 0.5, training=False), F.alpha_dropout(x, 0.5, training=False)], x)
    case("rnn_cells", lambda x, h, c: list(torch.lstm_cell(x, (h, c), f(20, 4), f(20, 5, seed=2), f(20), f(20, seed=3))) + [torch.gru_cell(x, h, f(15, 4), f(15, 5, seed=2))], x, f(3, 5), f(3, 5, seed=4))
    case("linalg", lambda a: [torch.trace(a), torch.tril(a), a.fill_diagonal(0) if False else a.diag(), torch.cross(a, a + 1, dim=1)], f(3, 3))
    a = torch.ops.aten
    case("composites", lambda x, y, n: [torch.std_mean(x), torch.std_mean(x, 1, keepdim=True), torch.histc(x, 5, -1, 1), torch.histc(x, 3), torch.ldexp(x, n), torch.logaddexp2(x, y), torch.dist(x, y), torch.dist(x, y, 1), torch.vdot(x[0], y[0]), torch.addr(x, x[:, 0], y[0], beta=0.5, alpha=2),
                                        torch.angle(x), torch.block_diag(x, y[0], x[:1, :1]), a._chunk_cat([x, y[:, :1], x], 0, 2), a._unsafe_masked_index(x, n[0] > 2, [n[0] % 3], 0.5),
                                        a._unsafe_masked_index_put_accumulate(x, n[0] > 2, [n[0] % 3, n[0] % 4], y[0]), torch.bincount(n[0], n[1], 9), torch.digamma(n.float())], x, y, i(3, 4))
    case("composites_complex", lambda x, y: [torch.angle(torch.complex(x, y)), torch.vdot(torch.complex(x, y)[0], torch.complex(y, x)[0])], x, y)
    case("copies_of_views", lambda x: [a.view_copy(x, [4, 3]), a.permute_copy(x, [1, 0]), a.expand_copy(x, [2, 3, 4]), a.slice_copy(x, 1, 0, 3, 2), a.select_copy(x, 0, 1), a.transpose_copy(x, 0, 1), a.t_copy(x), a.unsqueeze_copy(x, 0), a.squeeze_copy(x[:, :1]), a.split_copy(x, 2), a.unbind_copy(x),
                                       a.split_with_sizes_copy(x, [1, 3], 1), a.unfold_copy(x, 1, 2, 1), a.alias_copy(x), a.detach_copy(x), a.diagonal_copy(x), writes_to_copy(x)], x)
    case("scalars_as_lines", lambda s, k: [s.cummax(0), s.unfold(0, 1, 1), s.index_add(0, k.reshape(1), s), s.index_copy(0, k.reshape(1), s * 2), s.index_fill(0, k.reshape(1), 3.0), s.scatter_add(0, k, s), s.sort(0), s.topk(1, 0), torch.aminmax(s, dim=0), s.cumsum(0), s.gather(0, k)],
         f(seed=3), torch.tensor(0))
    case("masked_values", lambda x, m, v: [x.index_put((m,), v[:int(m_count)]), x.index_put((m,), v[:int(m_count)], accumulate=True), x.index_put((m[:, 0],), x[:1] * 2), x[0].masked_scatter(m, v)], x, b(3, 4), f(12, seed=9)) if (m_count := b(3, 4).sum()) else None
    case("resizing_more", lambda img: [F.interpolate(img[:, :, 0], 5, mode="linear"), F.interpolate(img[:, :, None], (2, 3, 5), mode="trilinear"), F.interpolate(img[:, :, None], (2, 3, 5)), F.interpolate(img, (3, 5), mode="nearest-exact"), F.interpolate(img, scale_factor=1.7, mode="nearest-exact"),
                                       F.interpolate(img[:, :, 0], 5, mode="linear", align_corners=True), F.adaptive_avg_pool3d(img[:, :, None], (1, 2, 3))], img)
    case("in_place_renamed", renamed, x, n)
    prims = torch.ops.prims
    case("prims", lambda x: [prims.iota(4, start=1, step=3, dtype=torch.int64, device="cpu", requires_grad=False), prims.convert_element_type(x, torch.float64), prims.broadcast_in_dim(x, [3, 2, 4], [0, 2]), prims.view_of(x), prims.device_put(x, "cpu")], x)


def writes_to_copy(x):
    y = x + 1
    z = torch.ops.aten.view_copy(y, [12])
    z.mul_(2)
    return y, z


def renamed(x, n):
    y = x.abs() + 0.5
    y.pow_(2)
    y.pow_(y.clone())
    z = y.clone()
    z.transpose_(0, 1)
    m = n.clone()
    m <<= 2
    m |= n
    m &= 7
    m ^= n
    m >>= 1
    return y, z, m


def inplace(x, y):
    a = x * 2
    a.add_(1).mul_(y)
    a.clamp_(-0.5, 0.5)
    c = torch.zeros(3, 4)
    c.copy_(a)
    c.relu_()
    d = torch.empty(2)
    d.fill_(3)
    d.zero_()
    e = y.clone()
    e.masked_fill_(e > 0, 0.25)
    e.exp_().sub_(1.0).div_(2.0)
    return a, c, d, e


def main():
    global OUT, WANTED
    OUT, WANTED = sys.argv[1], sys.argv[2:]
    os.makedirs(OUT, exist_ok=True)
    torch.set_num_threads(1)
    models()
    dynamo()
    optimisers()
    operators()


if __name__ == "__main__":
    main()
