"""Writes the programs of this folder and what XLA's CPU client computes for them, with jax 0.10.2.

Usage: make.py sdy|gspmd    (in an empty folder; the values are the same for both partitioners)
"""
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

way = sys.argv[1]
jax.config.update("jax_use_shardy_partitioner", way == "sdy")
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))


def write(name, jitted, args):
    lowered = jitted.trace(*args).lower()
    with open(f"{name}.{way}.mlir", "w") as out:
        out.write(lowered.as_text())
    with open(f"{name}.{way}.hlo", "w") as out:
        out.write(lowered.compiler_ir("hlo").as_hlo_text())
    box = {}
    result = lowered.compile()(*args)
    for kind, arrays in (("in", args), ("out", [result])):
        for i, array in enumerate(arrays):
            for shard in array.addressable_shards:
                box[f"{kind}{i}.dev{shard.device.id}"] = np.asarray(shard.data)
    np.savez(f"{name}.values.npz", **box)


def sharded(rows, columns, scale, *axes):
    values = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns) / scale
    return jax.device_put(values, NamedSharding(mesh, P(*axes)))


a = sharded(16, 8, 100, "x", "y")
b = sharded(8, 4, 50, "y")


def whole(a, b):
    part = lambda u, v: jax.lax.psum(u @ v, "y")
    ins = (P("x", "y"), P("y", None))
    c = jax.shard_map(part, mesh=mesh, in_specs=ins, out_specs=P("x", None))(a, b)
    return jnp.sin(c) + 1


def partial(a):
    def part(u):
        return jax.lax.psum(u * 2, "x") + jax.lax.axis_index("x").astype(jnp.float32)

    c = jax.shard_map(part, mesh=mesh, in_specs=(P("x"),), out_specs=P("x"),
                      axis_names={"x"}, check_vma=False)(a)
    return jnp.sin(c) + 1


write("shard_map", jax.jit(whole, out_shardings=NamedSharding(mesh, P("x", "y"))), (a, b))
write("partial", jax.jit(partial), (a,))
