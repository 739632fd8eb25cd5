"""Counts how many texts print byte for byte as jaxlib prints them.

print_fidelity.py LOCKSTEP KIND FILES: LOCKSTEP is the launcher, KIND is hlo or stablehlo. Files are cut at lines
"// -----". What jaxlib does not read does not count; HLO is compared without the tables of stack frames, which XLA numbers
anew at each reading.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile


def frameless(text):
    begin = text.find("\n\nFileNames")
    if begin >= 0:
        text = text[:begin] + text[text.find("\n\n\n", begin):]
    return re.sub(r" ?stack_frame_id=\d+", "", text)


def printer(kind):
    if kind == "hlo":
        from jaxlib import _hlo

        return lambda text: frameless(_hlo.hlo_module_from_text(text).to_string())
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    context = mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    return lambda text: str(ir.Module.parse(text, context))


def likeness(ours, theirs, same):
    if ours.strip() == theirs.strip():
        return "byte for byte"
    words = lambda text: sorted(re.sub(r"%[\w.\-]+", "%", line).strip() for line in text.split("\n"))
    if words(ours) == words(theirs):
        return "other order or names"
    return "otherwise, the same module" if same else "otherwise"


def main():
    launcher, kind, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    show = printer(kind)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "in"))
        chunks = []
        for file in files:
            for chunk in re.split(r"(?m)^// -----.*$", open(file, encoding="utf-8").read()):
                try:
                    theirs = show(chunk)
                except Exception:
                    continue
                name = "%05d.%s" % (len(chunks), "hlo" if kind == "hlo" else "mlir")
                open(os.path.join(folder, "in", name), "w", encoding="utf-8").write(chunk)
                chunks.append((file, name, theirs))
        out = os.path.join(folder, "out")
        subprocess.run(
            [launcher, "opt", os.path.join(folder, "in"), "-o", out + "/"], stderr=subprocess.DEVNULL
        )
        for file, name, theirs in chunks:
            path = os.path.join(out, name)
            if not os.path.exists(path):
                counts["not read by Lockstep"] += 1
                continue
            ours = open(path, encoding="utf-8").read()
            try:
                again = show(ours)
            except Exception:
                again = ""
            if kind == "hlo":
                ours = frameless(ours)
            how = likeness(ours, theirs, again == theirs)
            counts[how] += 1
            if "-v" in os.environ.get("FIDELITY", ""):
                print(how, file, name)
    for how, count in counts.most_common():
        print(f"{count:6} {how}")


main()
