"""Converts the output of run.sh to tables: table.py < results.csv"""
import collections
import csv
import sys

seconds = collections.defaultdict(list)
for who, op, n, batch, value in csv.reader(sys.stdin):
    seconds[op, int(batch), int(n), who].append(float(value))


def cell(op, batch, n, who):
    values = seconds.get((op, batch, n, who))
    return min(values) * 1e6 if values else None


def text(value, form="{:,.1f}"):
    return "-" if value is None else form.format(value)


for batch in (1, 100):
    print(f"\n## {'One problem' if batch == 1 else f'A batch of {batch} problems, by strides'}\n")
    print("| routine | n | C, µs | roclua, µs | CuPy, µs | roclua / C | roclua / CuPy |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for op, b, n in sorted({k[:3] for k in seconds}):
        if b != batch:
            continue
        c, ours, cupy = (cell(op, b, n, who) for who in ("c", "roclua", "cupy"))
        ratio_c, ratio_cupy = text(ours / c, "{:.3f}"), text(cupy and ours / cupy, "{:.3f}")
        print(f"| {op} | {n} | {text(c)} | {text(ours)} | {text(cupy)} | {ratio_c} | {ratio_cupy} |")
