"""Times jaxlib's parsers and printers on a text: time_jaxlib.py stablehlo|hlo FILE.

The peer of TextBenchmark: one thread, median of 9 after 3 warm-ups.
"""
import statistics
import sys
import time


def median(run):
    times = []
    for i in range(12):
        start = time.perf_counter()
        run()
        if i >= 3:
            times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def main():
    kind, path = sys.argv[1:]
    text = open(path, encoding="utf-8").read()
    if kind == "hlo":
        from jaxlib import _hlo

        module = _hlo.hlo_module_from_text(text)
        read, show = (lambda: _hlo.hlo_module_from_text(text)), (lambda: module.to_string())
    else:
        from jax._src.interpreters import mlir
        from jaxlib.mlir import ir

        context = mlir.make_ir_context()
        context.enable_multithreading(False)
        module = ir.Module.parse(text, context)
        read, show = (lambda: ir.Module.parse(text, context)), (lambda: str(module))
    print(f"{kind}: {len(text) / 1e6:.1f} MB, read {median(read):.0f} ms, print {median(show):.0f} ms")


main()
